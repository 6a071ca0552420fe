%ignore webots::RangeFinder::rangeImageGetDepth;
%typemap(out) const float* getRangeImage {
  $result = java_array(jenv, $1, arg1->getWidth() * arg1->getHeight());
}
%extend webots::RangeFinder {
  %proxycode %{
  public static float rangeImageGetDepth(float[] image, int width, int x, int y) {
    return image[y * width + x];
  }
  %}
}
