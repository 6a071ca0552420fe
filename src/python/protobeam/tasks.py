"""Tasks for protobeam.env, each with a policy by hand that solves it."""

import csv

import numpy as np

from protobeam.env import Task, folder_of_worlds
from protobeam.spaces import Box


def yaw_of(states):
    x, y, z, w = states[:, 3:7].T
    return np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))


def wrapped(angle):
    return (angle + np.pi) % (2 * np.pi) - np.pi


class GoalTask(Task):
    """A robot drives to a goal and touches nothing on the way.

    Observation: the nearest range in each of 24 sectors, from straight behind over the left... to behind, as a share of
    `reach`; distance of the goal as a share of `far`; cosine and sine of its direction; speed and yaw rate as
    shares of the greatest ones.
    Action: speed and yaw rate, -1 to 1; no robot drives backwards.
    Reward: metres nearer to the goal, 10 at the goal, -10 for touching something, -0.02 a period.
    """

    sectors = 24
    robot = "robot"
    lidar = "robot/lidar"
    fastest, sharpest = 0.22, 1.5  # m/s, rad/s
    reach, far = 3.5, 5.0          # m
    near = 0.25                    # m: there
    places = np.zeros((0, 2))      # where it may start, and goals
    observation_space = Box(-1.0, 1.0, (24 + 5,), np.float32)
    action_space = Box(-1.0, 1.0, (2,), np.float32)

    def __init__(self, batch):
        super().__init__(batch)
        self.drive = f"{self.robot}/drive"
        batch.enable(self.drive, self.period)
        batch.enable(self.lidar, self.period)
        self.ranges = batch.array(self.lidar, "range")
        self.touched = batch.array(self.drive, "collision")
        self.twist = batch.array(self.drive, "odometry_twist")
        self.goals = np.zeros((len(batch), 2))
        self.before = np.zeros(len(batch))

    def begin(self, which, random):
        for i, generator in zip(which, random):
            start, goal = generator.choice(len(self.places), 2, replace=False)
            yaw = generator.uniform(-np.pi, np.pi)
            world = self.batch[i]
            robot = world.body(self.robot)
            robot.set_pose([*self.places[start], robot.position[2]], [0, 0, np.sin(yaw / 2), np.cos(yaw / 2)])
            if "goal" in world.bodies:
                world.body("goal").set_pose([*self.places[goal], 0.001])
            self.goals[i] = self.places[goal]
        self.batch.step(max(1, round(self.period / self.batch[0].time_step)), [int(i) for i in which])  # a first scan
        self.before[which] = self.to_goal()[0][which]

    def to_goal(self):
        states = self.batch.states(self.robot)
        away = self.goals - states[:, :2]
        direction = wrapped(np.arctan2(away[:, 1], away[:, 0]) - yaw_of(states))
        return np.hypot(away[:, 0], away[:, 1]), direction

    def act(self, actions):
        speed = np.maximum(actions[:, 0], 0) * self.fastest
        self.batch.command(self.drive, "twist", np.stack([speed, 0 * speed, actions[:, 1] * self.sharpest], axis=1))

    def observe(self):
        rows = self.ranges.min(axis=1)
        near = np.nan_to_num(rows, nan=self.reach, posinf=self.reach).reshape(len(rows), self.sectors, -1).min(axis=2)
        distance, direction = self.to_goal()
        # The first column is straight behind, then come those to the left.
        return np.concatenate([
            np.clip(near / self.reach, 0, 1),
            np.clip(distance / self.far, 0, 1)[:, None], np.cos(direction)[:, None], np.sin(direction)[:, None],
            np.clip(self.twist[:, :1] / self.fastest, -1, 1), np.clip(self.twist[:, 2:] / self.sharpest, -1, 1),
        ], axis=1).astype(np.float32)

    def judge(self):
        distance, _ = self.to_goal()
        succeeded = distance < self.near
        failed = ~succeeded & (self.touched > 0)
        rewards = self.before - distance + 10.0 * succeeded - 10.0 * failed - 0.02
        self.before = distance
        return rewards, succeeded, failed

    @classmethod
    def policy(cls, observations):
        """Towards the goal, where there is room; away from what is near."""
        count = cls.sectors
        near = observations[:, :count] * cls.reach
        angles = np.pi - (np.arange(count) + 0.5) * 2 * np.pi / count
        goal = np.arctan2(observations[:, count + 2], observations[:, count + 1])[:, None]
        distance = observations[:, count, None] * cls.far
        # A way is as wide as the robot: what is beside it counts as well.
        room = np.minimum(near, np.minimum(np.roll(near, 1, axis=1), np.roll(near, -1, axis=1)) * 1.2)
        blocked = np.clip(np.minimum(distance, cls.look) - room, 0, None)
        cost = np.abs(wrapped(angles - goal)) + cls.caution * blocked + 0.15 * np.abs(angles)
        wanted = angles[np.argmin(cost, axis=1)]
        free = np.take_along_axis(room, np.argmin(cost, axis=1)[:, None], axis=1)[:, 0] >= distance[:, 0]
        wanted = np.where(free & (np.abs(wrapped(wanted - goal[:, 0])) < 0.3), goal[:, 0], wanted)
        ahead = near[:, np.abs(angles) < 0.6].min(axis=1)
        speed = np.clip(np.cos(wanted), 0, 1) ** 4 * np.clip((ahead - cls.stop) / cls.look, 0.1, 1)
        speed[np.abs(wanted) > 0.9] = 0
        return np.stack([speed, np.clip(cls.eager * wanted / cls.sharpest, -1, 1)], axis=1)

    look, stop, caution, eager = 0.8, 0.18, 4.0, 2.0


