import re
import struct
import zlib

from anansi_demo.assets import STYLE, leaflet, picture


def test_the_picture_is_a_png_whose_chunks_and_pixels_add_up() -> None:
    data = picture()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    chunks, place = {}, 8
    while place < len(data):
        (length,) = struct.unpack_from(">I", data, place)
        name, content = data[place + 4 : place + 8], data[place + 8 : place + 8 + length]
        assert struct.unpack_from(">I", data, place + 8 + length)[0] == zlib.crc32(name + content)
        chunks[name] = content
        place += 12 + length
    width, height = struct.unpack_from(">II", chunks[b"IHDR"])
    rows = zlib.decompress(chunks[b"IDAT"])
    assert list(chunks) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    assert len(rows) == height * (width + 1)
    assert set(rows) <= set(range(len(chunks[b"PLTE"]) // 3))


def test_the_leaflet_is_a_pdf_whose_table_points_at_its_objects() -> None:
    data = leaflet(("one (1)", "two"))
    start = int(data.rsplit(b"startxref\n", 1)[1].split(b"\n")[0])
    places = [int(place) for place in re.findall(rb"(\d{10}) 00000 n", data[start:])]
    assert data[start : start + 4] == b"xref"
    assert [data[place:].split(b" ", 1)[0] for place in places] == [b"1", b"2", b"3", b"4", b"5"]
    assert rb"(one \(1\)) Tj" in data


def test_every_rule_of_the_style_sheet_is_closed() -> None:
    assert STYLE.count("{") == STYLE.count("}") > 30
