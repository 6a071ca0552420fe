"""Motions of motors from files; times in ms."""

from ._attributes import Attribute, Calls, method
from ._library import library


class Motion(Calls):
    _api = "wbu_motion_"
    _ref = None

    def __init__(self, filename):
        self._ref = library.wbu_motion_new(filename)

    def __del__(self):
        if self._ref and library:
            self._call("delete")
            self._ref = None

    def _call(self, name, *arguments):
        return getattr(library, self._api + name)(self._ref, *arguments)

    duration = Attribute("get_duration")
    time = Attribute("get_time", "set_time")

    isOver = method("is_over")
    play = method("play")
    stop = method("stop")

    def isValid(self):
        return self._ref is not None

    def setLoop(self, loop):
        self._call("set_loop", loop)

    def setReverse(self, reverse):
        self._call("set_reverse", reverse)
