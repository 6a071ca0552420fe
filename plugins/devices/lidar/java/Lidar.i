// Points are values here: the simulator's own change with the next step.
%ignore webots::Lidar::getPointCloud;
%ignore webots::Lidar::getLayerPointCloud;
%typemap(out) const float* getRangeImage {
  $result = java_array(jenv, $1, arg1->getHorizontalResolution() * arg1->getNumberOfLayers());
}
%typemap(out) const float* getLayerRangeImage {
  $result = java_array(jenv, $1, arg1->getHorizontalResolution());
}
%javamethodmodifiers pointNumbers "private"
%extend webots::Lidar {
  /// Five numbers a point, of all layers (-1) or of one; none when there are no points.
  std::vector<double> pointNumbers(int layer) const {
    const webots::LidarPoint* points =
        layer < 0 ? $self->getPointCloud() : $self->getLayerPointCloud(layer);
    if (!points) return {};
    const int count = layer < 0 ? $self->getNumberOfPoints() : $self->getHorizontalResolution();
    std::vector<double> numbers;
    numbers.reserve(5 * static_cast<std::size_t>(count));
    for (const webots::LidarPoint* p = points; p != points + count; ++p) {
      numbers.insert(numbers.end(), {p->x, p->y, p->z, static_cast<double>(p->layer_id), p->time});
    }
    return numbers;
  }

  %proxycode %{
  public LidarPoint[] getPointCloud() {
    return LidarPoint.all(pointNumbers(-1));
  }

  public LidarPoint[] getLayerPointCloud(int layer) {
    return layer < 0 ? null : LidarPoint.all(pointNumbers(layer));
  }
  %}
}
