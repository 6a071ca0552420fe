// The package com.cyberbotics.webots.controller, made by SWIG of the headers for C++. What the
// device types add stands in their folders (plugins/devices/*/java), and is listed in devices.i.
%module wrapper

%{
#include <protobeam/device.h>
#include <protobeam/metric.h>
#include <webots/DifferentialWheels.hpp>
#include <webots/Supervisor.hpp>
#include <webots/utils/Motion.hpp>
#include <webots/device_headers.inc>
%}

%pragma(java) jniclasscode=%{
  static {
    System.loadLibrary("JavaController");
  }
%}

// Constants are those of the language, so that they may stand after `case`. Those of C++ are written
// by the names of those in C, which all classes have therefore.
%include "enumsimple.swg"
%javaconst(1);
%typemap(javainterfaces) SWIGTYPE "wrapperConstants"
%rename("$ignore", regextarget=1, %$isfunction) "^(wb_|wbu_|pb_)";
%include "std_string.i"
%include "arrays.i"

typedef unsigned short WbDeviceTag;

%include <webots/nodes.h>
%include <webots/supervisor.h>
%include <webots/keyboard.h>

// Objects that C++ has one of each: there is one in Java, too.
%define ONE_OBJECT(CLASS)
%typemap(javaout) webots::CLASS* { return CLASS.find($jnicall); }
%typemap(javacode) webots::CLASS %{
  private static final java.util.HashMap<Long, $javaclassname> known =
      new java.util.HashMap<Long, $javaclassname>();

  static synchronized $javaclassname find(long address) {
    if (address == 0) return null;
    $javaclassname object = known.get(address);
    if (object == null) {
      object = new $javaclassname(address, false);
      known.put(address, object);
    }
    return object;
  }
%}
%enddef

%include <webots/Device.hpp>
%ignore webots::ImageRef::ImageRef;
%ignore webots::ImageRef::getImageRef;
%include <webots/ImageRef.hpp>

// Of a device C++ gives its own object, Java has that of the same tag.
%define A_DEVICE(CLASS)
%typemap(javaout) webots::CLASS* {
    final long device = $jnicall;
    return device == 0 ? null : (CLASS)Robot.getDevice(new CLASS(device, false).getTag());
  }
%extend webots::CLASS {  // constructors that C++ inherits
  CLASS(WbDeviceTag tag) { return new webots::CLASS(tag); }
  CLASS(const std::string& name) { return new webots::CLASS(name); }
}
%enddef
%javaconstvalue("ROTATIONAL") ANGULAR;  // in C++ by another name than in Java
%include "devices.i"

%rename(MouseState) WbMouseState;
%immutable;
%include <webots/mouse_state.h>
%mutable;
typedef WbMouseState MouseState;
%include <webots/Joystick.hpp>
%include <webots/Keyboard.hpp>
%include <webots/Mouse.hpp>
%include <webots/utils/Motion.hpp>

ONE_OBJECT(Proto)
ONE_OBJECT(Field)
ONE_OBJECT(Node)
%ignore findNode;
%ignore findField;
%ignore findProto;
%ignore webots::Node::getContactPoints;
%javamethodmodifiers contactNumbers "private"
%extend webots::Node {
  /// Four numbers a point: its place and its node.
  std::vector<double> contactNumbers(bool includeDescendants) const {
    std::vector<double> numbers;
    int count = 0;
    const webots::ContactPoint* points = $self->getContactPoints(includeDescendants, &count);
    for (int i = 0; i < count; ++i) {
      numbers.insert(numbers.end(), points[i].point, points[i].point + 3);
      numbers.push_back(points[i].node_id);
    }
    return numbers;
  }
}
%extend webots::Node {
  %proxycode %{
  public ContactPoint[] getContactPoints(boolean includeDescendants) {
    final double[] numbers = contactNumbers(includeDescendants);
    final ContactPoint[] points = new ContactPoint[numbers.length / 4];
    for (int i = 0; i < points.length; ++i) points[i] = new ContactPoint(numbers, 4 * i);
    return points;
  }

  /** So programs call it that were built with Webots' classes. */
  public ContactPoint[] getContactPoints(Boolean includeDescendants) {
    return getContactPoints(includeDescendants.booleanValue());
  }
  %}
}
%include <webots/Node.hpp>
%include <webots/Field.hpp>
%include <webots/Proto.hpp>

%typemap(javabase) webots::Robot "Devices"
%ignore webots::Robot::getDevice;
%ignore webots::Robot::getDeviceByIndex;
%ignore webots::Robot::getDeviceFromTag;
%ignore internalGetInstance;
%ignore webots::Robot::windowCustomFunction;
%ignore webots::Robot::wwiSend;
%ignore webots::Robot::wwiReceive;
%javamethodmodifiers deviceClass "/* for Devices */"
%extend webots::Robot {
  static void metric(const std::string& name, double value) { pb_metric(name.c_str(), value); }
  /// The class of a device, "" for none.
  static std::string deviceClass(int tag) { return pb_device_get_api(static_cast<WbDeviceTag>(tag)); }
}
%include <webots/Robot.hpp>
%include <webots/Supervisor.hpp>
%include <webots/DifferentialWheels.hpp>
