"""What is known about Web applications: data, and the few functions that read it.

1. `xpath` is the fragment that patterns and actions are written in; `search` finds what they point to, among the
   `elements` of a page.
2. `entry` is what an entry says of a type; `addresses` its table of addresses; `vocabulary` the words for objects.
3. `notation` reads and writes entries as XML; `shelf` finds their files, built in (`entries/`) or in a folder.
4. `catalogue` joins all types, each with what it inherits, and finds what contradicts itself.
5. `index` finds the types whose patterns can match a page, in a time that does not grow with their number.
"""
