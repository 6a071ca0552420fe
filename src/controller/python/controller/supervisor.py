"""The robot that may change the world (Robot.supervisor TRUE)."""

from ._attributes import vector
from ._library import library
from .node import Node
from .robot import Robot


class Supervisor(Robot):
    SIMULATION_MODE_PAUSE, SIMULATION_MODE_REAL_TIME, SIMULATION_MODE_FAST = range(3)
    # movieGetStatus(), of releases before 8.4
    MOVIE_READY, MOVIE_RECORDING, MOVIE_SAVING = range(3)
    MOVIE_WRITE_ERROR, MOVIE_ENCODING_ERROR, MOVIE_SIMULATION_ERROR = range(3, 6)

    def getRoot(self):
        return Node()

    def getSelf(self):
        return Node(tag=0)

    def getFromDef(self, d):
        """None when there is none; so are the others."""
        return _known(Node(DEF=d))

    def getFromId(self, id):
        return _known(Node(id=id))

    def getFromDevice(self, tag):
        """A device, or its number."""
        return _known(Node(tag=getattr(tag, "_tag", tag)))

    def getSelected(self):
        return _known(Node(selected=True))

    @property
    def simulation_mode(self):
        return library.wb_supervisor_simulation_get_mode()

    @simulation_mode.setter
    def simulation_mode(self, mode):
        library.wb_supervisor_simulation_set_mode(mode)

    def simulationGetMode(self):
        return self.simulation_mode

    def simulationSetMode(self, mode):
        self.simulation_mode = mode

    def simulationQuit(self, status):
        library.wb_supervisor_simulation_quit(status)

    def simulationReset(self):
        library.wb_supervisor_simulation_reset()

    def simulationResetPhysics(self):
        library.wb_supervisor_simulation_reset_physics()

    def worldLoad(self, filename):
        library.wb_supervisor_world_load(filename)

    def worldReload(self):
        library.wb_supervisor_world_reload()

    def worldSave(self, filename=None):
        """None: over the file that was loaded."""
        return library.wb_supervisor_world_save(filename or None)

    # Names of releases before R2018b.
    simulationRevert = worldReload
    loadWorld = worldLoad
    saveWorld = worldSave

    def setLabel(self, id, label, x, y, size, color, transparency=0, font="Arial"):
        library.wb_supervisor_set_label(id, label, x, y, size, color, transparency, font)

    def exportImage(self, filename, quality):
        library.wb_supervisor_export_image(filename, quality)

    def movieStartRecording(self, filename, width, height, codec, quality, acceleration, caption):
        library.wb_supervisor_movie_start_recording(
            filename, width, height, codec, quality, acceleration, caption
        )

    def movieStopRecording(self):
        library.wb_supervisor_movie_stop_recording()

    def movieIsReady(self):
        return library.wb_supervisor_movie_is_ready()

    def movieFailed(self):
        return library.wb_supervisor_movie_failed()

    def movieGetStatus(self):
        return library.wb_supervisor_movie_get_status()

    def animationStartRecording(self, filename):
        return library.wb_supervisor_animation_start_recording(filename)

    def animationStopRecording(self):
        return library.wb_supervisor_animation_stop_recording()

    def virtualRealityHeadsetIsUsed(self):
        return library.wb_supervisor_virtual_reality_headset_is_used()

    def virtualRealityHeadsetGetPosition(self):
        return vector(3)(library.wb_supervisor_virtual_reality_headset_get_position())

    def virtualRealityHeadsetGetOrientation(self):
        return vector(9)(library.wb_supervisor_virtual_reality_headset_get_orientation())


def _known(node):
    return node if node._ref else None
