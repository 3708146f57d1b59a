"""`anansi demo`, for real, and every command on what it made."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.cli.conftest import Said, anansi

Demo = tuple[Path, Said]


def test_the_demo_brings_all_the_content_and_a_sound_archive(demo: Demo) -> None:
    folder, said = demo
    assert said.code == 0, said.errors
    assert said.json["content_coverage"] == 1.0
    assert said.json["sound"] is True
    assert said.json["state"] == "finished"
    assert said.json["collection"] == str(folder)
    assert said.json["queued"] == 0


def test_the_demo_tells_people_where_to_look(tmp_path: Path) -> None:
    said = anansi("demo", "-o", tmp_path / "c")
    assert said.code == 0
    assert "all sound" in said.output
    assert f"anansi status {tmp_path / 'c'}" in said.output
    shown = [re.sub(r" in [0-9.]+ s \(.*", "", line) for line in said.output.splitlines()]
    quickstart = (Path(__file__).parents[2] / "docs" / "quickstart.md").read_text()
    told = quickstart.partition("\n```\nfinished: ")[2].partition("\n```")[0]
    for line in f"finished: {told}".splitlines():
        assert re.sub(r" in [0-9.]+ s \(.*", "", line) in shown, "what the quickstart shows is what comes"


def test_the_summary_holds_what_programs_count_on(demo: Demo) -> None:
    folder, said = demo
    summary = json.loads((folder / "reports" / "summary.json").read_text())
    keys = "requests pages bytes seconds pages_per_second statuses queued skipped retries duplicates sites"
    assert set(keys.split()) <= set(summary)
    assert {key: said.json[key] for key in summary} == summary
    ((name, site),) = summary["sites"].items()
    assert name == "127.0.0.1"
    assert (site["requests"], site["pages"]) == (summary["requests"], summary["pages"])
    assert site["strategy"] == "auto"
    assert sum(summary["statuses"].values()) == summary["requests"]
    lines = (folder / "reports" / "skipped.jsonl").read_text().splitlines()
    assert len(lines) == sum(summary["skipped"].values())
    assert {json.loads(line)["reason"] for line in lines} == set(summary["skipped"])


def test_status_shows_what_the_summary_says(demo: Demo) -> None:
    folder, said = demo
    status = anansi("status", folder, "--json")
    assert (status.code, status.json) == (0, json.loads((folder / "reports" / "summary.json").read_text()))
    shown = anansi("status", folder)
    assert shown.code == 0
    assert f"finished: {said.json['requests']:,} requests" in shown.output
    assert "127.0.0.1" in shown.output
    assert "127.0.0.1   " not in anansi("status", folder, "--sites", "0").output


def test_check_finds_it_sound(demo: Demo) -> None:
    folder, said = demo
    report = anansi("check", folder, "--json")
    assert (report.code, report.json["ok"], report.json["problem_count"]) == (0, True, 0)
    assert report.json["captures"] >= said.json["requests"]
    assert anansi("check", folder).output.endswith(": sound\n")


def test_pack_makes_a_file_that_others_find_valid(demo: Demo, tmp_path: Path) -> None:
    folder, _ = demo
    copy = tmp_path / "example.org"
    shutil.copytree(folder, copy)
    packed = anansi("pack", copy, "--title", "A demo", "--json")
    assert packed.code == 0
    file = Path(packed.json["file"])
    assert file == tmp_path / "example.org.wacz"
    assert file.stat().st_size == packed.json["bytes"]
    wacz = Path(sys.executable).with_name("wacz")
    done = subprocess.run([wacz, "validate", "-f", file], capture_output=True, text=True, timeout=240, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    named = anansi("pack", copy, "-o", tmp_path / "my.wacz")
    assert named.code == 0
    assert str(tmp_path / "my.wacz") in named.output


def test_damage_is_found_and_told(demo: Demo, tmp_path: Path) -> None:
    folder, _ = demo
    copy = tmp_path / "c"
    shutil.copytree(folder, copy)
    warc = min((copy / "archive").glob("*.warc.gz"))
    data = warc.read_bytes()
    warc.write_bytes(data[: len(data) - 100])
    broken = anansi("check", copy)
    assert broken.code == 4
    assert warc.name in broken.output
    assert "--repair" in broken.output
    assert anansi("check", copy, "--json").json["ok"] is False


def test_what_a_crash_tore_is_mended(demo: Demo, tmp_path: Path) -> None:
    folder, _ = demo
    copy = tmp_path / "c"
    shutil.copytree(folder, copy)
    warc = min((copy / "archive").glob("*.warc.gz"))
    warc.with_name(warc.name + ".open").write_bytes(warc.read_bytes()[:-100])
    warc.unlink()
    mended = anansi("check", copy, "--repair")
    assert mended.code == 0, mended.output
    assert "mended" in mended.output
    assert anansi("check", copy, "--json").json["ok"] is True


def test_knowing_the_site_takes_a_tenth_of_the_requests(demo: Demo) -> None:
    folder, said = demo
    told = anansi("objects", folder, "--type", "post").output
    posts = [json.loads(line) for line in told.splitlines()]
    assert said.json["requests"] < 200  # a blind crawl makes more than two thousand
    assert len(posts) > 500
    assert all(post["author"] and post["date"] and post["text"] for post in posts)
