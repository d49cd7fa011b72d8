# SPDX-License-Identifier: MIT OR Apache-2.0
"""Progress of long calls, on terminals and in notebooks."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

Report = Callable[[str, int, int], object]


@contextlib.contextmanager
def reporter(progress: Any) -> Iterator[Report | None]:
    """Yield the progress function for the engine; ``None`` if no progress is shown.

    The engine calls the function with the activity, the number of steps done, and the number of all steps.
    """
    if callable(progress):
        yield progress
    elif progress or (progress is None and _is_visible()):
        bar = _Bar(0.0 if progress else 1.0)
        try:
            yield bar
        finally:
            bar.close()
    else:
        yield None


def _is_visible() -> bool:
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())


class _Bar:
    """A bar of tqdm if installed, or else a line of text, shown after ``delay`` seconds."""

    def __init__(self, delay: float) -> None:
        self._begin = time.monotonic() + delay
        self._bar: Any = None
        self._activity = ""
        self._line = ""

    def __call__(self, activity: str, done: int, total: int) -> None:
        if time.monotonic() < self._begin:
            return
        try:
            from tqdm.auto import tqdm
        except ImportError:
            line = f"{activity}: {done} of {total}"
            sys.stderr.write("\r" + line.ljust(len(self._line)))
            self._line = line
            return
        if self._bar is None or self._activity != activity:
            self.close()
            self._activity = activity
            self._bar = tqdm(total=total, desc=activity, leave=False)
        self._bar.n = done
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
        if self._line:
            sys.stderr.write("\r" + " " * len(self._line) + "\r")
            self._line = ""
