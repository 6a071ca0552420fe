// Packets are arrays of bytes.
JAVA_ARRAY(const void* getData, jbyteArray, byte[])
%typemap(out) const void* getData { $result = java_bytes(jenv, $1, arg1->getDataSize()); }
