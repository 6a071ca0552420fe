#!/bin/sh
# Makes the pictures of the vehicles in docs/vehicles.md: docs/pictures/vehicles.png, all of them,
# small ones in front, and docs/pictures/vehicles/NAME.png, each one near.
#
#   docs/make_vehicle_pictures.sh
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
out=$root/docs/pictures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out/vehicles" "$work/worlds"

# world FILE BODY VIEWPOINT: a ground, a sky and what stands on it.
world() {
  cat > "$1" <<HEADER
#VRML_SIM R2025a utf8
EXTERNPROTO "webots://protos/AckermannCar.proto"
EXTERNPROTO "webots://protos/AgriCobiot2.proto"
EXTERNPROTO "webots://protos/Jackal.proto"
EXTERNPROTO "webots://protos/PickupTruck.proto"
EXTERNPROTO "webots://protos/SmallRobot.proto"
EXTERNPROTO "webots://protos/TruckWithTrailer.proto"
EXTERNPROTO "webots://protos/TurtleBot3Burger.proto"
EXTERNPROTO "webots://protos/VelodyneVLP-16.proto"
WorldInfo { basicTimeStep 10 }
Viewpoint { $3 }
Background { skyColor [ 0.62 0.75 0.88 ] }
DirectionalLight { direction -0.5 0.5 -0.8 intensity 1.5 ambientIntensity 0.4 }
Solid {
  name "ground"
  children [
    Shape {
      appearance PBRAppearance { baseColor 0.58 0.6 0.58 roughness 1 metalness 0 }
      geometry DEF GROUND Plane { size 400 400 }
    }
  ]
  boundingObject USE GROUND
}
$2
HEADER
}

# shot NAME CAMERA [FIELDS]: one vehicle, wheels steered as far as `steering` of its fields says.
shot() {
  world "$work/worlds/$1.wbt" "$1 { controller \"<none>\" ${3-} }" ""
  "$root/protobeam" snapshot "$work/worlds/$1.wbt" --out "$out/vehicles/$1.png" --size 640x400 \
    --camera "$2" --time 0.5
}

turning='driveController FrontSteer { steering 0.4 commandTimeout 0 }'
vlp='sensorSlot [ VelodyneVLP-16 { translation 0 0 0.045 enablePhysics FALSE } ]'
shot TurtleBot3Burger "0.36 -0.33 0.28 -0.02 0 0.08"
shot Jackal "0.9 -0.85 0.62 0 0 0.14" "$vlp"
shot SmallRobot "2.2 -1.9 1.4 0.05 0 0.25"
shot AckermannCar "4.9 -3.9 2.6 0.55 0 0.5" "$turning"
shot PickupTruck "8.9 -6.6 3.6 1.7 0 0.75" "$turning"
shot AgriCobiot2 "2.6 -2.1 1.6 0.3 0 0.5" "$turning"
shot TruckWithTrailer "10.5 -11 5 -1.2 0 1.5" "trailerAngle -0.25 $turning"

# All of them, in steps of about twice the distance. Facing the viewer, each half turned away.
world "$work/worlds/all.wbt" "
TruckWithTrailer { translation 25 5.2 0 rotation 0 0 1 -2.35 controller \"<none>\" $turning }
PickupTruck { translation 14 -2.6 0 rotation 0 0 1 2.4 controller \"<none>\" $turning }
AckermannCar { translation 8.6 3.9 0 rotation 0 0 1 -2.5 controller \"<none>\" $turning }
AgriCobiot2 { translation 5.2 -2.1 0 rotation 0 0 1 2.4 controller \"<none>\" $turning }
SmallRobot { translation 4.3 0.45 0 rotation 0 0 1 -2.6 controller \"<none>\" }
Jackal { translation 2.3 -0.75 0 rotation 0 0 1 2.5 controller \"<none>\" $vlp }
TurtleBot3Burger { translation 1.75 0.45 0 rotation 0 0 1 -2.5 controller \"<none>\" }" "fieldOfView 1.2 position -0.15 0 0.95 orientation 0 1 0 0.16"
"$root/protobeam" snapshot "$work/worlds/all.wbt" --out "$out/vehicles.png" --size 1280x640 \
  --time 0.5
