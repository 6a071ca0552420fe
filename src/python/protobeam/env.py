"""Tasks as environments, with gymnasium's interface; gymnasium itself is not needed.

    envs = protobeam.env.VectorEnv("turtlebot_goal", 64)
    observations, _ = envs.reset(seed=1)
    observations, rewards, terminated, truncated, infos = envs.step(envs.action_space.sample())

A task works on all worlds of a batch at once: see Task.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from protobeam.batch import Batch
from protobeam.spaces import batched

try:
    import gymnasium as _gymnasium
    from gymnasium.vector import VectorEnv as _VectorBase

    _EnvBase = _gymnasium.Env
    _SAME_STEP = getattr(getattr(_gymnasium.vector, "AutoresetMode", None), "SAME_STEP", "SameStep")
except ImportError:
    _EnvBase = _VectorBase = object
    _SAME_STEP = "SameStep"


class Task:
    """What is asked of the robots in a batch of worlds. All arrays have a row for each world, or for those in
    `which`.

    world              a file, beside the worlds of the installation
    period             s between two actions
    limit              actions after which an episode is cut off
    observation_space  of one world; so is action_space
    """

    world: str
    period = 0.1
    limit = 200
    parameters: dict = {}
    observation_space = None
    action_space = None

    def __init__(self, batch):
        self.batch = batch

    def begin(self, which, random):
        """New episodes, in worlds that were just reset; `random` has a numpy Generator for each."""

    def act(self, actions):
        """Before each period: commands, for all worlds."""
        raise NotImplementedError

    def observe(self):
        """Observations of all worlds."""
        raise NotImplementedError

    def judge(self):
        """Rewards of the last period, and where the episode has come to an end: succeeded, failed (bool)."""
        raise NotImplementedError


def folder_of_worlds():
    """Of the source tree that built this package, or of the installation."""
    here = Path(__file__).resolve().parent
    for folder in here.parents:
        for worlds in (folder / "worlds", folder / "share/protobeam/worlds"):
            if (worlds / "arena.wbt").exists():
                return worlds
    raise FileNotFoundError("the worlds of Protobeam are not there: name a file")


def _task_class(task):
    if not isinstance(task, str):
        return task
    from protobeam import tasks

    if task not in tasks.TASKS:
        raise ValueError(f"there is no task {task!r}; there are: {', '.join(tasks.TASKS)}")
    return tasks.TASKS[task]


class VectorEnv(_VectorBase):
    """`num_envs` worlds with one task. An episode that has ended begins again in the same step: the observation is
    the new one's first; the old one's last is in infos["final_obs"].
    """

    metadata = {"render_modes": [], "autoreset_mode": _SAME_STEP}
    render_mode = None
    spec = None
    closed = False

    def __init__(self, task, num_envs=1, threads=0, seed=0, parameters=None, world=None):
        kind = _task_class(task)
        file = os.fspath(world or folder_of_worlds() / kind.world)
        self.num_envs = num_envs
        parameters = {**kind.parameters, **(parameters or {})}
        self.batch = Batch(file, num_envs, threads=threads, seed=seed, parameters=parameters)
        self.task = kind(self.batch)
        self.single_observation_space = self.task.observation_space
        self.single_action_space = self.task.action_space
        self.observation_space = batched(self.single_observation_space, num_envs)
        self.action_space = batched(self.single_action_space, num_envs)
        self._steps = max(1, round(self.task.period / self.batch[0].time_step))
        self._seeds = [int(seed) + i for i in range(num_envs)]
        self._episodes = np.zeros(num_envs, int)
        self._made = np.zeros(num_envs, int)
        self._begun = False

    def _begin(self, which):
        # What happens in an episode is a function of the world's seed and the number of the episode.
        seeds = [np.random.SeedSequence([self._seeds[i], int(self._episodes[i])]) for i in which]
        self.batch.reset(which, [int(seed.generate_state(1)[0]) for seed in seeds])
        self.task.begin(np.asarray(which), [np.random.default_rng(seed) for seed in seeds])
        self._episodes[which] += 1
        self._made[which] = 0

    def reset(self, *, seed=None, options=None):
        """All episodes anew. `seed`: one, from which the worlds' follow, or one for each."""
        if seed is not None:
            seeds = [int(seed) + i for i in range(self.num_envs)] if np.isscalar(seed) else [int(s) for s in seed]
            if len(seeds) != self.num_envs:
                raise ValueError(f"{len(seeds)} seeds for {self.num_envs} worlds")
            self._seeds = seeds
            self._episodes[:] = 0
        self._begin(list(range(self.num_envs)))
        self._begun = True
        return self.task.observe(), {}

    def step(self, actions):
        if not self._begun:
            raise RuntimeError("reset() comes before the first step()")
        actions = np.asarray(actions, dtype=float)
        if actions.shape != self.action_space.shape:
            raise ValueError(f"the actions must have the shape {self.action_space.shape}, not {actions.shape}")
        if not np.isfinite(actions).all():
            raise ValueError("the actions must be finite")
        self.task.act(np.clip(actions, self.action_space.low, self.action_space.high))
        self.batch.step(self._steps)
        self._made += 1
        rewards, succeeded, failed = self.task.judge()
        terminated = succeeded | failed
        truncated = ~terminated & (self._made >= self.task.limit)
        observations = self.task.observe()
        infos = {"success": succeeded}
        ended = np.flatnonzero(terminated | truncated)
        if len(ended):
            infos["final_obs"] = observations.copy()
            infos["_final_obs"] = terminated | truncated
            self._begin([int(i) for i in ended])
            observations = self.task.observe()
        return observations, rewards, terminated, truncated, infos

    def close(self, **kwargs):
        self.closed = True


class Env(_EnvBase):
    """One world with a task."""

    metadata = {"render_modes": []}
    render_mode = None
    spec = None

    def __init__(self, task, seed=0, parameters=None, world=None, threads=1):
        self._envs = VectorEnv(task, 1, threads=threads, seed=seed, parameters=parameters, world=world)
        self.world = self._envs.batch[0]
        self.observation_space = self._envs.single_observation_space
        self.action_space = self._envs.single_action_space
        self._ended = True

    def reset(self, *, seed=None, options=None):
        if _EnvBase is not object:
            super().reset(seed=seed)
        observations, _ = self._envs.reset(seed=seed)
        self._ended = False
        return observations[0], {}

    def step(self, action):
        if self._ended:
            raise RuntimeError("reset() comes before step(), at the start and after the end of an episode")
        observations, rewards, terminated, truncated, infos = self._envs.step(np.asarray(action)[None])
        self._ended = bool(terminated[0] or truncated[0])
        last = infos["final_obs"] if self._ended else observations
        info = {"success": bool(infos["success"][0])}
        return last[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info

    def close(self):
        self._envs.close()