class TurtlebotGoal(GoalTask):
    """TurtleBot3 with its LDS-01 among pillars (worlds/arena.wbt)."""

    world = "arena.wbt"
    period, limit = 0.2, 250
    places = np.array([[x, y] for x in (-1.8, -0.6, 0.6, 1.8) for y in (-1.8, -0.6, 0.6, 1.8)])


class JackalYard(GoalTask):
    """Jackal with a laser of 10 m all around it, in a yard with crates, barrels and trees (worlds/jackal_yard.wbt)."""

    world = "jackal_yard.wbt"
    period, limit = 0.1, 600
    fastest, sharpest = 1.5, 2.0
    reach, far, near = 10.0, 40.0, 0.8
    look, stop, caution, eager = 3.0, 0.4, 1.5, 2.0
    places = np.array([[-15, -12], [-6, -11], [3, -14], [-17, 3], [-10, -6], [-2, 1], [0, 13], [9, 0.5], [16, 3],
                       [17, 12], [11, 13.5], [-18, 13]], float)


class ConesLap(Task):
    """A race car drives one lap between cones (worlds/track.wbt).

    Observation: ten points of the centre line ahead, 2 m apart, in the car's frame (m / 20), distance from the line
    (m / 2), speed (m/s / 10).
    Action: speed (-1: 0, 1: 10 m/s) and steering (1: all to the left).
    Reward: metres along the line, 20 for the lap, -10 for leaving the track or touching a cone.
    """

    world = "track.wbt"
    period, limit = 0.1, 1500
    fastest, steering = 10.0, 0.48
    half_width = 1.75
    observation_space = Box(-5.0, 5.0, (22,), np.float32)
    action_space = Box(-1.0, 1.0, (2,), np.float32)

    def __init__(self, batch):
        super().__init__(batch)
        self.drive = "car/drive"
        batch.enable(self.drive, self.period)
        self.twist = batch.array(self.drive, "odometry_twist")
        self.touched = batch.array(self.drive, "collision")
        self.line = self._centre_line()
        self.length = self.step_length * len(self.line)
        self.at = np.zeros(len(batch), int)
        self.gone = np.zeros(len(batch))

    def _centre_line(self, spacing=0.5):
        with open(folder_of_worlds() / "maps/cones.csv") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        left, right = (np.array([[float(row["x"]), float(row["y"])] for row in rows if row["tag"] == tag])
                       for tag in ("blue", "yellow"))
        nearest = right[np.argmin(np.linalg.norm(left[:, None] - right[None], axis=2), axis=1)]
        middle = (left + nearest) / 2
        closed = np.vstack([middle, middle[:1]])
        along = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))])
        count = int(along[-1] / spacing)
        self.step_length = along[-1] / count
        at = np.arange(count) * self.step_length
        return np.stack([np.interp(at, along, closed[:, k]) for k in (0, 1)], axis=1)

    def _find(self):
        """Place on the line, and distance from it."""
        position = self.batch.states("car")[:, :2]
        apart = np.linalg.norm(position[:, None] - self.line[None], axis=2)
        return np.argmin(apart, axis=1), apart.min(axis=1)

    def begin(self, which, random):
        at, _ = self._find()
        self.at[which] = at[which]
        self.gone[which] = 0

    def act(self, actions):
        speed = (actions[:, 0] + 1) / 2 * self.fastest
        self.batch.command(self.drive, "speed", np.stack([speed, actions[:, 1] * self.steering], axis=1))

    def observe(self):
        states = self.batch.states("car")
        at, apart = self._find()
        ahead = self.line[(at[:, None] + np.arange(1, 11) * round(2 / self.step_length)) % len(self.line)]
        away = ahead - states[:, None, :2]
        cos, sin = np.cos(yaw_of(states))[:, None], np.sin(yaw_of(states))[:, None]
        points = np.stack([cos * away[..., 0] + sin * away[..., 1], cos * away[..., 1] - sin * away[..., 0]], axis=2)
        rows = np.concatenate([points.reshape(len(at), -1) / 20, apart[:, None] / 2, self.twist[:, :1] / 10], axis=1)
        return np.clip(rows, -5, 5).astype(np.float32)

    def judge(self):
        at, apart = self._find()
        count = len(self.line)
        metres = ((at - self.at + count // 2) % count - count // 2) * self.step_length
        self.at = at
        self.gone += metres
        succeeded = self.gone >= self.length
        failed = ~succeeded & ((apart > self.half_width) | (self.touched > 0))
        return metres + 20.0 * succeeded - 10.0 * failed, succeeded, failed

    @classmethod
    def policy(cls, observations):
        """Steers towards the point 4 m ahead (pure pursuit), slower in bends."""
        points = observations[:, :20].reshape(-1, 10, 2) * 20
        near, far = points[:, 1], points[:, 4]
        squared = (near**2).sum(axis=1)
        steering = np.arctan(1.55 * 2 * near[:, 1] / squared)
        bend = np.abs(np.arctan2(far[:, 1], far[:, 0]))
        speed = np.clip(8 - 10 * bend, 3, 8)
        return np.stack([2 * speed / cls.fastest - 1, np.clip(steering / cls.steering, -1, 1)], axis=1)


TASKS = {"turtlebot_goal": TurtlebotGoal, "jackal_yard": JackalYard, "cones_lap": ConesLap}
