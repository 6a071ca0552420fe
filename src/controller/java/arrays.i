// Arrays of Java for the numbers of C++: copies, since theirs change with the next step.

%{
#include <algorithm>
#include <string>
#include <vector>

namespace {

jdoubleArray java_array(JNIEnv* env, const double* values, int count) {
  if (!values) return nullptr;
  jdoubleArray array = env->NewDoubleArray(count);
  if (array) env->SetDoubleArrayRegion(array, 0, count, values);
  return array;
}

jfloatArray java_array(JNIEnv* env, const float* values, int count) {
  if (!values) return nullptr;
  jfloatArray array = env->NewFloatArray(count);
  if (array) env->SetFloatArrayRegion(array, 0, count, values);
  return array;
}

/// Of four bytes each, blue first: in an int of this machine alpha is the highest.
jintArray java_pixels(JNIEnv* env, const unsigned char* values, int count) {
  if (!values) return nullptr;
  jintArray array = env->NewIntArray(count);
  if (array) env->SetIntArrayRegion(array, 0, count, reinterpret_cast<const jint*>(values));
  return array;
}

jbyteArray java_bytes(JNIEnv* env, const void* values, int count) {
  if (!values) return nullptr;
  jbyteArray array = env->NewByteArray(count);
  if (array) env->SetByteArrayRegion(array, 0, count, static_cast<const jbyte*>(values));
  return array;
}

/// False after an exception: there are fewer than `wanted`, or there is no array.
bool has_elements(JNIEnv* env, jarray array, int wanted) {
  if (!array) {
    SWIG_JavaThrowException(env, SWIG_JavaNullPointerException, "the array is null");
    return false;
  }
  const int count = env->GetArrayLength(array);
  if (count >= wanted) return true;
  const std::string text = "an array of " + std::to_string(wanted) + " elements is needed, this one has " +
                           std::to_string(count);
  SWIG_JavaThrowException(env, SWIG_JavaIllegalArgumentException, text.c_str());
  return false;
}

}  // namespace
%}

%define JAVA_ARRAY(TYPE, JNI_TYPE, JAVA_TYPE)
%typemap(jni) TYPE "JNI_TYPE"
%typemap(jtype) TYPE "JAVA_TYPE"
%typemap(jstype) TYPE "JAVA_TYPE"
%typemap(javain) TYPE "$javainput"
%typemap(javaout) TYPE { return $jnicall; }
%enddef

JAVA_ARRAY(const double*, jdoubleArray, double[])
JAVA_ARRAY(const double[ANY], jdoubleArray, double[])
JAVA_ARRAY(std::vector<double>, jdoubleArray, double[])
JAVA_ARRAY(const float*, jfloatArray, float[])
JAVA_ARRAY(const unsigned char*, jintArray, int[])

// Three numbers, unless the name of the function is that of another count.
%typemap(out) const double* { $result = java_array(jenv, $1, 3); }
%define NUMBERS(FUNCTION, COUNT)
%typemap(out) const double* FUNCTION { $result = java_array(jenv, $1, COUNT); }
%enddef
NUMBERS(getSFVec2f, 2)
NUMBERS(getMFVec2f, 2)
NUMBERS(getSFRotation, 4)
NUMBERS(getMFRotation, 4)
NUMBERS(getQuaternion, 4)
NUMBERS(getBoneOrientation, 4)
NUMBERS(getVelocity, 6)
NUMBERS(getOrientation, 9)
NUMBERS(virtualRealityHeadsetGetOrientation, 9)
NUMBERS(getPose, 16)
NUMBERS(getLookupTable, 3 * arg1->getLookupTableSize())

%typemap(out) std::vector<double> {
  const double none = 0;
  const std::vector<double>& numbers = $1;
  $result = java_array(jenv, numbers.empty() ? &none : numbers.data(), static_cast<int>(numbers.size()));
}
%typemap(out) const unsigned char* {
  $result = java_pixels(jenv, $1, arg1->getWidth() * arg1->getHeight());
}

%typemap(in) const double[ANY] (double values[$1_dim0]) {
  if (!has_elements(jenv, $input, $1_dim0)) return $null;
  jenv->GetDoubleArrayRegion($input, 0, $1_dim0, values);
  $1 = values;
}
%typemap(freearg) const double[ANY] ""
%typemap(argout) const double[ANY] ""
