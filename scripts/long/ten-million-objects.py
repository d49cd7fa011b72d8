#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Writes a data set of one phase with more ranks than `lbaf make` can number (65,536, the limit of packed ids).

    ten-million-objects.py STEM RANKS OBJECTS_PER_RANK RECEIVERS

Loads are lognormal, and each object sends to RECEIVERS random objects. All processors compress files.
"""
import multiprocessing
import sys

import brotli
import numpy

STEM, (RANKS, PER_RANK, RECEIVERS) = sys.argv[1], map(int, sys.argv[2:])


def packed(sequence, home):
    """Number of a migratable object, as in vt, with the last 16 bits of its home."""
    return sequence << 18 | (home & 0xFFFF) << 2 | 3


def entity(number, rank):
    return (f'{{"collection_id":7,"home":{rank},"id":{packed(number + 1, rank)},"index":[{number}],'
            f'"migratable":true,"type":"object"')


def write(rank):
    random = numpy.random.default_rng([1, rank])
    first = rank * PER_RANK
    loads = random.lognormal(-5.0, 1.0, PER_RANK).tolist()
    receivers = random.integers(RANKS * PER_RANK, size=(PER_RANK, RECEIVERS)).tolist()
    volumes = random.lognormal(10.0, 1.0, (PER_RANK, RECEIVERS)).round().tolist()
    objects = [entity(number, rank) for number in range(first, first + PER_RANK)]
    tasks = ",".join(
        f'{{"entity":{text}}},"node":{rank},"resource":"cpu","time":{load!r}}}' for text, load in zip(objects, loads))
    communications = ",".join(
        f'{{"bytes":{volume},"from":{text}}},"messages":1,"to":{entity(to, to // PER_RANK)}}},"type":"SendRecv"}}'
        for text, row, sizes in zip(objects, receivers, volumes) for to, volume in zip(row, sizes))
    document = (f'{{"metadata":{{"rank":{rank},"type":"LBDatafile"}},"phases":[{{"communications":[{communications}],'
                f'"id":0,"tasks":[{tasks}]}}],"type":"LBDatafile"}}')
    with open(f"{STEM}.{rank}.json", "wb") as file:
        file.write(brotli.compress(document.encode(), quality=1))


if __name__ == "__main__":
    with multiprocessing.Pool() as pool:
        pool.map(write, range(RANKS), chunksize=100)
