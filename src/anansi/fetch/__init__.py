"""Fetching: a `Visit` that is due becomes a `Page`, whatever the web does.

1. Resolve the name, and refuse an address that is not public.
2. Ask robots.txt whether the address may be requested, and how often (`robots`).
3. Request it with libcurl, keeping the bytes of both sides as they are on the wire (`curl`).
4. Keep to the limits on size, time, headers and redirects; a body that a limit cut says so.
5. Decode transfer and content codings when the content is read, never in what is stored (`decode`).
6. Sniff what the content is and how its text is written, since servers err (`mime`, `charset`).
7. Retry what may come right later, and slow down where the server asks for it (`retry`).
"""
