"""What went wrong, said to a person."""

from pathlib import PurePath

from autograder.printable import clean_line


class UserError(Exception):
    """What a person has to put right: one line per problem, each with the file, the place and the remedy.

    The command line prints it without a traceback and exits with 2.
    """


def show_name(path: PurePath | str) -> str:
    """The name of a file that a stranger named, on one line and without characters that cannot be seen."""
    return clean_line(path if isinstance(path, str) else path.name)
