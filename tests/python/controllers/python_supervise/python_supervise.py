"""Changes the world as a supervisor and reads it back."""

import math

from controller import Field, Node, Supervisor


def near(values, expected):
    return len(values) == len(expected) and all(math.isclose(a, b, abs_tol=1e-9) for a, b in zip(values, expected))


robot = Supervisor()
try:
    cube = robot.getFromDef("CUBE")
except NotImplementedError:
    print("this library has no functions for supervisors")
    raise SystemExit
assert cube.getTypeName() == "Solid" and cube.type == Node.SOLID and cube.DEF == "CUBE"
assert robot.getFromDef("NOTHING") is None and robot.getFromId(cube.id) == cube
assert robot.getSelf().getField("name").value == "tester" and not robot.getSelf().isProto()
assert near(cube.getPosition(), [2, 0, 0.3])
c, s = math.cos(0.5), math.sin(0.5)
assert near(cube.getOrientation(), [c, -s, 0, s, c, 0, 0, 0, 1])
assert near(cube.getPose()[3::4], [2, 0, 0.3, 1])

translation = cube.getField("translation")
assert translation.type == Field.SF_VEC3F and translation.getTypeName() == "SFVec3f" and translation.name == "translation"
# As Webots' ctypes do: what is missing is 0, what is too much is refused. Said on stderr, the former once.
for x in (4, 1):
    translation.setSFVec3f([x, 2])
    assert near(translation.value, [x, 2, 0])
translation.setSFVec3f([5, 6, 7, 8])
assert near(translation.value, [1, 2, 0])
translation.setSFVec3f([3, 1, 2])
assert near(translation.getSFVec3f(), [3, 1, 2])
robot.step(32)
assert near(cube.getPosition(), [3, 1, 2])
cube.setVelocity([0.5])
robot.step(32)
assert near(cube.getPosition()[:2], [3.016, 1]) and near(cube.getVelocity()[:2], [0.5, 0]), cube.getVelocity()
cube.setVelocity([0] * 6)
translation.value = (2, 0, 0.5)
cube.getField("name").setSFString("würfel")
robot.step(32)
assert near(cube.getPosition(), [2, 0, 0.5]) and cube.getField("name").getSFString() == "würfel"
# As in Webots, the field's own type counts.
rotation = cube.getField("rotation")
assert near(rotation.getSFVec3f(), [0, 0, 1, 0.5]) and rotation.getSFVec3f() == rotation.value
assert cube.getField("name").getSFFloat() == "würfel" and near([cube.getField("radarCrossSection").getSFVec3f()], [5])
translation.setSFColor([2, 0, 0.5])
assert near(translation.getSFRotation(), [2, 0, 0.5])
colors = cube.getField("recognitionColors")
assert colors.getSFColor() is None
assert colors.count == 2 and colors.value == [[1, 0, 0], [0, 0.5, 0.25]]
colors.insertMFColor(-1, [0, 0, 1])
assert colors.getCount() == 3 and near(colors.getMFColor(2), [0, 0, 1])

children = robot.getRoot().getField("children")
count = children.count
children.importMFNodeFromString(-1, 'DEF BALL Solid { translation 0 4 1 name "ball" }')
robot.step(32)
ball = robot.getFromDef("BALL")
assert children.count == count + 1 and children.getMFNode(count) == ball
assert near(ball.getPosition(), [0, 4, 1])
ball.remove()
robot.step(32)
assert robot.getFromDef("BALL") is None and children.getCount() == count

# Contact points, by the names of now and of releases before R2023a.
children.importMFNodeFromString(-1, 'DEF SLAB Solid { translation 0 4 0 boundingObject Box { size 1 1 1 } name "slab" }')
children.importMFNodeFromString(
    -1, 'DEF BALL Solid { translation 0 4 0.6 boundingObject Sphere { radius 0.1 } physics Physics { } name "ball" }'
)
robot.step(32)
robot.step(32)
ball = robot.getFromDef("BALL")
points = ball.getContactPoints()
assert len(points) == 1 and near(points[0].point[:2], [0, 4]) and abs(points[0].point[2] - 0.5) < 0.01
assert ball.getNumberOfContactPoints() == ball.getNumberOfContactPoints(True) == 1
assert ball.getContactPoint(0) == points[0].point and all(map(math.isnan, ball.getContactPoint(1)))
assert ball.getContactPointNode(0) == robot.getFromId(points[0].node_id) and ball.getContactPointNode(1) is None
print("all right")
