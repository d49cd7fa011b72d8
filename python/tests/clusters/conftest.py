# SPDX-License-Identifier: MIT OR Apache-2.0
"""Selection of the tests on clusters, which take a minute: `LBAF_CLUSTERS=1 pytest python/tests/clusters`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("LBAF_CLUSTERS") != "1":
        skip = pytest.mark.skip(reason="tests on clusters run with LBAF_CLUSTERS=1 (scripts/long/python.sh)")
        here = Path(__file__).parent
        for item in items:
            if here in item.path.parents:
                item.add_marker(skip)
