"""What a crawl wrote, held against itself: checked, repaired, made again, read again.

1. `soundness` holds everything against everything else (`claims`) and changes nothing.
2. `restore` makes again what can be made again; `relog` words lines of crawl.log anew, `rebuild` makes the frontier.
3. `reconcile` makes the frontier agree with the archive: what is settled and not kept is due again.
4. `reread` reads pages of the archive by what is known now; `requisites` finds what they need to be shown.
"""
