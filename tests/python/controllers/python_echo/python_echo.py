"""Sends back what it hears."""
from controller import Robot

robot = Robot()
receiver, emitter = map(robot.getDevice, ("receiver", "emitter"))
receiver.enable(32)
while robot.step(32) != -1:
    while receiver.getQueueLength() > 0:
        emitter.send(receiver.getBytes())
        receiver.nextPacket()
