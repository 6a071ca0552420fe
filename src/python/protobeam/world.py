"""One world, and what is in it."""

from __future__ import annotations

import difflib
import operator
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from protobeam import _core
from protobeam.devices import channel_text, class_of
from protobeam.parameters import settings_of


def seed_of(seed):
    """None, or a seed as the simulator takes it."""
    if seed is None:
        return None
    seed = int(seed)
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"a seed is a whole number from 0 to 18446744073709551615, not {seed}")
    return seed


class Names(Mapping):
    """Things by name, in the order of the world. A name that nothing has is a KeyError with advice."""

    def __init__(self, what, things):
        self._what = what
        self._things = things

    def __getitem__(self, name):
        try:
            return self._things[name]
        except KeyError:
            near = difflib.get_close_matches(str(name), self._things, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(self._things) or 'none'}"
            raise KeyError(f"no {self._what} {name!r}; {hint}") from None

    def __iter__(self):
        return iter(self._things)

    def __len__(self):
        return len(self._things)

    def __repr__(self):
        return f"{{{', '.join(map(repr, self._things))}}}"


class Device:
    """A device of a robot. Its channels are attributes, and items by their declared names; its commands methods:
    help(device) lists them.

    A channel is a numpy array that looks at the simulation's memory: it holds the newest sample after each
    step, and cannot be written to. It may be kept for longer than the world. Copy what has to stay.
    """

    __slots__ = ("_world", "_core", "_number", "_arrays", "name", "type", "model", "path")

    def __init__(self, world, number, name, type, model, path):
        self._world = world
        self._core = world._core
        self._number = number
        self._arrays = {}
        self.name = name
        self.type = type
        self.model = model
        self.path = path

    def __getitem__(self, channel: str) -> np.ndarray:
        array = self._arrays.get(channel)
        if array is None:
            try:
                array = self._arrays[channel] = self._core.array(self._number, channel)
            except KeyError:
                names = Names(f"channel of {self.path}", dict.fromkeys(c.name for c in self._declared.channels))
                raise KeyError(names[channel]) from None
        return array

    @property
    def _declared(self):
        return self._core.type(self._number)

    @property
    def channels(self) -> dict[str, str]:
        """What each channel is, by name: shape, type, unit, frame."""
        return {channel.name: channel_text(channel) for channel in self._declared.channels}

    @property
    def properties(self) -> dict[str, Any]:
        """Constant facts, by name: the fields and figures that controllers get."""
        return self._core.facts(self._number)

    def enable(self, period: float | None = None) -> None:
        """Sampled every `period` s, the first time one period from now; without it, at each step."""
        self._core.enable(self._number, period)

    def disable(self) -> None:
        """Not sampled any more; the last sample stays."""
        self._core.disable(self._number)

    @property
    def period(self) -> float:
        """s between two samples; 0: it is off."""
        return self._core.period(self._number)

    @property
    def samples(self) -> int:
        """How many samples there were since the world was loaded."""
        return self._core.samples(self._number)

    def __repr__(self):
        return f"<{self.type} {self.path!r}>"


class Body:
    """A Solid of the world: where it is, and how it moves."""

    __slots__ = ("_core", "_solid", "name", "type", "moves")

    def __init__(self, world, solid, name, type, moves):
        self._core = world._core
        self._solid = solid
        self.name = name
        self.type = type
        self.moves = moves  #: physics moves it

    @property
    def state(self) -> np.ndarray:
        """13 numbers: position (m), quaternion x, y, z, w, velocity (m/s), angular velocity (rad/s), in the world."""
        return self._core.state(self._solid)

    @property
    def position(self) -> np.ndarray:
        """m, in the world."""
        return self.state[:3]

    @property
    def orientation(self) -> np.ndarray:
        """Quaternion x, y, z, w, in the world."""
        return self.state[3:7]

    @property
    def velocity(self) -> np.ndarray:
        """m/s, of its origin, in the world."""
        return self.state[7:10]

    @property
    def angular_velocity(self) -> np.ndarray:
        """rad/s, in the world."""
        return self.state[10:]

    @property
    def yaw(self) -> float:
        """rad, of its x axis about the vertical."""
        x, y, z, w = self.orientation
        return float(np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))

    def set_pose(self, position, orientation=None) -> None:
        """It is there at once, with all that hangs on it; without an orientation as it was turned before."""
        self._core.set_pose(self._solid, position, orientation)

    def set_velocity(self, velocity=(0, 0, 0), angular_velocity=(0, 0, 0)) -> None:
        """m/s of its origin, and rad/s, in the world."""
        self._core.set_velocity(self._solid, velocity, angular_velocity)

    def __repr__(self):
        return f"<{self.type} {self.name!r}>"


