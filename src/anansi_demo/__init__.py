"""A small web site to try Anansi on: a forum and a blog, made in code, served on loopback.

1. `words` and `prose` write the texts, from our own lists and a seed.
2. `forum` and `blog` hold what the site says: boards, threads, posts, articles, comments.
3. `layout`, `assets`, `board_views`, `thread_views`, `blog_views` and `front` turn it into pages.
4. `site` answers a path, tells its kind and lists the content a perfect crawl would keep.
5. `judge` compares the requests of a crawl with that list.
6. `wire` speaks HTTP, `server` puts the site on 127.0.0.1.
7. `command` is `anansi demo`: it crawls the site and shows what was kept.
"""
