#!/bin/sh
# Makes the pictures of docs/lidars.md: each product of the catalogue scans the same courtyard, and
# its points are coloured by their distance.
#
#   docs/make_lidar_pictures.sh [NAME...]     all products, or these
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
out=$root/docs/pictures/lidars
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out" "$work/worlds"

if [ $# -eq 0 ]; then
  set -- $("$root/protobeam" info devices | awk 'NR > 1 { print $1 }')
fi

for name in "$@"; do
  cat > "$work/worlds/$name.wbt" <<END
#VRML_SIM R2025a utf8
EXTERNPROTO "webots://protos/$name.proto"
WorldInfo { basicTimeStep 10 }
Viewpoint { fieldOfView 0.9 }
Background { skyColor [ 0.02 0.02 0.03 ] }
DirectionalLight { direction 0.4 0.5 -0.8 intensity 0 ambientIntensity 1 castShadows FALSE }  # small files
Robot {
  translation 0 0 1
  controller "<none>"
  children [
    $name { }
    Pose {  # a post to stand on, below what the lidar sees
      translation -0.3 0 -0.6
      children [
        Shape {
          appearance DEF DARK PBRAppearance { baseColor 0.38 0.38 0.4 roughness 0.8 metalness 0 }
          geometry Box { size 0.1 0.1 0.8 }
        }
      ]
    }
  ]
}
Shape {
  appearance DEF GROUND PBRAppearance { baseColor 0.19 0.19 0.21 roughness 1 metalness 0 }
  geometry Plane { size 60 60 }
}
Pose {  # walls behind and on the left
  translation 11 0 1.5
  children [
    Shape {
      appearance DEF STONE PBRAppearance { baseColor 0.27 0.26 0.25 roughness 1 metalness 0 }
      geometry Box { size 0.3 16 3 }
    }
  ]
}
Pose {
  translation 3.5 8 1
  children [ Shape { appearance USE STONE geometry Box { size 15 0.3 2 } } ]
}
Pose {  # a car
  translation 5.5 3 0.55
  rotation 0 0 1 0.5
  children [
    Shape {
      appearance DEF PAINT PBRAppearance { baseColor 0.46 0.27 0.25 roughness 0.5 metalness 0 }
      geometry Box { size 4.2 1.8 0.7 }
    }
    Pose {
      translation -0.3 0 0.65
      children [ Shape { appearance USE PAINT geometry Box { size 2.2 1.6 0.6 } } ]
    }
  ]
}
Pose {  # people
  translation 3.2 -0.9 0.9
  children [
    Shape {
      appearance DEF CLOTH PBRAppearance { baseColor 0.27 0.35 0.44 roughness 1 metalness 0 }
      geometry DEF PERSON Cylinder { radius 0.25 height 1.8 }
    }
  ]
}
Pose {
  translation 2.4 -2 0.9
  children [ Shape { appearance USE CLOTH geometry USE PERSON } ]
}
Pose {
  translation 7.5 -2.5 0.9
  children [ Shape { appearance USE CLOTH geometry USE PERSON } ]
}
Pose {  # poles
  translation 6 -4.5 1.5
  children [ Shape { appearance USE DARK geometry DEF POLE Cylinder { radius 0.08 height 3 } } ]
}
Pose {
  translation 9 0.5 1.5
  children [ Shape { appearance USE DARK geometry USE POLE } ]
}
Pose {
  translation 1.5 4.5 1.5
  children [ Shape { appearance USE DARK geometry USE POLE } ]
}
Pose {  # a ball
  translation 4.2 -3.4 0.7
  children [ Shape { appearance USE CLOTH geometry Sphere { radius 0.7 subdivision 4 } } ]
}
END
  "$root/protobeam" snapshot "$work/worlds/$name.wbt" --out "$out/$name.png" --size 480x270 \
    --camera "-6 -7.5 7 4 1 0.5" --cloud range --point-size 2
done
