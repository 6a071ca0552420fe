"""Camera and RangeFinder. Angles in rad, lengths in m."""

import ctypes

from . import _memory
from ._attributes import Attribute, method
from ._library import library
from .device import Sensor


class _Recognized(ctypes.Structure):  # WbCameraRecognitionObject
    _fields_ = [
        ("id", ctypes.c_int),
        ("position", ctypes.c_double * 3),
        ("orientation", ctypes.c_double * 4),
        ("size", ctypes.c_double * 2),
        ("position_on_image", ctypes.c_int * 2),
        ("size_on_image", ctypes.c_int * 2),
        ("number_of_colors", ctypes.c_int),
        ("colors", ctypes.POINTER(ctypes.c_double)),
        ("model", ctypes.c_char_p),
    ]


class CameraRecognitionObject:
    """A recognised object, in the frame of the camera; a copy that stays as it is. `orientation` is an axis and
    an angle, `colors` has three numbers a colour, from 0 to 1."""

    def __init__(self, record):
        self.id = record.id
        self.position = list(record.position)
        self.orientation = list(record.orientation)
        self.size = list(record.size)
        self.position_on_image = list(record.position_on_image)
        self.size_on_image = list(record.size_on_image)
        self.number_of_colors = record.number_of_colors
        self.colors = record.colors[: 3 * record.number_of_colors] if record.colors else []
        self.model = (record.model or b"").decode(errors="replace")

    def getId(self):
        return self.id

    def getPosition(self):
        return self.position

    def getOrientation(self):
        return self.orientation

    def getSize(self):
        return self.size

    def getPositionOnImage(self):
        return self.position_on_image

    def getSizeOnImage(self):
        return self.size_on_image

    def getNumberOfColors(self):
        return self.number_of_colors

    def getColors(self):
        return self.colors

    def getModel(self):
        return self.model

    # Names of releases before R2023a.
    get_id = getId
    get_position = getPosition
    get_orientation = getOrientation
    get_size = getSize
    get_position_on_image = getPositionOnImage
    get_size_on_image = getSizeOnImage
    get_number_of_colors = getNumberOfColors
    get_colors = getColors

    def get_model(self):
        """Bytes, as it was."""
        return self.model.encode()


