"""Display: drawing in pixels from the upper left corner, with the colour, alpha and font that were set last."""

from ._attributes import Attribute, method
from .device import Device


class Display(Device):
    _api = "wb_display_"
    RGB, RGBA, ARGB, BGRA, ABGR = range(3, 8)

    alpha = Attribute(set="set_alpha")
    color = Attribute(set="set_color")
    height = Attribute("get_height")
    opacity = Attribute(set="set_opacity")
    width = Attribute("get_width")

    detachCamera = method("detach_camera")

    def attachCamera(self, camera):
        self._call("attach_camera", camera._tag)

    def setFont(self, font, size, anti_aliasing):
        self._call("set_font", font, size, anti_aliasing)

    # Coordinates of any numbers are cut to whole pixels.

    def drawPixel(self, x, y):
        self._call("draw_pixel", int(x), int(y))

    def drawLine(self, x1, y1, x2, y2):
        self._call("draw_line", int(x1), int(y1), int(x2), int(y2))

    def drawRectangle(self, x, y, width, height):
        self._call("draw_rectangle", int(x), int(y), int(width), int(height))

    def drawOval(self, cx, cy, a, b):
        self._call("draw_oval", int(cx), int(cy), int(a), int(b))

    def drawPolygon(self, x, y):
        self._call("draw_polygon", x, y, min(len(x), len(y)))

    def drawText(self, text, x, y):
        self._call("draw_text", text, int(x), int(y))

    def fillRectangle(self, x, y, width, height):
        self._call("fill_rectangle", int(x), int(y), int(width), int(height))

    def fillOval(self, cx, cy, a, b):
        self._call("fill_oval", int(cx), int(cy), int(a), int(b))

    def fillPolygon(self, x, y):
        self._call("fill_polygon", x, y, min(len(x), len(y)))

    # Images: what imageNew, imageCopy and imageLoad return, None when they could not.

    def imageNew(self, data, format, width, height):
        """`data`: bytes in one of the formats above, or a list [x][y] of [red, green, blue]."""
        if isinstance(data, (list, tuple)):
            data = [part for y in range(height) for x in range(width) for part in data[x][y]]
        data = bytes(data)
        size = width * height * (3 if format == self.RGB else 4)
        if len(data) < size:
            raise ValueError(f"an image of {width} x {height} pixels has {size} bytes, not {len(data)}")
        return self._call("image_new", width, height, data, format)

    def imageCopy(self, x, y, width, height):
        return self._call("image_copy", int(x), int(y), int(width), int(height))

    def imageLoad(self, filename):
        return self._call("image_load", filename)

    def imageDelete(self, image):
        self._call("image_delete", image)

    def imagePaste(self, image, x, y, blend=False):
        self._call("image_paste", image, int(x), int(y), blend)

    def imageSave(self, image, filename):
        self._call("image_save", image, filename)
