"""Completion scripts for shells, made from the table of commands and flags."""

from __future__ import annotations

from kcp.cli.command_table import COMMANDS
from kcp.cli.flags import flags_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from kcp.cli.command_table import Command
    from kcp.cli.flags import Flag

PROGRAMS = ("kcp-agent", "kcp")
_PATHS = ("FILE", "DIR", "LOCATION", "PATH")  # metavars that a file name may follow


def completion(shell: str) -> str:
    """The completion script for a shell of `SHELLS`."""
    return SHELLS[shell]()


def _takes_path(flag: Flag) -> bool:
    return flag.metavar in _PATHS


def _names(command: str) -> str:
    return " ".join(flag.name for flag in flags_of(command))


def _choices(command: Command) -> tuple[str, ...]:
    """What the first argument of a command can be, where that is one of a few words."""
    if command.name == "help":
        return tuple(command.name for command in COMMANDS)
    first = command.arguments.partition(" ")[0]
    return tuple(first.split("|")) if "|" in first else ()


def _bash_case(command: Command) -> str:
    choices = " ".join(_choices(command))
    return f"    {command.name}) flags='{_names(command.name)}' choices='{choices}' ;;"


def _bash() -> str:
    names = " ".join(command.name for command in COMMANDS)
    valued = sorted({flag.name for command in COMMANDS for flag in flags_of(command.name) if flag.metavar})
    paths = {flag.name for command in COMMANDS for flag in flags_of(command.name) if _takes_path(flag)}
    plain = "|".join(name for name in valued if name not in paths)
    return "\n".join(
        [
            "# bash completion for kcp-agent; load it with: source <(kcp-agent completion bash)",
            "_kcp_agent() {",
            "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}",
            "  local flags= choices= found",
            "  COMPREPLY=()",
            '  if [ "$COMP_CWORD" -eq 1 ]; then',
            f"    COMPREPLY=($(compgen -W '{names} --help --version' -- \"$current\"))",
            "    return",
            "  fi",
            "  case ${COMP_WORDS[1]} in",
            *[_bash_case(command) for command in COMMANDS],
            "  esac",
            f"  case $previous in {plain}) return ;; esac",
            '  if [ "${current#-}" != "$current" ]; then',
            '    COMPREPLY=($(compgen -W "$flags" -- "$current"))',
            '  elif [ "$COMP_CWORD" -eq 2 ] && [ -n "$choices" ]; then',
            '    COMPREPLY=($(compgen -W "$choices" -- "$current"))',
            "  else",
            "    # The bash of macOS has no compopt, and adds no slash to a folder then.",
            "    compopt -o filenames 2>/dev/null",
            '    while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen -f -- "$current")',
            "  fi",
            "}",
            f"complete -F _kcp_agent {' '.join(PROGRAMS)}",
            "",
        ]
    )


def _zsh_quoted(text: str) -> str:
    for special in "\\'[]:":
        text = text.replace(special, "'\\''" if special == "'" else "\\" + special)
    return text


def _zsh_flag(flag: Flag) -> str:
    repeat = "*" if flag.kind == "repeated" else ""
    value = ""
    if flag.metavar:
        value = f":{flag.metavar}:" + ("_files" if _takes_path(flag) else "")
    return f"'{repeat}{flag.name}[{_zsh_quoted(flag.help)}]{value}'"


def _zsh() -> str:
    commands = [f"    '{command.name}:{_zsh_quoted(command.summary)}'" for command in COMMANDS]
    cases = []
    for command in COMMANDS:
        flags = " ".join(_zsh_flag(flag) for flag in flags_of(command.name))
        first = f" '1:argument:({' '.join(_choices(command))})'" if _choices(command) else ""
        cases.append(f"    {command.name}) _arguments {flags}{first} '*:argument:_files' ;;")
    return "\n".join(
        [
            f"#compdef {' '.join(PROGRAMS)}",
            "# zsh completion for kcp-agent; load it with: source <(kcp-agent completion zsh)",
            "# or save it as _kcp-agent in a folder of $fpath",
            "_kcp_agent() {",
            "  local -a commands",
            "  commands=(",
            *commands,
            "  )",
            "  if (( CURRENT == 2 )); then",
            "    _describe 'command' commands",
            "    return",
            "  fi",
            "  local command=$words[2]",
            "  shift words",
            "  (( CURRENT-- ))",
            "  case $command in",
            *cases,
            "  esac",
            "}",
            'if [ "$funcstack[1]" = _kcp-agent ]; then _kcp_agent "$@"; else compdef _kcp_agent '
            + " ".join(PROGRAMS)
            + "; fi",
            "",
        ]
    )


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _fish() -> str:
    lines = ["# fish completion for kcp-agent; load it with: kcp-agent completion fish | source"]
    for program in PROGRAMS:
        for command in COMMANDS:
            lines.append(
                f"complete -c {program} -n __fish_use_subcommand -f -a {command.name} "
                f"-d {_fish_quoted(command.summary)}"
            )
            if _choices(command):
                lines.append(
                    f"complete -c {program} -n '__fish_seen_subcommand_from {command.name}; "
                    f"and test (count (commandline -opc)) -eq 2' -f -a '{' '.join(_choices(command))}'"
                )
            for flag in flags_of(command.name):
                value = "" if not flag.metavar else (" -r -F" if _takes_path(flag) else " -x")
                lines.append(
                    f"complete -c {program} -n '__fish_seen_subcommand_from {command.name}' "
                    f"-l {flag.name[2:]}{value} -d {_fish_quoted(flag.help)}"
                )
    return "\n".join(lines) + "\n"


def _ps_table(name: str, rows: dict[str, tuple[str, ...]]) -> list[str]:
    entries = [f"  {_ps_quoted(key)} = @({', '.join(map(_ps_quoted, row))})" for key, row in rows.items()]
    return [f"${name} = @{{", *entries, "}"]


def _powershell() -> str:
    flags = {command.name: tuple(flag.name for flag in flags_of(command.name)) for command in COMMANDS}
    choices = {command.name: _choices(command) for command in COMMANDS if _choices(command)}
    return "\n".join(
        [
            "# PowerShell completion for kcp-agent; load it with:",
            "# kcp-agent completion powershell | Out-String | Invoke-Expression",
            *_ps_table("kcpAgentFlags", flags),
            *_ps_table("kcpAgentChoices", choices),
            f"Register-ArgumentCompleter -Native -CommandName {', '.join(PROGRAMS)} -ScriptBlock {{",
            "  param($word, $ast, $position)",
            "  $words = @($ast.CommandElements | ForEach-Object { $_.ToString() })",
            "  $place = if ($word) { $words.Count - 1 } else { $words.Count }",
            "  $choices = if ($place -le 1) {",
            "    $kcpAgentFlags.Keys | Sort-Object",
            "  } elseif ($word -like '-*') {",
            "    $kcpAgentFlags[$words[1]]",
            "  } elseif ($place -eq 2) {",
            "    $kcpAgentChoices[$words[1]]",
            "  }",
            '  $choices | Where-Object { $_ -like "$word*" } | ForEach-Object {',
            "    [System.Management.Automation.CompletionResult]::new($_)",
            "  }",
            "}",
            "",
        ]
    )


def _ps_quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


SHELLS: dict[str, Callable[[], str]] = {
    "bash": _bash,
    "zsh": _zsh,
    "fish": _fish,
    "powershell": _powershell,
}
