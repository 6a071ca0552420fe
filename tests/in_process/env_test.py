"""Tasks, their policies by hand, and the learner: python env_test.py [CASE...]"""

import unittest

import numpy as np

from protobeam import env, learn, tasks


def first_episodes(task, count, policy, seed=1, threads=2):
    """Of each world's first episode: +1 at the goal, -1 failed, 0 cut off; and its return."""
    envs = env.VectorEnv(task, count, threads=threads)
    observations, _ = envs.reset(seed=seed)
    ends, total, ended = np.zeros(count), np.zeros(count), np.zeros(count, bool)
    for _ in range(envs.task.limit):
        assert observations.shape == envs.observation_space.shape and envs.observation_space.contains(observations)
        observations, rewards, terminated, truncated, infos = envs.step(policy(envs, observations))
        total += np.where(ended, 0, rewards)
        new = (terminated | truncated) & ~ended
        ends[new] = np.where(infos["success"], 1, np.where(terminated, -1, 0))[new]
        ended |= new
        if ended.all():
            break
    return ends, total


class Tasks(unittest.TestCase):
    def test_policies_by_hand_solve_them(self):
        for task, count in (("turtlebot_goal", 16), ("jackal_yard", 6), ("cones_lap", 1)):
            with self.subTest(task):
                ends, total = first_episodes(task, count, lambda envs, rows: envs.task.policy(rows))
                np.testing.assert_array_equal(ends, np.ones(count))
                self.assertGreater(total.min(), 9)

    def test_driving_straight_on_fails(self):
        for task, speed in (("turtlebot_goal", 1), ("jackal_yard", 1), ("cones_lap", -0.2)):
            with self.subTest(task):
                ends, _ = first_episodes(task, 4, lambda envs, rows: np.tile([speed, 0.0], (4, 1)), seed=3)
                self.assertLessEqual(ends.sum(), -2)

    def test_standing_still_is_cut_off(self):
        ends, total = first_episodes("turtlebot_goal", 2, lambda envs, rows: np.zeros((2, 2)))
        np.testing.assert_array_equal(ends, [0, 0])
        np.testing.assert_allclose(total, -0.02 * tasks.TurtlebotGoal.limit, atol=0.05)


class Environments(unittest.TestCase):
    def drive(self, threads):
        envs = env.VectorEnv("turtlebot_goal", 6, threads=threads)
        envs.reset(seed=5)
        random = np.random.default_rng(1)
        told = []
        for _ in range(120):
            observations, rewards, terminated, truncated, infos = envs.step(random.uniform(-1, 1, (6, 2)) + [1, 0])
            told.append((observations, rewards, terminated))
        self.assertGreater(sum(t.sum() for _, _, t in told), 3)
        return [np.concatenate([np.asarray(part[k]).ravel() for part in told]) for k in range(3)]

    def test_threads_change_nothing(self):
        for a, b in zip(self.drive(1), self.drive(3)):
            np.testing.assert_array_equal(a, b)

    def test_one_world(self):
        one = env.Env("turtlebot_goal")
        with self.assertRaises(RuntimeError):
            one.step(np.zeros(2))
        first, info = one.reset(seed=4)
        self.assertEqual((first.shape, first.dtype, info), ((29,), np.dtype("f4"), {}))
        last, reward, terminated, truncated, info = one.step(np.array([1.0, 0.0]))
        self.assertIsInstance(reward, float)
        self.assertEqual((terminated, truncated, info["success"]), (False, False, False))
        again, _ = one.reset(seed=4)
        np.testing.assert_array_equal(first, again)
        self.assertIn(one.action_space.sample(), one.action_space)

    def test_the_last_observation_of_an_episode_is_not_lost(self):
        envs = env.VectorEnv("turtlebot_goal", 2)
        envs.task.limit = 3
        envs.reset(seed=1)
        for _ in range(3):
            observations, _, terminated, truncated, infos = envs.step(np.zeros((2, 2)))
        np.testing.assert_array_equal(truncated, [True, True])
        self.assertFalse(np.array_equal(infos["final_obs"], observations))

    def test_mistakes(self):
        envs = env.VectorEnv("turtlebot_goal", 2)
        for call, kind in ((lambda: env.VectorEnv("turtle"), ValueError),
                           (lambda: envs.step(np.zeros((2, 2))), RuntimeError),
                           (lambda: envs.reset(seed=[1]), ValueError)):
            with self.assertRaises(kind):
                call()
        envs.reset()
        for actions in (np.zeros((3, 2)), np.full((2, 2), np.nan)):
            with self.assertRaises(ValueError):
                envs.step(actions)


class Learning(unittest.TestCase):
    def test_it_gets_better(self):
        _, mean, history = learn.learn(minutes=10, population=24, generations=14, seed=0, told=None)
        self.assertEqual(len(history), 14)
        self.assertTrue(np.isfinite(mean).all())
        self.assertGreater(history[-4:, 2].mean(), history[:4, 2].mean() + 3)
        print(history[:, 1:])


if __name__ == "__main__":
    unittest.main()
