"""Spaces of observations and actions: gymnasium's where it is installed, else ones with the same members."""

import numpy as np

try:
    from gymnasium.spaces import Box
except ImportError:

    class Box:
        """Arrays of that shape between two bounds."""

        def __init__(self, low, high, shape=None, dtype=np.float32, seed=None):
            self.dtype = np.dtype(dtype)
            self.shape = tuple(shape) if shape is not None else np.broadcast(low, high).shape
            self.low = np.broadcast_to(np.asarray(low, self.dtype), self.shape).copy()
            self.high = np.broadcast_to(np.asarray(high, self.dtype), self.shape).copy()
            self._random = np.random.default_rng(seed)

        def seed(self, seed=None):
            self._random = np.random.default_rng(seed)
            return [seed]

        def sample(self):
            return self._random.uniform(self.low, self.high).astype(self.dtype)

        def contains(self, value):
            value = np.asarray(value)
            return value.shape == self.shape and bool(np.all(value >= self.low) and np.all(value <= self.high))

        __contains__ = contains

        def __repr__(self):
            return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"


def batched(space, count):
    """The space of `count` of them."""
    return Box(np.stack([space.low] * count), np.stack([space.high] * count), dtype=space.dtype)
