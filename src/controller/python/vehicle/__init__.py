"""Cars: the package `vehicle` of Webots R2025a, on a robot that has a VehicleDrive with steered wheels."""

import sys

from .cars import Car, Driver

__all__ = ["Car", "Driver"]

# Webots has one module a class.
sys.modules[f"{__name__}.car"] = sys.modules[f"{__name__}.driver"] = sys.modules[f"{__name__}.cars"]
