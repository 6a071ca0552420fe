// Targets are values here: the simulator's own change with the next step.
%ignore webots::Radar::getTargets;
%javamethodmodifiers targetNumbers "private"
%extend webots::Radar {
  /// Four numbers a target.
  std::vector<double> targetNumbers() const {
    std::vector<double> numbers;
    const webots::RadarTarget* targets = $self->getTargets();
    for (int i = 0; targets && i < $self->getNumberOfTargets(); ++i) {
      const webots::RadarTarget& target = targets[i];
      numbers.insert(numbers.end(), {target.distance, target.received_power, target.speed, target.azimuth});
    }
    return numbers;
  }

  %proxycode %{
  public RadarTarget[] getTargets() {
    final double[] numbers = targetNumbers();
    final RadarTarget[] targets = new RadarTarget[numbers.length / 4];
    for (int i = 0; i < targets.length; ++i) targets[i] = new RadarTarget(numbers, 4 * i);
    return targets;
  }
  %}
}
