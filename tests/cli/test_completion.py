"""Completion scripts (surfaces contract §12): whole, and tried in the shells themselves."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from kcp.cli.command_table import COMMANDS
from kcp.cli.completion import SHELLS, completion
from kcp.cli.flags import FLAGS, flags_of

NAMES = [command.name for command in COMMANDS]


def needs(shell: str) -> pytest.MarkDecorator:
    missing = shutil.which(shell) is None or (os.name == "nt" and shell != "pwsh")
    return pytest.mark.skipif(missing, reason=f"{shell} is not installed")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with files to complete and, a decoy, a folder named like a command."""
    folder = tmp_path / "place"
    folder.mkdir()
    (folder / "tide tables.yaml").touch()
    (folder / "plan").mkdir()
    for shell in SHELLS:
        (tmp_path / f"completion.{shell}").write_text(completion(shell), encoding="utf-8")
    return folder


def listed(text: str) -> set[str]:
    return {line for line in text.splitlines() if line}


def start(line: list[str], place: Path, **variables: str) -> str:
    environment = {"PATH": os.environ["PATH"], "HOME": str(place.parent), "TERM": "dumb", **variables}
    done = subprocess.run(line, cwd=place, env=environment, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


@pytest.mark.parametrize("shell", SHELLS)
def test_the_command_prints_the_script(run: Callable, shell: str):
    assert run("completion", shell) == (0, completion(shell), "")


@pytest.mark.parametrize("words", [[], ["csh"], ["bash", "zsh"]])
def test_anything_else_is_wrong_use(run: Callable, words: list[str]):
    code, out, err = run("completion", *words)
    assert (code, out) == (2, "")
    assert "bash" in err or "zsh" in err


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_flag_is_in_the_script(shell: str):
    script = completion(shell)
    assert set(NAMES) <= set(re.findall(r"[\w-]+", script))
    long = r"-l ([a-z-]+)" if shell == "fish" else r"(?<![\w-])--([a-z-]+)"
    assert {f"--{name}" for name in re.findall(long, script)} - {"--version"} == {flag.name for flag in FLAGS}


def bash(place: Path, *words: str) -> set[str]:
    """What bash offers for the last of the words."""
    script = """
        source ../completion.bash || exit
        [[ $(complete -p "$1") == *_kcp_agent* ]] || exit
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _kcp_agent
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    return listed(start(["bash", "--norc", "--noprofile", "-c", script, "bash", *words], place))


@needs("bash")
@pytest.mark.parametrize("name", NAMES)
def test_bash_offers_the_flags_of_each_command(place: Path, name: str):
    assert bash(place, "kcp-agent", name, "--") == {flag.name for flag in flags_of(name)}


@needs("bash")
def test_bash(place: Path):
    assert bash(place, "kcp-agent", "") == {*NAMES, "--help", "--version"}
    assert bash(place, "kcp", "pl") == {"plan"}
    assert bash(place, "kcp-agent", "plan", "tide", "--max-u") == {"--max-units"}
    assert bash(place, "kcp-agent", "plan", "--manifest", "tide") == {"tide tables.yaml"}
    assert bash(place, "kcp-agent", "plan", "--max-units", "") == set()
    assert bash(place, "kcp-agent", "completion", "") == set(SHELLS)
    assert bash(place, "kcp-agent", "help", "val") == {"validate"}
    assert bash(place, "kcp-agent", "memory", "p") == {"prune"}
    assert bash(place, "kcp-agent", "unheard-of", "--") == set()


ZSHRC = """
PROMPT='> '
{setup}
keep() {{ print -r -- "$BUFFER" >> ../zsh.out; BUFFER=; }}
zle -N keep
bindkey '^X' keep
bindkey '^I' complete-word
"""
SETUPS = {
    "sourced": "autoload -U compinit; compinit -u -D; source ../completion.zsh",
    "in fpath": "fpath=($HOME/functions $fpath); autoload -U compinit; compinit -u -D",
}


@needs("zsh")
@pytest.mark.parametrize("setup", SETUPS)
def test_zsh(place: Path, setup: str):
    """Typed into a zsh at a terminal: each line up to a tab, then a key that notes what became of it."""
    import pty

    typed = ["comple", "plan --max-un", "completion po", "plan x --manifest ti", "help rend", "watch --onc"]
    wanted = [
        "completion",
        "plan --max-units",
        "completion powershell",
        "plan x --manifest tide\\ tables.yaml",
        "help render",
        "watch --once",
    ]
    home = place.parent
    (home / ".zshrc").write_text(ZSHRC.format(setup=SETUPS[setup]), encoding="utf-8")
    (home / "functions").mkdir()
    shutil.copy(home / "completion.zsh", home / "functions" / "_kcp-agent")
    controller, terminal = pty.openpty()
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "ZDOTDIR": str(home), "TERM": "dumb"}
    child = subprocess.Popen(
        ["zsh", "-d", "-i"],
        cwd=place,
        env=environment,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    )
    os.close(terminal)
    keys = "".join(f"kcp-agent {line}\t\x18" for line in typed) + " exit\n"
    os.write(controller, keys.encode())
    try:
        while os.read(controller, 4096):
            pass
    except OSError:  # how a terminal whose program has ended reads
        pass
    finally:
        os.close(controller)
        child.wait(timeout=60)
    lines = (home / "zsh.out").read_text("utf-8").splitlines()
    assert [line.rstrip() for line in lines] == [f"kcp-agent {line}" for line in wanted]


def fish(place: Path, line: str) -> set[str]:
    """What fish offers at the end of a command line."""
    script = "source ../completion.fish; complete -C $argv[1]"
    answer = start(["fish", "--no-config", "-c", script, line], place, XDG_CONFIG_HOME=str(place.parent))
    return {offer.partition("\t")[0] for offer in listed(answer)}


@needs("fish")
def test_fish(place: Path):
    assert fish(place, "kcp-agent ") == set(NAMES)
    for name in NAMES:
        assert fish(place, f"kcp {name} --") == {flag.name for flag in flags_of(name)}
    assert fish(place, "kcp-agent plan --manifest ti") == {"tide tables.yaml"}
    assert fish(place, "kcp-agent plan --max-units ") == set()
    assert fish(place, "kcp-agent completion ") == set(SHELLS)
    assert "--once" in fish(place, "kcp-agent watch x --o")


@needs("pwsh")
def test_powershell(place: Path):
    script = """
        . ../completion.powershell.ps1
        (TabExpansion2 -inputScript $args[0] -cursorColumn $args[0].Length).CompletionMatches.CompletionText
    """
    shutil.copy(place.parent / "completion.powershell", place.parent / "completion.powershell.ps1")

    def offers(line: str) -> set[str]:
        return listed(start(["pwsh", "-NoProfile", "-Command", f"& {{{script}}} '{line}'"], place))

    assert offers("kcp-agent ") == set(NAMES)
    assert offers("kcp-agent plan --max-u") == {"--max-units"}
    assert offers("kcp-agent completion ") == set(SHELLS)
