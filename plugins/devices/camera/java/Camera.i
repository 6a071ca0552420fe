// Images are ints here, alpha highest; objects that are recognized are values.
%ignore webots::Camera::imageGetRed;
%ignore webots::Camera::imageGetGreen;
%ignore webots::Camera::imageGetBlue;
%ignore webots::Camera::imageGetGray;
%ignore webots::Camera::imageGetGrey;
%ignore webots::Camera::getRecognitionObjects;
%javamethodmodifiers recognitionNumbers "private"
%javamethodmodifiers recognitionModel "private"
%extend webots::Camera {
  /// The members of an object in their order, without its model.
  std::vector<double> recognitionNumbers(int index) const {
    const webots::CameraRecognitionObject& object = $self->getRecognitionObjects()[index];
    std::vector<double> numbers{static_cast<double>(object.id)};
    numbers.insert(numbers.end(), object.position, object.position + 3);
    numbers.insert(numbers.end(), object.orientation, object.orientation + 4);
    numbers.insert(numbers.end(), object.size, object.size + 2);
    numbers.insert(numbers.end(), object.position_on_image, object.position_on_image + 2);
    numbers.insert(numbers.end(), object.size_on_image, object.size_on_image + 2);
    numbers.insert(numbers.end(), object.colors, object.colors + 3 * object.number_of_colors);
    return numbers;
  }
  std::string recognitionModel(int index) const { return $self->getRecognitionObjects()[index].model; }

  %proxycode %{
  public static int imageGetRed(int[] image, int width, int x, int y) {
    return pixelGetRed(image[y * width + x]);
  }

  public static int imageGetGreen(int[] image, int width, int x, int y) {
    return pixelGetGreen(image[y * width + x]);
  }

  public static int imageGetBlue(int[] image, int width, int x, int y) {
    return pixelGetBlue(image[y * width + x]);
  }

  public static int imageGetGray(int[] image, int width, int x, int y) {
    return pixelGetGray(image[y * width + x]);
  }

  public static int imageGetGrey(int[] image, int width, int x, int y) {
    return pixelGetGray(image[y * width + x]);
  }

  public static int pixelGetRed(int pixel) {
    return pixel >> 16 & 0xff;
  }

  public static int pixelGetGreen(int pixel) {
    return pixel >> 8 & 0xff;
  }

  public static int pixelGetBlue(int pixel) {
    return pixel & 0xff;
  }

  public static int pixelGetGray(int pixel) {
    return (pixelGetRed(pixel) + pixelGetGreen(pixel) + pixelGetBlue(pixel)) / 3;
  }

  public static int pixelGetGrey(int pixel) {
    return pixelGetGray(pixel);
  }

  public CameraRecognitionObject[] getRecognitionObjects() {
    final CameraRecognitionObject[] objects = new CameraRecognitionObject[getRecognitionNumberOfObjects()];
    for (int i = 0; i < objects.length; ++i) {
      objects[i] = new CameraRecognitionObject(recognitionNumbers(i), recognitionModel(i));
    }
    return objects;
  }
  %}
}