class Camera(Sensor):
    """Images are rows of pixels from the upper left corner, four bytes each: blue, green, red, alpha. With
    `data_type` "bytes" they are copied, "buffer" (a memoryview) and "numpy" (an array [row, column, channel]) are
    the simulator's own memory. None while the camera is disabled, and until the first step after it was enabled."""

    _api = "wb_camera_"
    exposure = Attribute("get_exposure", "set_exposure")
    focal_distance = Attribute("get_focal_distance", "set_focal_distance")
    focal_length = Attribute("get_focal_length")
    fov = Attribute("get_fov", "set_fov")
    height = Attribute("get_height")
    max_focal_distance = Attribute("get_max_focal_distance")
    max_fov = Attribute("get_max_fov")
    min_focal_distance = Attribute("get_min_focal_distance")
    min_fov = Attribute("get_min_fov")
    near = Attribute("get_near")
    width = Attribute("get_width")

    hasRecognition = method("has_recognition")
    recognitionDisable = method("recognition_disable")
    getRecognitionNumberOfObjects = method("recognition_get_number_of_objects")
    getRecognitionSamplingPeriod = method("recognition_get_sampling_period")
    disableRecognitionSegmentation = method("recognition_disable_segmentation")
    enableRecognitionSegmentation = method("recognition_enable_segmentation")
    hasRecognitionSegmentation = method("recognition_has_segmentation")
    isRecognitionSegmentationEnabled = method("recognition_is_segmentation_enabled")

    @property
    def image(self):
        return self.getImage()

    def getImage(self, data_type="bytes"):
        # A camera of ours may have one channel instead of four.
        channels = int(library.pb_device_number(self._tag, "channels", 4))
        return self._pixels(self._call("get_image"), channels, data_type)

    def getImageArray(self):
        """[x][y] is [red, green, blue]."""
        return _columns(self.getImage("buffer"), self.width, self.height)

    def saveImage(self, filename, quality):
        return self._call("save_image", filename, quality)

    @staticmethod
    def imageGetRed(image, width, x, y):
        return image[4 * (y * width + x) + 2]

    @staticmethod
    def imageGetGreen(image, width, x, y):
        return image[4 * (y * width + x) + 1]

    @staticmethod
    def imageGetBlue(image, width, x, y):
        return image[4 * (y * width + x)]

    @staticmethod
    def imageGetGray(image, width, x, y):
        first = 4 * (y * width + x)
        return (image[first] + image[first + 1] + image[first + 2]) / 3

    @staticmethod
    def imageGetGrey(image, width, x, y):
        """Of releases before R2023a: a whole number."""
        return int(Camera.imageGetGray(image, width, x, y))

    def recognitionEnable(self, sampling_period):
        self._call("recognition_enable", sampling_period)

    def getRecognitionObjects(self):
        count = self.getRecognitionNumberOfObjects()
        address = self._call("recognition_get_objects") if count > 0 else None
        if not address:
            return []
        return [CameraRecognitionObject(record) for record in (_Recognized * count).from_address(address)]

    def getRecognitionObject(self, index):
        """Of releases before R2023a."""
        return self.getRecognitionObjects()[index]

    @property
    def segmentation_image(self):
        return self.getRecognitionSegmentationImage()

    def getRecognitionSegmentationImage(self, data_type="bytes"):
        return self._pixels(self._call("recognition_get_segmentation_image"), 4, data_type)

    def getRecognitionSegmentationImageArray(self):
        return _columns(self.getRecognitionSegmentationImage("buffer"), self.width, self.height)

    def saveRecognitionSegmentationImage(self, filename, quality):
        return self._call("recognition_save_segmentation_image", filename, quality)

    def _pixels(self, address, channels, data_type):
        if not address:
            return None
        shape = (self.height, self.width, channels)
        count = self.height * self.width * channels
        return _memory.choose(
            data_type,
            bytes=lambda: bytes(_memory.view(address, count, "B")),
            buffer=lambda: _memory.view(address, count, "B"),
            numpy=lambda: _memory.array(address, shape, "uint8"),
        )


def _columns(image, width, height):
    if not image:
        return None
    channels = len(image) // (width * height)
    blue, green, red = (0, 1, 2) if channels >= 3 else (0, 0, 0)
    columns = []
    for x in range(width):
        firsts = range(channels * x, len(image), channels * width)
        columns.append([[image[i + red], image[i + green], image[i + blue]] for i in firsts])
    return columns


class RangeFinder(Sensor):
    """Range images are rows from the upper left corner; `data_type` as for Lidar."""

    _api = "wb_range_finder_"
    fov = Attribute("get_fov")
    height = Attribute("get_height")
    max_range = Attribute("get_max_range")
    min_range = Attribute("get_min_range")
    width = Attribute("get_width")

    @property
    def range_image(self):
        return self.getRangeImage("buffer")

    def getRangeImage(self, data_type="list"):
        return self._ranges((self.height * self.width,), data_type)

    def getRangeImageArray(self, data_type="list"):
        """[row][column]: lists, or one array of numpy."""
        if data_type != "list":
            return self._ranges((self.height, self.width), data_type)
        image, width = self.getRangeImage(), self.width
        return image and [image[i : i + width] for i in range(0, len(image), width)]

    @staticmethod
    def rangeImageGetDepth(image, width, x, y):
        return image[y * width + x]

    @staticmethod
    def rangeImageGetValue(image, minRange, maxRange, width, x, y):
        """Of releases before R2023a."""
        return image[y * width + x]

    def saveImage(self, filename, quality):
        return self._call("save_image", filename, quality)

    def _ranges(self, shape, data_type):
        address = self._call("get_range_image")
        if not address:
            return None
        count = self.height * self.width
        return _memory.choose(
            data_type,
            list=lambda: _memory.view(address, count, "f").tolist(),
            buffer=lambda: _memory.view(address, count, "f"),
            numpy=lambda: _memory.array(address, shape, "float32"),
        )
