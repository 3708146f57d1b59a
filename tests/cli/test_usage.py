"""Help, and what is said about mistakes: one clear line, the right exit code, never a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from anansi import __version__, cli
from anansi.cli import app, application, main
from anansi.cli.crawl import command as crawl_command

COMMANDS = ("crawl", "status", "check", "pack", "inspect", "helper", "demo", "version")


class Shell:
    """Runs commands in this process: what they say without crawling needs no other."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, *arguments: str | Path) -> tuple[int, str]:
        """Return the exit code and everything that was printed."""
        self._monkeypatch.setattr(sys, "argv", ["anansi", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        output, errors = self._capsys.readouterr()
        assert "Traceback" not in errors
        return int(ended.value.code or 0), output + errors


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(monkeypatch, capsys)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    result = CliRunner().invoke(app, [command, "--help"])
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: anansi {command}") or result.output.startswith("Usage: root")
    assert "--json" in result.output
    undocumented = [each.name for each in get_command(app).commands[command].params if not getattr(each, "help", "x")]  # type: ignore[attr-defined]
    assert undocumented == []


def test_help_lists_every_command(shell: Shell) -> None:
    code, said = shell("--help")
    assert code == 0
    assert all(f"\n  {command} " in said for command in COMMANDS)
    assert shell()[0] == 2, "no command is a mistake, answered with the help"


def test_the_contract_of_crawl_options_is_kept() -> None:
    options = {option for each in get_command(app).commands["crawl"].params for option in each.opts}  # type: ignore[attr-defined]
    promised = "-o --config --workers --delay --limit --max-hops --scope --include --exclude --user-agent --operator"
    assert {*promised.split(), "--contact", "--robots", "--resolve", "--strategy", "--json"} <= options
    assert crawl_command.__doc__


def test_the_version_is_told_in_words_and_as_json(shell: Shell) -> None:
    code, said = shell("version")
    assert (code, said.split()[1]) == (0, __version__)
    result = CliRunner().invoke(app, ["version", "--json"])
    assert f'"anansi": "{__version__}"' in result.output


SEED = "http://127.0.0.1:9/"
MISTAKES: list[tuple[list[str], int, str]] = [
    # arguments, exit code, what is said
    (["nonsense"], 2, "No such command"),
    (["crawl"], 2, "name at least one seed"),
    (["crawl", "ftp://a.org/"], 2, "'ftp://a.org/' is not a web address"),
    (["crawl", "ftp://" + "a" * 5000], 2, "'ftp://" + "a" * 194 + "' is not a web address"),
    (["crawl", "http://"], 2, "is not a web address"),
    (["crawl", "a b c"], 2, "is not a web address"),
    (["crawl", "http://u:secret@a.org/"], 2, "user name or password"),
    (["crawl", SEED, "--workers", "0"], 2, "--workers"),
    (["crawl", SEED, "--workers", "many"], 2, "--workers"),
    (["crawl", SEED, "--limit", "0"], 2, "--limit"),
    (["crawl", SEED, "--max-hops", "-1"], 2, "--max-hops"),
    (["crawl", SEED, "--delay", "-1"], 2, "--delay"),
    (["crawl", SEED, "--delay", "nan"], 2, "--delay"),
    (["crawl", SEED, "--delay", "inf"], 2, "politeness.floor"),
    (["crawl", SEED, "--delay", "1e9"], 2, "politeness.floor"),
    (["crawl", SEED, "--scope", "planet"], 2, "planet"),
    (["crawl", SEED, "--scope", "custom"], 2, "needs at least one `include` pattern"),
    (["crawl", SEED, "--include", "("], 2, "`scope.include`: '(' is not a regular expression"),
    (["crawl", SEED, "--exclude", "*"], 2, "`scope.exclude`: '*' is not a regular expression"),
    (["crawl", SEED, "--robots", "maybe"], 2, "maybe"),
    (["crawl", SEED, "--strategy", "clever"], 2, "clever"),
    (["crawl", SEED, "--resolve", "a.org"], 2, "HOST:PORT:ADDRESS"),
    (["crawl", SEED, "--operator", "a\nb"], 2, "`archive.operator`: must be one line"),
    (["crawl", SEED, "--user-agent", "a\r\nb: c"], 2, "`fetch.user_agent`: must be one line"),
    (["crawl", SEED, "--config", "none.yaml"], 2, "none.yaml: no such file"),
    (["crawl", SEED, "-o", "file"], 3, "is a file"),
    (["crawl", SEED, "-o", "thesis"], 3, "not empty and not a collection"),
    (["status"], 2, "DIR"),
    (["status", "nowhere"], 3, "nowhere is not a collection"),
    (["status", "file"], 3, "file is not a collection"),
    (["check", "nowhere"], 3, "nowhere is not a collection"),
    (["check", "nowhere", "--repair"], 3, "nowhere is not a collection"),
    (["pack", "nowhere"], 3, "nowhere is not a collection"),
    (["status", "nowhere", "--sites", "-1"], 2, "--sites"),
    (["demo", "-o", "thesis"], 3, "not empty and not a collection"),
]


@pytest.mark.parametrize(("arguments", "code", "words"), MISTAKES, ids=[" ".join(each[0])[:40] for each in MISTAKES])
def test_a_mistake_is_told_in_a_line_with_its_exit_code(
    shell: Shell, arguments: list[str], code: int, words: str
) -> None:
    Path("file").write_text("x")
    Path("thesis").mkdir()
    Path("thesis/thesis.tex").write_text("do not touch")
    ended, said = shell(*arguments)
    assert ended == code, said
    assert words in " ".join(said.split())
    assert "secret" not in said
    assert sorted(path.name for path in Path("thesis").iterdir()) == ["thesis.tex"]
    assert not Path("nowhere").exists()


def test_a_mistake_in_a_definition_is_told_with_its_line(shell: Shell) -> None:
    Path("crawl.yaml").write_text("seeds: [http://127.0.0.1:9/]\nscope:\n  knid: host\n")
    code, said = shell("crawl", "--config", "crawl.yaml", "-o", "c")
    assert code == 2
    assert "anansi: crawl.yaml, line 3: unknown key `scope.knid`; known here: exclude," in said
    assert not Path("c").exists()


def test_a_collection_without_a_crawl_says_so(shell: Shell) -> None:
    Path("c/archive").mkdir(parents=True)
    code, said = shell("status", "c")
    assert (code, "no crawl has run there" in said) == (3, True)


def test_debug_shows_where_an_error_comes_from() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "anansi.cli", "--debug", "status", "nowhere"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "Traceback" in done.stderr
    assert "CollectionError" in done.stderr


def test_a_name_that_is_no_text_is_printed_all_the_same(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "anansi.cli", "status", b"caf\xe9"], capture_output=True, cwd=tmp_path, timeout=60
    )
    assert done.returncode == 3
    assert b"caf\\udce9 is not a collection" in done.stderr


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "anansi.cli", "crawl", "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait(timeout=60)


def test_a_command_is_made_without_the_others() -> None:
    names = {command.name for command in application("crawl").registered_commands}
    assert names == {"crawl"}
    with pytest.raises(AttributeError, match="no attribute"):
        _ = cli.nothing
