"""The scene tree for supervisors: nodes, fields, PROTOs. Positions in m, rotations as axis and angle (rad)."""

import ctypes
import sys

from ._attributes import Attribute, Calls, method, vector
from ._library import library

# In the order of WbNodeType (R2025a's webots/nodes.h), from 0 and, after VIEWPOINT, from 34.
_SHAPE_NODES = """NO_NODE APPEARANCE BACKGROUND BILLBOARD BOX CAD_SHAPE CAPSULE COLOR CONE COORDINATE CYLINDER
DIRECTIONAL_LIGHT ELEVATION_GRID FOG GROUP IMAGE_TEXTURE INDEXED_FACE_SET INDEXED_LINE_SET MATERIAL MESH MUSCLE NORMAL
PBR_APPEARANCE PLANE POINT_LIGHT POINT_SET POSE SHAPE SPHERE SPOT_LIGHT TEXTURE_COORDINATE TEXTURE_TRANSFORM TRANSFORM
VIEWPOINT""".split()
_OTHER_NODES = """ROBOT ACCELEROMETER ALTIMETER BRAKE CAMERA COMPASS CONNECTOR DISPLAY DISTANCE_SENSOR EMITTER GPS GYRO
INERTIAL_UNIT LED LIDAR LIGHT_SENSOR LINEAR_MOTOR PEN POSITION_SENSOR PROPELLER RADAR RANGE_FINDER RECEIVER
ROTATIONAL_MOTOR SKIN SPEAKER TOUCH_SENSOR VACUUM_GRIPPER BALL_JOINT BALL_JOINT_PARAMETERS CHARGER CONTACT_PROPERTIES
DAMPING FLUID FOCUS HINGE_JOINT HINGE_JOINT_PARAMETERS HINGE_2_JOINT IMMERSION_PROPERTIES JOINT_PARAMETERS LENS
LENS_FLARE PHYSICS RECOGNITION SLIDER_JOINT SLOT SOLID SOLID_REFERENCE TRACK TRACK_WHEEL WORLD_INFO ZOOM MICROPHONE
RADIO""".split()


class _ContactPoint(ctypes.Structure):
    _fields_ = [("point", ctypes.c_double * 3), ("node_id", ctypes.c_int), ("padding", ctypes.c_int)]


class ContactPoint:
    def __init__(self, point):
        """`point`: x, y, z (m) and the number of the node that touches."""
        self.point = list(point[:3])
        self.node_id = point[3]

    def getPoint(self):
        return self.point

    def getNodeId(self):
        return self.node_id


class _Reference(Calls):
    """What the library knows by a pointer. Equal when it is the same thing."""

    _ref = None

    def _call(self, name, *arguments):
        return getattr(library, self._api + name)(self._ref, *arguments)

    def _made(self, kind, name, *arguments):
        """Object of `kind` for the pointer that a function returns; None for none."""
        ref = self._call(name, *arguments)
        return kind(ref=ref) if ref else None

    def __eq__(self, other):
        return type(self) is type(other) and self._ref == other._ref

    def __hash__(self):
        return hash(self._ref)


class Field(_Reference):
    _api = "wb_supervisor_field_"
    SF_BOOL, SF_INT32, SF_FLOAT, SF_VEC2F, SF_VEC3F, SF_ROTATION, SF_COLOR, SF_STRING, SF_NODE = range(0x01, 0x0A)
    MF_BOOL, MF_INT32, MF_FLOAT, MF_VEC2F, MF_VEC3F, MF_ROTATION, MF_COLOR, MF_STRING, MF_NODE = range(0x11, 0x1A)

    count = Attribute("get_count")
    name = Attribute("get_name")
    type_name = Attribute("get_type_name")

    disableSFTracking = method("disable_sf_tracking")
    removeSF = method("remove_sf")

    def __init__(self, ref):
        self._ref = ref
        self.type = self._call("get_type") if ref else None

    def __repr__(self):
        return f"<Field {self.type_name} '{self.name}'>"

    def getType(self):
        return self.type

    def getActualField(self):
        return self._made(Field, "get_actual_field")

    def getSFNode(self):
        return self._made(Node, "get_sf_node")

    def getMFNode(self, index):
        return self._made(Node, "get_mf_node", index)

    def enableSFTracking(self, samplingPeriod):
        self._call("enable_sf_tracking", samplingPeriod)

    def removeMF(self, index):
        self._call("remove_mf", index)

    def importMFNodeFromString(self, position, nodeString):
        self._call("import_mf_node_from_string", position, nodeString)

    def importSFNodeFromString(self, nodeString):
        self._call("import_sf_node_from_string", nodeString)

    # Names of releases before R2023a: nodes from files.

    def importMFNode(self, position, filename):
        self.importMFNodeFromString(position, _text_of(filename))

    def importSFNode(self, filename):
        self.importSFNodeFromString(_text_of(filename))

    @property
    def value(self):
        """By the field's type; of an MF field a list."""
        if self.type is None:
            return None
        kind = _KINDS[self.type & 0x0F]
        if self.type & 0x10:
            return [getattr(self, "getMF" + kind)(index) for index in range(self.count)]
        return getattr(self, "getSF" + kind)()

    @value.setter
    def value(self, value):
        kind = _KINDS.get(self.type) if self.type is not None else None
        if kind in (None, "Node"):
            what = f"the field '{self.name}' ({self.type_name})"
            print(f"Error: the value of {what} cannot be set as a whole", file=sys.stderr)
            return
        getattr(self, "setSF" + kind)(value)


