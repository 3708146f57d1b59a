"""Crawl a site with Scrapy, by its own link extractor or by ours, and print what came of it as JSON.

python tests/scrapy_crawl.py own|anansi URL KNOWLEDGE
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

from anansi.scrapy import AnansiLinkExtractor

SETTINGS = {
    "LOG_LEVEL": "WARNING",
    "ROBOTSTXT_OBEY": True,
    "TELNETCONSOLE_ENABLED": False,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 4,
    "DOWNLOAD_DELAY": 0,
    "DEPTH_STATS_VERBOSE": False,
    "CLOSESPIDER_PAGECOUNT": 1200,  # the example site has traps without end
}

found: dict[str, str] = {}
order: list[int] = []


def spider(how: str, url: str, knowledge: str) -> type[CrawlSpider]:
    extractor: Any = AnansiLinkExtractor(knowledge)  # a rule takes what has `extract_links`, and is typed narrower
    own = Rule(LinkExtractor(), callback="keep", follow=True)
    ours = Rule(extractor, callback="keep", follow=True, process_request=extractor.prioritised)

    class Site(CrawlSpider):
        name = "site"
        start_urls = [url]  # noqa: RUF012
        allowed_domains = [urlsplit(url).hostname or ""]  # noqa: RUF012
        rules = (ours if how == "anansi" else own,)

        def keep(self, response: Any) -> None:
            order.append(response.request.priority)
            for each in extractor.objects(response):
                found[each.uri] = each.kind

    return Site


if __name__ == "__main__":
    process = CrawlerProcess(SETTINGS)
    crawler = process.create_crawler(spider(*sys.argv[1:]))
    process.crawl(crawler)
    process.start()
    assert crawler.stats is not None
    requests = crawler.stats.get_value("downloader/request_count")
    print(json.dumps({"requests": requests, "objects": Counter(found.values()), "priorities": order}))
