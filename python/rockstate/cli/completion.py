"""`rockstate completion`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rockstate.base.arguments import offered
from rockstate.cli import submit
from rockstate.cli.parsers import Commands, add_command
from rockstate.demo import arguments

_EXAMPLES = """\
examples:
  eval "$(rockstate completion bash)"                        in ~/.bashrc
  eval "$(rockstate completion zsh)"                         in ~/.zshrc, after compinit
  rockstate completion fish > ~/.config/fish/completions/rockstate.fish
"""

_BASH = """\
_rockstate() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" at command= words=
  for ((at = 1; at < COMP_CWORD; at++)); do
    if [[ "${{COMP_WORDS[at]}}" != -* ]]; then
      command="${{COMP_WORDS[at]}}"
      break
    fi
  done
  if [[ "$word" == = ]]; then
    word=
  elif [[ "$before" == = ]]; then
    before="${{COMP_WORDS[COMP_CWORD-2]}}"
  fi
  case "$command $before" in
{values}
  esac
  if [[ -z "$words" && "$word" == -* ]]; then
    case "$command" in
{flags}
    esac
  elif [[ -z "$words" ]]; then
    case "$command" in
{places}
    esac
  fi
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "${{words//;/$IFS}}" -- "$word"))
}}
complete -o default -F _rockstate rockstate
"""


@dataclass(frozen=True)
class Completed:
    """What may follow a command, or `rockstate` itself: flags, their values by flag, and other words."""

    flags: tuple[str, ...]
    values: Mapping[str, tuple[str, ...]]
    words: tuple[str, ...]


def add_parser(commands: Commands) -> None:
    """Adds the subcommand."""
    more = " A file name is completed as ever."
    summary = "print what makes a shell complete commands, flags and their values"
    parser = add_command(commands, "completion", summary, _EXAMPLES, more)
    parser.add_argument("shell", choices=tuple(_SCRIPTS))
    parser.set_defaults(run=lambda args: run(args, commands))


def run(args: argparse.Namespace, commands: Commands) -> int:
    """Prints the script."""
    parsers = {**commands.choices, "submit": submit.own_parser(), "demo": arguments.own_parser()}
    of_commands = {name: _completed(parser) for name, parser in parsers.items()}
    itself = Completed(("--debug", "--help", "--version"), {}, tuple(parsers))
    print(_SCRIPTS[args.shell]({"": itself, **of_commands}), end="")
    return 0


def _completed(parser: argparse.ArgumentParser) -> Completed:
    shown = [action for action in parser._actions if action.help != argparse.SUPPRESS]
    flags = {flag: action for action in shown for flag in action.option_strings if flag.startswith("--")}
    values = {flag: offered(action) for flag, action in flags.items() if offered(action)}
    words = (word for action in shown if not action.option_strings for word in offered(action))
    return Completed(tuple(sorted(flags)), values, tuple(words))


def _bash(completed: Mapping[str, Completed]) -> str:
    def case(pattern: str, words: Sequence[str]) -> str:
        listed = ";".join(word.replace(" ", r"\\\\\\ ") for word in words)
        return f'    "{pattern}") words="{listed}" ;;'

    return _BASH.format(
        values="\n".join(
            case(f"{name} {flag}", words) for name, own in completed.items() for flag, words in own.values.items()
        ),
        flags="\n".join(f"  {case(name, own.flags)}" for name, own in completed.items()),
        places="\n".join(f"  {case(name, own.words)}" for name, own in completed.items() if own.words),
    )


def _zsh(completed: Mapping[str, Completed]) -> str:
    return f"autoload -U +X bashcompinit && bashcompinit\n{_bash(completed)}"


def _fish(completed: Mapping[str, Completed]) -> str:
    lines = []
    for name, own in completed.items():
        when = f'-n "__fish_seen_subcommand_from {name}"' if name else "-n __fish_use_subcommand"
        if own.words:
            lines.append(f'complete -c rockstate {when} -f -a "{" ".join(own.words)}"')
        for flag in own.flags:
            words = " ".join(word.replace(" ", "\\ ") for word in own.values.get(flag, ()))
            values = f" -x -a '{words}'" if words else ""
            lines.append(f"complete -c rockstate {when} -l {flag.removeprefix('--')}{values}")
    return "\n".join(lines) + "\n"


_SCRIPTS: dict[str, Callable[[Mapping[str, Completed]], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
