"""What went wrong, said to a person."""


class UserError(Exception):
    """What a person has to put right: one line per problem, each with the file, the place and the remedy.

    The command line prints it without a traceback and exits with 2.
    """
