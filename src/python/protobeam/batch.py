"""Many worlds at once."""

import os

import numpy as np

from protobeam import _core
from protobeam.parameters import settings_of
from protobeam.world import World, seed_of


class Batch:
    """`count` worlds out of one file, stepped by threads.

    seed        of the first world; the next ones have seed + 1, ... Or one for each.
    parameters  one dict for all, or one for each world (see World.load)
    threads     0: one a core

    What a world does depends on its seed and parameters alone: not on the others, and not on the threads.
    """

    def __init__(self, path, count, threads=0, seed=0, parameters=None, *, lenient=False, proto_path=(), allow_path=()):
        count = int(count)
        if count < 1:
            raise ValueError(f"a batch has at least one world, not {count}")
        seeds = [seed_of(int(seed) + i) for i in range(count)] if np.isscalar(seed) else [seed_of(one) for one in seed]
        each = parameters if isinstance(parameters, (list, tuple)) else [parameters] * count
        for what, given in (("seeds", seeds), ("parameters", each)):
            if len(given) != count:
                raise ValueError(f"{len(given)} {what} for {count} worlds")
        settings = [settings_of(one) for one in each]
        self._core = _core.Batch(os.fspath(path), seeds, settings, int(threads), bool(lenient),
                                 [os.fspath(p) for p in proto_path], [os.fspath(p) for p in allow_path])
        self.worlds = [World(self._core.world(i), os.fspath(path)) for i in range(count)]

    def __len__(self):
        return len(self._core)

    def __getitem__(self, index):
        return self.worlds[index]

    @property
    def threads(self):
        return self._core.threads()

    @property
    def times(self):
        """s since the start, of each world."""
        return self._core.times()

    def step(self, n=1, worlds=None):
        """n steps of all worlds, or of those; returns when all are done. Ctrl-C ends them, and those that were sent."""
        self._core.step(n, worlds)

    def send(self, worlds=None, n=1):
        """n steps of these worlds, some time; recv() tells which are done. Until then they must be left alone."""
        self._core.send(n, worlds)

    def recv(self, least=1):
        """Waits until at least that many of the worlds that were sent are done; returns all that are, as indices,
        the first done first. Ctrl-C ends all that were sent."""
        return np.array(self._core.recv(least), dtype=int)

    def reset(self, worlds=None, seeds=None):
        """These worlds as they were loaded (World.reset), with new seeds or the same ones."""
        count = len(self) if worlds is None else len(worlds)
        seeds = [None] * count if seeds is None else [seed_of(seed) for seed in seeds]
        self._core.reset(None if worlds is None else [int(i) for i in worlds], seeds)

    def array(self, device, channel):
        """Channel of a device in all worlds: shape (count, ...), without a copy. Rows are new after each step."""
        return self._core.array(self.worlds[0].device(device)._number, channel)

    def enable(self, device, period=None):
        """The device in all worlds (Device.enable)."""
        self._core.enable(self.worlds[0].device(device)._number, period)

    def command(self, device, name, rows, worlds=None):
        """A command to a device in all worlds, or in those: a row of numbers for each."""
        self._core.command(self.worlds[0].device(device)._number, name, rows, worlds)

    def states(self, body):
        """Of a body in all worlds: (count, 13), as Body.state."""
        return self._core.states(self.worlds[0].body(body)._solid)

    def __repr__(self):
        return f"<Batch of {len(self)} worlds on {self.threads} threads>"
