"""Sends two numbers to the robot "listener", which runs it, too, and says what Receiver.getData() gives."""
import struct

from controller import Robot

robot = Robot()
emitter, receiver = robot.getDevice("emitter"), robot.getDevice("receiver")
receiver.enable(32)
while robot.step(32) != -1:
    if robot.getName() != "listener":
        emitter.send(struct.pack("ff", 1.5, -440) if robot.getTime() < 0.1 else "a text")
        continue
    while receiver.getQueueLength() > 0:
        try:
            print("data", receiver.getData())
        except UnicodeDecodeError:
            print("no text")
        receiver.nextPacket()
