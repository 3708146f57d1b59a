"""What other programs ask of Anansi over HTTP: advice on a page, or that a running crawl takes their URLs.

1. `application` is the one application: its parts, and all of their routes. Starlette routes, uvicorn serves.
2. `server` bounds connections and waits; `admission` says who may ask; `bodies` bounds what is sent; `answering`
   words answers and refusals; `problem` lists what can go wrong, with status and cure.
3. `page_reading` takes pages that other crawlers post, for `helper_process`, which is `anansi helper`.
4. `reader_process` reads one page after another; `reader_processes` keeps several, ends those that take too long, and
   remembers what is known about sites. `posted_page` reads what was posted: JSON, a message of HTTP, or a bare body;
   `advice` takes the page through the stages of a crawl that look at it, and `answer` words what they found.
5. `url_posting` takes URLs for a running crawl, in `posting_process` beside it; `scored_urls` reads them, and
   `crawl_messages` are what that process and the crawl say to each other.
6. `page_reading_description` and `url_posting_description` describe both for programs (`openapi`), `start_page` the
   first for people.
7. `listening` opens the place to listen at, and `tokens` says what a token is.
"""