_KINDS = {1: "Bool", 2: "Int32", 3: "Float", 4: "Vec2f", 5: "Vec3f", 6: "Rotation", 7: "Color", 8: "String", 9: "Node"}
_LENGTHS = {"Vec2f": 2, "Vec3f": 3, "Rotation": 4, "Color": 3}


def _add_accessors(number, kind):
    """getSFVec3f(), setSFVec3f(value), getMFVec3f(index), setMFVec3f(index, value) and
    insertMFVec3f(index, value) of Field."""
    c_name = kind.lower()
    length = _LENGTHS.get(kind)
    convert = vector(length) if length else lambda value: value

    def fitting(function, value):
        """None where there are too many."""
        if length is None or len(value) <= length:
            return value if length is None else _filled(f"Field.{function}()", value, length)
        print(f"Error: Field.{function}() takes {length} numbers, not {len(value)}", file=sys.stderr)
        return None

    def get_sf(self):
        if self.type == number:
            return convert(self._call("get_sf_" + c_name))
        # As in Webots since R2023a: by the field's own type.
        return self.value if self.type in _KINDS else None

    def get_mf(self, index):
        return convert(self._call("get_mf_" + c_name, index))

    def set_sf(self, value):
        value = fitting("setSF" + kind, value)
        if value is None:
            return
        own = _KINDS.get(self.type)
        alike = length and _LENGTHS.get(own) == length
        self._call("set_sf_" + (own.lower() if alike else c_name), value)

    def set_mf(self, index, value):
        value = fitting("setMF" + kind, value)
        if value is not None:
            self._call("set_mf_" + c_name, index, value)

    def insert_mf(self, index, value):
        value = fitting("insertMF" + kind, value)
        if value is not None:
            self._call("insert_mf_" + c_name, index, value)

    functions = {"getSF": get_sf, "getMF": get_mf, "setSF": set_sf, "setMF": set_mf, "insertMF": insert_mf}
    for begin, function in functions.items():
        function.__name__ = begin + kind
        function.__qualname__ = f"Field.{begin}{kind}"
        setattr(Field, begin + kind, function)


for _number, _kind in _KINDS.items():
    if _kind != "Node":
        _add_accessors(_number, _kind)


class Proto(_Reference):
    _api = "wb_supervisor_proto_"
    is_derived = Attribute("is_derived")
    number_of_fields = Attribute("get_number_of_fields")
    type_name = Attribute("get_type_name")

    def __init__(self, ref):
        self._ref = ref

    def getParent(self):
        return self._made(Proto, "get_parent")

    def getField(self, name):
        return self._made(Field, "get_field", name)

    def getFieldByIndex(self, index):
        return self._made(Field, "get_field_by_index", index)


