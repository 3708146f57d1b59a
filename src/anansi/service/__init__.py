"""What other programs ask of Anansi over HTTP: advice on a page, or that a running crawl takes their URLs.

1. `advice` takes a page through the stages of a crawl that look at it, and says what a crawl would do with it.
2. `answer` words that as JSON; its declarations are what the description of the service is made from.
3. `posting` reads a page that was posted: as JSON, as a message of HTTP, or as a bare body.
4. `problem` lists what can go wrong, with status and cure.
5. `clerk` is a process that reads one page after another; `clerks` keeps several, ends those that take too long, and
   remembers what is known about sites.
6. `wire` reads requests and writes responses, within limits; `listening` serves connections; `admission` says who may
   ask.
7. `serve` is the helper: it routes, refuses what is too much, and ends cleanly.
8. `description` and `front` are what the helper says about itself: for programs (`openapi`) and for people.
9. `desk` is a process beside a running crawl; `scored` reads the URLs that are posted to it; `messages` are what it
   and the crawl say to each other; `desk_description` describes it.
"""
