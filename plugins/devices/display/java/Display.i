// Images are ints here, whose bytes, the highest first, are those of the format.
%ignore webots::Display::drawPolygon;
%ignore webots::Display::fillPolygon;
%ignore webots::Display::imageNew;
JAVA_ARRAY(const std::vector<int>&, jintArray, int[])
%typemap(in) const std::vector<int>& (std::vector<int> numbers) {
  if (!has_elements(jenv, $input, 0)) return $null;
  numbers.resize(static_cast<std::size_t>(jenv->GetArrayLength($input)));
  jenv->GetIntArrayRegion($input, 0, static_cast<jsize>(numbers.size()), numbers.data());
  $1 = &numbers;
}
%typemap(freearg) const std::vector<int>& ""
%javamethodmodifiers polygon "private"
%javamethodmodifiers image "private"
%extend webots::Display {
  void polygon(const std::vector<int>& x, const std::vector<int>& y, int size, bool filled) {
    if (filled) {
      $self->fillPolygon(x.data(), y.data(), size);
    } else {
      $self->drawPolygon(x.data(), y.data(), size);
    }
  }
  webots::ImageRef* image(int width, int height, const std::vector<int>& pixels, int format) const {
    std::vector<unsigned char> bytes;
    for (const int pixel : pixels) {
      for (const int shift : {24, 16, 8, 0}) bytes.push_back(static_cast<unsigned char>(pixel >> shift));
    }
    return $self->imageNew(width, height, bytes.data(), format);
  }

  %proxycode %{
  public void drawPolygon(int[] x, int[] y) {
    drawPolygon(x, y, Math.min(x.length, y.length));
  }

  public void drawPolygon(int[] x, int[] y, int size) {
    checkCorners(x, y, size);
    polygon(x, y, size, false);
  }

  public void fillPolygon(int[] x, int[] y) {
    fillPolygon(x, y, Math.min(x.length, y.length));
  }

  public void fillPolygon(int[] x, int[] y, int size) {
    checkCorners(x, y, size);
    polygon(x, y, size, true);
  }

  private static void checkCorners(int[] x, int[] y, int size) {
    if (size <= Math.min(x.length, y.length)) return;
    throw new IllegalArgumentException(size + " corners out of arrays of " + x.length + " and " + y.length);
  }

  public ImageRef imageNew(int width, int height, int[] data, int format) {
    final long bytes = (long)width * height * (format == RGB ? 3 : 4);
    if (4L * data.length < bytes) {
      throw new IllegalArgumentException("an image of " + width + " x " + height + " pixels out of an array of " +
                                         data.length);
    }
    return image(width, height, data, format);
  }
  %}
}