class Node(_Reference):
    _api = "wb_supervisor_node_"

    DEF = Attribute("get_def")
    base_type_name = Attribute("get_base_type_name")
    id = Attribute("get_id")
    number_of_base_node_fields = Attribute("get_number_of_base_node_fields")
    number_of_fields = Attribute("get_number_of_fields")
    type = Attribute("get_type")
    type_name = Attribute("get_type_name")

    exportString = method("export_string")
    getStaticBalance = method("get_static_balance")
    isProto = method("is_proto")
    moveViewpoint = method("move_viewpoint")
    remove = method("remove")
    resetPhysics = method("reset_physics")
    restartController = method("restart_controller")

    def __init__(self, DEF=None, tag=None, id=None, selected=None, ref=None):
        """By one of them; a `tag` of 0 is the robot itself; by none the root of the scene tree."""
        if ref is not None:
            self._ref = ref
        elif id is not None:
            self._ref = library.wb_supervisor_node_get_from_id(id)
        elif tag is not None:
            get = library.wb_supervisor_node_get_from_device
            self._ref = get(tag) if tag else library.wb_supervisor_node_get_self()
        elif DEF is not None:
            self._ref = library.wb_supervisor_node_get_from_def(DEF)
        elif selected is not None:
            self._ref = library.wb_supervisor_node_get_selected()
        else:
            self._ref = library.wb_supervisor_node_get_root()

    def __repr__(self):
        return f"<Node {self.DEF or ''} {self.type_name} {self.id}>"

    def getParentNode(self):
        return self._made(Node, "get_parent_node")

    def getProto(self):
        return self._made(Proto, "get_proto")

    def getFromProtoDef(self, DEF):
        return self._made(Node, "get_from_proto_def", DEF)

    def getField(self, fieldName):
        return self._made(Field, "get_field", fieldName)

    def getFieldByIndex(self, index):
        return self._made(Field, "get_field_by_index", index)

    def getBaseNodeField(self, fieldName):
        return self._made(Field, "get_base_node_field", fieldName)

    def getBaseNodeFieldByIndex(self, index):
        return self._made(Field, "get_base_node_field_by_index", index)

    # Names of releases before R2025a.
    getProtoField = getBaseNodeField
    getProtoFieldByIndex = getBaseNodeFieldByIndex

    def getProtoNumberOfFields(self):
        return self.number_of_base_node_fields

    def getPosition(self):
        return vector(3)(self._call("get_position"))

    def getOrientation(self):
        """The rotation matrix, one row after another."""
        return vector(9)(self._call("get_orientation"))

    def getPose(self, fromNode=None):
        """The transformation matrix, 4 x 4, one row after another; in the frame of `fromNode` or of the world."""
        return vector(16)(self._call("get_pose", _ref_of(fromNode)))

    def getCenterOfMass(self):
        return vector(3)(self._call("get_center_of_mass"))

    def getVelocity(self):
        """Linear (m/s), then angular (rad/s), in the world."""
        return vector(6)(self._call("get_velocity"))

    def setVelocity(self, velocity):
        self._call("set_velocity", _numbers("setVelocity", velocity, 6))

    def enablePoseTracking(self, samplingPeriod, fromNode=None):
        self._call("enable_pose_tracking", samplingPeriod, _ref_of(fromNode))

    def disablePoseTracking(self, fromNode=None):
        self._call("disable_pose_tracking", _ref_of(fromNode))

    def getContactPoints(self, includeDescendants=False):
        size = ctypes.c_int(0)
        address = self._call("get_contact_points", includeDescendants, ctypes.byref(size))
        if not address:
            return []
        points = (_ContactPoint * size.value).from_address(address)
        return [ContactPoint([*point.point, point.node_id]) for point in points]

    # Names of releases before R2023a.

    def getNumberOfContactPoints(self, includeDescendants=False):
        return self._call("get_number_of_contact_points", includeDescendants)

    def getContactPoint(self, index):
        """Of those that were counted last; NaN when there are not so many."""
        return vector(3)(self._call("get_contact_point", index))

    def getContactPointNode(self, index):
        return self._made(Node, "get_contact_point_node", index)

    def enableContactPointsTracking(self, samplingPeriod, includeDescendants=False):
        self._call("enable_contact_points_tracking", samplingPeriod, includeDescendants)

    def disableContactPointsTracking(self, includeDescendants=False):
        """The argument is of older releases."""
        self._call("disable_contact_points_tracking")

    enableContactPointTracking = enableContactPointsTracking
    disableContactPointTracking = disableContactPointsTracking

    def saveState(self, stateName):
        self._call("save_state", stateName)

    def loadState(self, stateName):
        self._call("load_state", stateName)

    def setJointPosition(self, position, index=1):
        self._call("set_joint_position", position, index)

    def setVisibility(self, fromNode, visible):
        self._call("set_visibility", _ref_of(fromNode), visible)

    # N and N m; `relative`: in the frame of the node.

    def addForce(self, force, relative):
        self._call("add_force", _numbers("addForce", force, 3), relative)

    def addForceWithOffset(self, force, offset, relative):
        function = "addForceWithOffset"
        self._call("add_force_with_offset", _numbers(function, force, 3), _numbers(function, offset, 3), relative)

    def addTorque(self, torque, relative):
        self._call("add_torque", _numbers("addTorque", torque, 3), relative)


for _number, _name in [*enumerate(_SHAPE_NODES), *enumerate(_OTHER_NODES, 34)]:
    setattr(Node, _name, _number)


def _text_of(filename):
    with open(filename, encoding="utf-8") as file:
        return file.read()


def _ref_of(node):
    return node._ref if node else None


_said_to_fill = set()


def _filled(function, values, count):
    """As Webots' arrays of ctypes: numbers that are missing are 0, which is said once."""
    if len(values) == count:
        return values
    if function not in _said_to_fill:
        _said_to_fill.add(function)
        missing = "those that are missing are 0"
        print(f"Warning: {function} takes {count} numbers, not {len(values)}: {missing}", file=sys.stderr)
    return [*values, *[0] * (count - len(values))]


def _numbers(function, values, count):
    if len(values) > count:
        raise ValueError(f"{count} numbers are expected, not {len(values)}")
    return _filled(f"Node.{function}()", values, count)
