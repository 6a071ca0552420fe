"""Classes of devices, made from what their types declare: a channel is an attribute, a command a method."""

import keyword
import re

_classes = {}


def identifier(name):
    """ "control PID": control_pid; "velocity" stays as it is."""
    word = re.sub(r"\W+", "_", name.strip()).strip("_")
    if " " in name:
        word = word.lower()
    return word + "_" if keyword.iskeyword(word) else word


def members_of(declared, taken):
    """(kind, name in Python, what is declared) of all channels and commands. A command whose name a channel or
    `taken` has already gets set_ before it."""
    out = [("channel", identifier(channel.name), channel) for channel in declared.channels]
    names = {name for _, name, _ in out} | set(taken)
    for command in declared.commands:
        name = identifier(command.name)
        if name in names:
            name = "set_" + name
        out.append(("command", name, command))
    return out


def channel_text(channel):
    extents = ", ".join(str(extent) for extent in channel.shape)
    shape = f"({extents},)" if len(channel.shape) == 1 else f"({extents})"
    lines = [f"{channel.meaning or channel.name}: {channel.type} {shape}"]
    if channel.unit:
        lines.append(f"unit: {channel.unit}")
    if channel.frame:
        lines.append(f"frame: {channel.frame}")
    if channel.missing:
        lines.append(f"without a value: {channel.missing}")
    return "; ".join(lines)


def command_text(command):
    lines = [command.meaning or command.name]
    for argument in command.arguments:
        unit = f" ({argument.unit})" if argument.unit else ""
        bounds = f", {argument.range}" if argument.range else ""
        lines.append(f"    {identifier(argument.name)}{unit}{bounds}")
    return "\n".join(lines)


def parameters_of(command):
    names = [identifier(argument.name) for argument in command.arguments]
    if command.repeats:
        names[-1] = "*" + names[-1]
    return names + (["bytes"] if command.bytes else [])


def _channel(declared):
    name = declared.name
    return property(lambda self: self[name], doc=channel_text(declared))


def _command(python_name, declared):
    parameters = parameters_of(declared)
    single = [p for p in parameters if p != "bytes" and not p.startswith("*")]
    takes = f"{python_name}({', '.join(parameters)})"

    def command(self, *values, **named):
        values = list(values)
        text = named.pop("bytes", b"")
        if declared.bytes and values and isinstance(values[-1], (bytes, str)):
            text = values.pop()
        for parameter in single[len(values):]:
            if parameter not in named:
                raise TypeError(f"{takes}: {parameter!r} is missing")
            values.append(named.pop(parameter))
        if named:
            raise TypeError(f"{takes}: there is no {next(iter(named))!r}")
        if len(values) > len(single) and not declared.repeats:
            raise TypeError(f"{takes}: {len(values)} numbers were given")
        if isinstance(text, str):
            text = text.encode()
        self._core.command(self._number, declared.name, [float(value) for value in values], text)

    command.__name__ = python_name
    command.__doc__ = command_text(declared)
    return command


def class_of(declared, base):
    """The class for devices of that type."""
    known = _classes.get(declared.name)
    if known is None:
        members = {"__doc__": declared.meaning, "__slots__": ()}
        for kind, name, what in members_of(declared, dir(base)):
            members[name] = _channel(what) if kind == "channel" else _command(name, what)
        known = _classes[declared.name] = type(declared.name, (base,), members)
    return known