class Robot(Body):
    """A robot: a body with devices."""

    __slots__ = ("model", "devices")

    def __init__(self, world, index, name, model, solid, facts):
        super().__init__(world, solid, name, facts[0], facts[1])
        self.model = model
        devices = {}
        for number, device, type, proto in world._core.devices(index):
            at = (index, number)
            kind = class_of(world._core.type(at), Device)
            devices[device] = kind(world, at, device, type, proto or type, f"{name}/{device}")
        self.devices = Names(f"device of {name}", devices)

    def device(self, name: str) -> Any:
        return self.devices[name]


class Vehicle(Body):
    """A robot with a drive, which is the device `drive`: command it by drive.twist() and the like."""

    __slots__ = ("drive", "robot")

    def __init__(self, world, robot, drive):
        super().__init__(world, robot._solid, robot.name, robot.type, robot.moves)
        self.robot = robot
        self.drive = drive


class World:
    """A world that runs in this process. World.load() makes one."""

    def __init__(self, core, file):
        self._core = core
        self._generation = self._there = None
        self.file = file

    @classmethod
    def load(cls, path: str | os.PathLike, seed: int | None = None, parameters: Mapping[str, Any] | None = None, *,
             threads: int = 0, lenient: bool = False, proto_path=(), allow_path=()) -> World:
        """Loads a world (.wbt, .xml of MVSim, .sdf or .world of Gazebo, .urdf).

        seed        of all noise, instead of WorldInfo.randomSeed
        parameters  values of fields by path: {"CAR.maxSpeed": 20, "robot/lidar.maxRange": 10.0}. A path names a
                    node by DEF, name or type, or a device of a robot, then a dot and the field; parameters of
                    PROTOs are fields.
        threads     of the ray caster; 0: one a core
        lenient     goes on without what is unknown or missing

        Raises WorldError, a ValueError with `diagnostics`. Warnings are in World.warnings.
        """
        seed = seed_of(seed)
        file = os.fspath(path)
        core = _core.World.load(file, seed, settings_of(parameters), int(threads), bool(lenient),
                                [os.fspath(p) for p in proto_path], [os.fspath(p) for p in allow_path])
        return cls(core, file)

    def step(self, n: int = 1) -> None:
        """n steps of time_step each. Other threads of Python run meanwhile; Ctrl-C ends it after a step."""
        self._core.step(operator.index(n))

    def run(self, seconds: float) -> None:
        """Steps until so many seconds have passed."""
        if not np.isfinite(seconds):
            raise ValueError(f"seconds must be a finite number, not {seconds}")
        self._core.step(int(np.ceil(seconds / self.time_step - 1e-9)))

    def reset(self, seed: int | None = None) -> None:
        """As it was loaded, at time 0, with that seed or the same one. Devices that are on stay on, and arrays
        stay valid: what follows is what a world does that was just loaded."""
        self._core.reset(seed_of(seed))

    def save(self) -> bytes:
        """All that decides how the world goes on, as bytes: bodies, contacts, joints, devices with their noise and
        samples, vehicles, radios. Programs of robots are not in it. A RuntimeError says what cannot be saved."""
        return self._core.save()

    def restore(self, state: bytes) -> None:
        """Goes on where `state` was saved: in this world, or in one that was loaded from the same file with the same
        seed and parameters by the same build. Arrays stay valid. A RuntimeError says what is wrong with the bytes;
        then nothing has changed."""
        self._core.restore(state)

    def start_controllers(self) -> None:
        """Starts the programs that the robots name as their controllers, as `protobeam run` does."""
        self._core.start_controllers()

    def finish(self) -> None:
        """Ends the controllers."""
        self._core.finish()

    @property
    def time(self) -> float:
        """s since the start."""
        return self._core.time()

    @property
    def time_step(self) -> float:
        """s of a step: WorldInfo.basicTimeStep."""
        return self._core.time_step()

    @property
    def steps(self) -> int:
        """Steps since the start."""
        return self._core.step_number()

    @property
    def seed(self) -> int:
        return self._core.seed()

    @property
    def title(self) -> str:
        return self._core.title()

    @property
    def warnings(self) -> list[_core.Diagnostic]:
        """Diagnostics of loading it."""
        return self._core.warnings

    @property
    def state_hash(self) -> str:
        """Over the states of all bodies in all steps and all samples, as `protobeam run` tells it: 16 digits."""
        return f"{self._core.state_hash():016x}"

    @property
    def broken(self) -> list[str]:
        """Names of bodies whose state became NaN or infinite; they stand still."""
        return self._core.broken()

    def _look(self):
        generation = self._core.generation()
        if generation == self._generation:
            return
        self._generation = generation
        solids = self._core.solids()
        robots_now = self._core.robots()
        there = (solids, robots_now, [self._core.devices(robot[0]) for robot in robots_now], self._core.vehicles())
        if there == self._there:  # a reset: all have the same numbers
            return
        self._there = there
        facts = {}
        bodies = {}
        names = {index: name for index, name, *_ in solids}
        count = {}
        for _, name, *_ in solids:
            count[name] = count.get(name, 0) + 1
        for index, name, type, parent, moves in solids:
            facts[index] = (type, moves)
            if count[name] > 1 and parent in names:
                name = f"{names[parent]}/{name}"
            bodies.setdefault(name, Body(self, index, name, type, moves))
        robots = {}
        numbers = {}
        for index, name, model, solid in robots_now:
            robot = Robot(self, index, name, model, solid, facts.get(solid, ("Robot", False)))
            numbers[index] = robots[name] = robot
        self._bodies = Names("body", bodies)
        self._robots = Names("robot", robots)
        devices = {device.path: device for robot in robots.values() for device in robot.devices.values()}
        self._devices = Names("device", devices)
        vehicles = {}
        for name, robot, device in self._core.vehicles():
            vehicles[name] = Vehicle(self, numbers[robot], list(numbers[robot].devices.values())[device])
        self._vehicles = Names("vehicle", vehicles)

    @property
    def bodies(self) -> Mapping[str, Body]:
        """Solids by name; of several with one name, by "parent/name"."""
        self._look()
        return self._bodies

    @property
    def robots(self) -> Mapping[str, Robot]:
        """Robots by name."""
        self._look()
        return self._robots

    @property
    def devices(self) -> Mapping[str, Any]:
        """Devices by "robot/device"."""
        self._look()
        return self._devices

    @property
    def vehicles(self) -> Mapping[str, Vehicle]:
        """Robots with a drive, by name."""
        self._look()
        return self._vehicles

    def device(self, path: str) -> Any:
        """By "robot/device", or the device's name alone when only one robot has it."""
        devices = self.devices
        if path in devices:
            return devices[path]
        alone = [device for device in devices.values() if device.name == path]
        return alone[0] if len(alone) == 1 else devices[path]

    def robot(self, name: str) -> Robot:
        return self.robots[name]

    def body(self, name: str) -> Body:
        return self.bodies[name]

    def vehicle(self, name: str) -> Vehicle:
        return self.vehicles[name]

    def __repr__(self):
        return f"<World {self.file!r} at {self.time:.3f} s>"
