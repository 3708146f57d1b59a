"""The spider that `static_site.py` runs Scrapy with: every link of the site, nothing kept."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class SiteSpider(CrawlSpider):
    """Follows every link of one host."""

    name = "site"
    rules = (Rule(LinkExtractor(), follow=True),)

    def __init__(self, url: str, **settings: Any):
        super().__init__(**settings)
        self.start_urls = [url]
        self.allowed_domains = [urlsplit(url).hostname or ""]
