"""A page in; what it is, where it leads and what stands on it out, by what is known of its application.

1. `document` is what patterns are about: tree, address, headers and cookies of a page as one; `linked_data` is what
   it says of itself in JSON-LD.
2. `recogniser` finds the type, then the level.
3. `links` finds the links of any page; `navigate` those that a type's actions follow; `addresses` judges links by
   what their addresses tell, `link_shapes` those that differ in numbers alone at once.
4. `extract` makes objects by extraction actions: `containers` are their places, `values` their properties,
   `date_places` and `inside_text` what stands around and inside; `parts` are pages of one thing.
5. `shortcuts` are a site's own lists: `shortcut_asker` asks, `shortcut_answers` reads what comes.
6. `samples`, `short_lists`, `aliases`, `canonical`: what is visited all the same, not needed, or the same.
7. `gaps` (`gap_facts`, `gap_rules`, `gap_words`) tells whether a page withholds its content; `stated` what it says
   its site holds; `doubts` what speaks against how it was read; `missing` what rules should have found.
8. `requisites` are what a page needs to be shown.
9. `interpreter` is where all of these meet, for crawls and for whoever asks.
"""
