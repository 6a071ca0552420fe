"""The cross-entropy method: candidates are drawn around a mean, each drives some episodes in a world of its own,
and the best of them make the next mean.

    ./protobeam python -m protobeam.learn turtlebot_goal --minutes 2 --plot curve.png
"""

import argparse
import time

import numpy as np

from protobeam.env import VectorEnv


class Policy:
    """Actions are the tanh of a linear map of the observations; its parameters are one row of numbers."""

    def __init__(self, inputs, outputs):
        self.shape = (inputs + 1, outputs)
        self.size = (inputs + 1) * outputs

    def act(self, parameters, observations):
        """Actions in -1 to 1: a row of parameters for each row of observations."""
        weights = parameters.reshape(-1, *self.shape)
        return np.tanh((observations[:, None] @ weights[:, :-1])[:, 0] + weights[:, -1])


def returns_of(envs, policy, candidates, episodes, seed):
    """Mean return and share of successes of each candidate, over that many episodes."""
    count = envs.num_envs
    observations, _ = envs.reset(seed=[seed] * count)  # the same starts and goals for all
    total, good, ended = np.zeros(count), np.zeros(count), np.zeros(count)
    while (ended < episodes).any():
        observations, rewards, terminated, truncated, infos = envs.step(policy.act(candidates, observations))
        open_ = ended < episodes
        total += rewards * open_
        good += infos["success"] & open_
        ended += (terminated | truncated) & open_
    return total / episodes, good / episodes


def learn(task="turtlebot_goal", minutes=2.0, population=64, threads=0, seed=0, elite=0.2, episodes=1,
          limit=120, generations=None, told=print):
    """Episodes are cut off after `limit` actions. Returns the policy, its mean parameters, and a row for each
    generation: seconds, mean return, return of the best fifth, share of successes."""
    envs = VectorEnv(task, population, threads=threads)
    envs.task.limit = min(limit, envs.task.limit)
    policy = Policy(envs.single_observation_space.shape[0], envs.single_action_space.shape[0])
    random = np.random.default_rng(seed)
    mean, deviation = np.zeros(policy.size), np.full(policy.size, 0.7)
    best = max(2, round(population * elite))
    history = []
    begin = time.monotonic()
    while time.monotonic() - begin < 60 * minutes and (generations is None or len(history) < generations):
        candidates = mean + deviation * random.standard_normal((population, policy.size))
        returns, successes = returns_of(envs, policy, candidates, episodes, seed + 1000 * len(history))
        chosen = candidates[np.argsort(-returns, kind="stable")[:best]]
        mean = 0.3 * mean + 0.7 * chosen.mean(axis=0)
        noise = 0.25 * 0.95 ** len(history) + 0.02  # keeps it from settling too early
        deviation = 0.3 * deviation + 0.7 * np.sqrt(chosen.var(axis=0) + noise**2)
        row = (time.monotonic() - begin, returns.mean(), np.sort(returns)[-best:].mean(), successes.mean())
        history.append(row)
        if told:
            told(f"generation {len(history):3d}  {row[0]:6.1f} s  return {row[1]:7.2f}  best fifth {row[2]:7.2f}  "
                 f"success {100 * row[3]:5.1f} %")
    return policy, mean, np.array(history)


def plot(history, file, task):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
    left.plot(history[:, 0], history[:, 1], label="mean of all candidates")
    left.plot(history[:, 0], history[:, 2], label="best fifth")
    left.set_xlabel("time of learning (s)")
    left.set_ylabel("return of an episode")
    left.legend()
    right.plot(history[:, 0], 100 * history[:, 3])
    right.set_xlabel("time of learning (s)")
    right.set_ylabel("episodes that end at the goal (%)")
    right.set_ylim(0, 100)
    figure.suptitle(f"{task}, cross-entropy method")
    figure.tight_layout()
    figure.savefig(file, dpi=100)


def main():
    parser = argparse.ArgumentParser(prog="protobeam.learn", description=__doc__.split("\n\n")[0])
    parser.add_argument("task", nargs="?", default="turtlebot_goal")
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--population", type=int, default=64, help="candidates, each in a world of its own")
    parser.add_argument("--threads", type=int, default=0, help="default: one a core")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plot", metavar="FILE.png", help="the learning curve")
    parser.add_argument("--save", metavar="FILE.npy", help="the parameters of the policy")
    given = parser.parse_args()
    _, mean, history = learn(given.task, given.minutes, given.population, given.threads, given.seed)
    if given.plot:
        plot(history, given.plot, given.task)
    if given.save:
        np.save(given.save, mean)


if __name__ == "__main__":
    main()
