"""What Anansi knows about a page, for crawlers that are not Anansi: recognition, links to follow, objects.

1. `advice` takes a page through the stages of a crawl that look at it, and says what a crawl would do with it.
2. `answer` words that as JSON; its declarations are what the description of the service is made from.
3. `posting` reads a page that was posted: as JSON, as a message of HTTP, or as a bare body.
4. `problem` lists what can go wrong, with status and cure.
5. `clerk` is a process that reads one page after another; `clerks` keeps several, ends those that take too long, and
   remembers what is known about sites.
6. `wire` reads requests and writes responses, within limits.
7. `serve` listens, routes, refuses what is too much, and ends cleanly.
8. `description` and `front` are what the service says about itself: for programs (OpenAPI) and for people.
"""
