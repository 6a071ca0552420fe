// The package com.cyberbotics.webots.controller.vehicle.
%module vehicle

%{
#include <webots/vehicle/Car.hpp>
%}

%pragma(java) jniclasscode=%{
  static {
    System.loadLibrary("JavaController");
  }
%}

%import "controller.i"

// Its constants are their own.
%typemap(javainterfaces) SWIGTYPE ""
%typemap(javaimports) SWIGTYPE %{
import com.cyberbotics.webots.controller.Supervisor;
%}
%ignore getDriverInstance;
%ignore internalGetInstanceDriver;
%include <webots/vehicle/Driver.hpp>
%include <webots/vehicle/Car.hpp>
