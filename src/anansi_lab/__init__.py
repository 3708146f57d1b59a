"""The laboratory: experiments of the papers and simulated crawls, on what was recorded, without a request.

1. `strategies` crawl a recorded site along patterns or by the chooser, and measure what each brings.
2. `experiments` repeats those of the ACEBot paper on complete crawls; `experiments_page` draws them.
3. `webs` reads a recorded web and what its pages are about; `simulation` crawls it with a queue like the frontier's.
4. `rivals` are the strategies to beat, `settings` all strategies by name, each with its pace.
5. `trials` draws topics and seeds, and measures every setting on them; `trials_page` draws the outcome.
6. `cli` is what people type: `python -m anansi_lab`.
"""
