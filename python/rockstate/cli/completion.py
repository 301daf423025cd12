"""`rockstate completion`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence

from rockstate.cli import submit
from rockstate.cli.parsers import Commands, add_command

_EXAMPLES = """\
examples:
  eval "$(rockstate completion bash)"                        in ~/.bashrc
  eval "$(rockstate completion zsh)"                         in ~/.zshrc, after compinit
  rockstate completion fish > ~/.config/fish/completions/rockstate.fish
"""

_BASH = """\
_rockstate() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="{commands}"
  elif [[ "$word" == -* ]]; then
    case "${{COMP_WORDS[1]}}" in
{cases}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _rockstate rockstate
"""


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    more = " A file name is completed as ever."
    summary = "print what makes a shell complete commands and flags"
    parser = add_command(commands, "completion", summary, _EXAMPLES, more)
    parser.add_argument("shell", choices=tuple(_SCRIPTS))
    parser.set_defaults(run=lambda args: run(args, commands.choices))


def run(args: argparse.Namespace, parsers: Mapping[str, argparse.ArgumentParser]) -> int:
    """Prints the script."""
    flags = {name: _flags(parser) for name, parser in {**parsers, "submit": submit.own_parser()}.items()}
    print(_SCRIPTS[args.shell](flags), end="")
    return 0


def _flags(parser: argparse.ArgumentParser) -> list[str]:
    shown = (action for action in parser._actions if action.help != argparse.SUPPRESS)
    return sorted(flag for action in shown for flag in action.option_strings if flag.startswith("--"))


def _bash(flags: Mapping[str, Sequence[str]]) -> str:
    cases = "\n".join(f'      {name}) words="{" ".join(own)}" ;;' for name, own in flags.items())
    return _BASH.format(commands=" ".join(flags), cases=cases)


def _zsh(flags: Mapping[str, Sequence[str]]) -> str:
    return f"autoload -U +X bashcompinit && bashcompinit\n{_bash(flags)}"


def _fish(flags: Mapping[str, Sequence[str]]) -> str:
    lines = [f'complete -c rockstate -n __fish_use_subcommand -a "{" ".join(flags)}"']
    for name, own in flags.items():
        when = f'-n "__fish_seen_subcommand_from {name}"'
        lines += [f"complete -c rockstate {when} -l {flag.removeprefix('--')}" for flag in own]
    return "\n".join(lines) + "\n"


_SCRIPTS: dict[str, Callable[[Mapping[str, Sequence[str]]], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
