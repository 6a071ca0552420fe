// Packets are arrays of bytes.
%ignore webots::Emitter::send;
JAVA_ARRAY(const void* packet, jbyteArray, byte[])
%typemap(in) (const void* packet) (std::vector<jbyte> bytes) {
  if (!has_elements(jenv, $input, 0)) return $null;
  bytes.resize(static_cast<std::size_t>(jenv->GetArrayLength($input)));
  jenv->GetByteArrayRegion($input, 0, static_cast<jsize>(bytes.size()), bytes.data());
  $1 = bytes.data();
}
%javamethodmodifiers sendBytes "private"
%extend webots::Emitter {
  int sendBytes(const void* packet, int size) { return $self->send(packet, size); }

  %proxycode %{
  public int send(byte[] data) {
    return send(data, data.length);
  }

  public int send(byte[] data, int size) {
    if (size < 0 || size > data.length) {
      throw new IllegalArgumentException("a packet of " + size + " bytes out of an array of " + data.length);
    }
    return sendBytes(data, size);
  }
  %}
}
