"""Prints when traffic lights change: one by its field state, one by what a camera sees of its lamps."""
from controller import Supervisor

STEP = 50  # ms
ROWS = {"red": 11, "orange": 32, "green": 53}  # of the lamps in the picture, 64 x 64 pixels

robot = Supervisor()
camera = robot.getDevice("camera")
camera.enable(STEP)
state = robot.getFromDef("LIGHT").getField("state")


def lit():
    """The names of the lamps that are bright."""
    image = camera.getImage()
    return " and ".join(name for name, row in ROWS.items() if max(image[4 * (64 * row + 32):][:3]) > 100)


told = {}
while robot.step(STEP) != -1:
    for light, shows in (("generic", state.getSFString()), ("crossing", lit())):
        if told.get(light) != shows:
            told[light] = shows
            print(f"{light} shows {shows} at {robot.getTime():.1f} s", flush=True)
