# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures the time to import the package beyond NumPy, and the time of a call beyond the strategy.

The promised limits are 50 ms and 50 microseconds.
"""

import statistics
import subprocess
import sys
import time

IMPORT = "import time, numpy; began = time.perf_counter(); import lbaf_rs; print(time.perf_counter() - began)"


def importing() -> float:
    """Return the median of the milliseconds of an import."""
    seconds = [float(subprocess.check_output([sys.executable, "-c", IMPORT])) for _ in range(11)]
    return statistics.median(seconds) * 1e3


def calling() -> float:
    """Return the median of the microseconds of a call on a small phase, without the time of the strategy."""
    import lbaf_rs

    phase = lbaf_rs.Phase(loads=[1.0] * 16, ranks=[0, 1, 2, 3] * 4)
    beyond = []
    for _ in range(2000):
        began = time.perf_counter()
        result = lbaf_rs.balance(phase, "LPT")
        beyond.append(time.perf_counter() - began - result.seconds)
    return statistics.median(beyond) * 1e6


if __name__ == "__main__":
    milliseconds, microseconds = importing(), calling()
    print(f"import: {milliseconds:.1f} ms beyond NumPy (at most 50)")
    print(f"call: {microseconds:.1f} microseconds beyond the strategy (at most 50)")
    sys.exit(milliseconds > 50 or microseconds > 50)
