"""A progress bar for loops that take a while."""

from collections.abc import Iterable


def show_progress(count: int, title: str, shown: bool) -> Iterable[int]:
    """The numbers 0 to count - 1, with a bar under the cell while they are used up, if it is to be shown."""
    if not shown:
        return range(count)
    from tqdm.auto import trange  # here, so that training without a bar does not need it

    bar: Iterable[int] = trange(count, desc=title)
    return bar
