"""What went wrong, said to a person."""

from pathlib import PurePath


class UserError(Exception):
    """What a person has to put right: one line per problem, each with the file, the place and the remedy.

    The command line prints it without a traceback and exits with 2.
    """


def show_name(path: PurePath | str) -> str:
    """The name of a file that a stranger named, on one line and without control characters."""
    name = path if isinstance(path, str) else path.name
    return "".join(character if character.isprintable() else "?" for character in name)
