"""What is not HTML: the style sheet, the picture, the leaflet."""

from __future__ import annotations

import math
import struct
import zlib

STYLE = """
:root { --ink: #2b2a26; --paper: #fbf9f3; --moss: #3f6b4a; --rust: #a5532b; --line: #d9d3c3; --shade: #f1ecdf; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 Georgia, "Times New Roman", serif; }
a { color: var(--moss); } a:hover { color: var(--rust); }
h1, h2, h3 { font-weight: normal; line-height: 1.2; } h1 { font-size: 1.8rem; margin: .2em 0 .6em; }
.masthead { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between;
  padding: .6rem 1.5rem; background: var(--moss); }
.masthead a { color: #fff; text-decoration: none; } .masthead a:hover { text-decoration: underline; }
.brand { display: flex; align-items: center; gap: .8rem; font-size: 1.4rem; }
.brand img { width: 44px; height: 44px; }
.main-menu a, .toolbar a, .strip a { margin-right: 1rem; }
.content { max-width: 66rem; margin: 1.2rem auto; padding: 0 1.2rem; }
.strip, .toolbar, .trail, .pager, .colophon, .byline, .small { font: 14px/1.6 system-ui, sans-serif; }
.strip { padding: .4rem .8rem; background: var(--shade); border: 1px solid var(--line); margin-bottom: .8rem; }
.trail { color: #776; margin: .3rem 0; } .pager { margin: .8rem 0; }
.pager a, .pager b { display: inline-block; padding: .1rem .55rem; border: 1px solid var(--line); background: #fff; }
.pager b { background: var(--moss); color: #fff; }
table.listing { width: 100%; border-collapse: collapse; background: #fff; border: 1px solid var(--line); }
.listing th, .listing td { padding: .55rem .8rem; text-align: left; border-bottom: 1px solid var(--line);
  vertical-align: top; }
.listing th { background: var(--shade); font: 13px system-ui, sans-serif; } .listing .number { text-align: right; }
.entry { display: grid; grid-template-columns: 11rem 1fr; background: #fff; border: 1px solid var(--line);
  margin: 0 0 .9rem; }
.entry .who { padding: .9rem; background: var(--shade); font: 14px/1.5 system-ui, sans-serif; }
.entry .said { padding: .9rem 1.2rem; min-width: 0; } .who dl { margin: .5rem 0 0; } .who dd { margin: 0 0 .3rem; }
.who dt { color: #776; font-size: 12px; }
.entry-head { display: flex; flex-wrap: wrap; justify-content: space-between; border-bottom: 1px solid var(--line);
  font: 13px/1.8 system-ui, sans-serif; }
blockquote { margin: .8rem 0; padding: .4rem 1rem; border-left: 4px solid var(--rust); background: var(--shade); }
cite { font: 13px system-ui, sans-serif; color: #665; }
.signature { margin-top: 1rem; padding-top: .4rem; border-top: 1px dashed var(--line); color: #776;
  font: italic 14px Georgia, serif; }
.columns { display: grid; grid-template-columns: 1fr 17rem; gap: 2.2rem; }
.sidebar { font: 14px/1.6 system-ui, sans-serif; }
.sidebar h3 { font-size: 1rem; border-bottom: 2px solid var(--rust); }
.plain { list-style: none; padding-left: 0; } .teaser { border-bottom: 1px solid var(--line); padding-bottom: .8rem; }
.teaser h2, .story h1 { margin-bottom: .1em; } .story { font-size: 1.08rem; }
.remark { border: 1px solid var(--line); background: #fff; padding: .6rem 1rem; margin: .8rem 0; }
.remark .remark { margin-left: 2rem; background: var(--paper); }
.month td { width: 14%; height: 3.2rem; } .month .busy { background: var(--shade); }
form p { margin: .5rem 0; } label { display: inline-block; min-width: 8rem; } textarea { width: 100%; height: 9rem; }
.colophon { text-align: center; color: #776; padding: 1.2rem; border-top: 1px solid var(--line); }
@media (max-width: 45rem) { .columns, .entry { grid-template-columns: 1fr; } }
@media print { .masthead, .colophon, .sidebar { display: none; } }
""".lstrip()

_SIDE = 64
_PALETTE = bytes((0x3F, 0x6B, 0x4A, 0xFB, 0xF9, 0xF3, 0xA5, 0x53, 0x2B))
_GREEN, _THREAD, _SPIDER = 0, 1, 2


def picture() -> bytes:
    """Draw a spider in its web as a PNG.

    The pixels are stored without compression: the bytes are then the same with every zlib.
    """
    rows = b"".join(b"\0" + bytes(_pixel(x, y) for x in range(_SIDE)) for y in range(_SIDE))
    header = struct.pack(">IIBBBBB", _SIDE, _SIDE, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", header), (b"PLTE", _PALETTE), (b"IDAT", zlib.compress(rows, 0)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in parts)


def _pixel(x: int, y: int) -> int:
    across, down = x - _SIDE / 2 + 0.5, y - _SIDE / 2 + 0.5
    radius, angle = math.hypot(across, down), math.atan2(down, across)
    if radius < 5:
        return _SPIDER
    if radius > 31:
        return _GREEN
    from_spoke = abs(math.sin(angle * 4)) * radius / 4
    from_ring = abs((radius * (1 - 0.06 * math.cos(angle * 8))) % 8 - 4)
    return _THREAD if from_spoke < 0.7 or from_ring < 0.6 else _GREEN


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def leaflet(lines: tuple[str, ...]) -> bytes:
    """Typeset lines of plain ASCII as a PDF of one page."""
    text = " ".join(f"({_literal(line)}) Tj T*" for line in lines)
    stream = f"BT /F1 14 Tf 20 TL 60 760 Td {text} ET".encode("ascii", "replace")
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    return _assemble(objects)


def _literal(line: str) -> str:
    return line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def _assemble(objects: tuple[bytes, ...]) -> bytes:
    """Number the objects and add the table of where each begins."""
    out, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    tail = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n" % count + table + tail
