"""The peers of the differential campaign: what jourdain computed at a state, computed again by Pinocchio and by MuJoCo.

    python suite/peers/campaign.py

Run by the program in `campaign/`, which says on standard input what it has: a line of JSON per robot, followed by the numbers of
its quantities as they lie in memory (doubles). A line of JSON comes back: for each peer the error of each quantity, the largest
difference over the largest number, or over one where all are smaller. A peer that is not installed is named in the first line.

- A robot in the native form is built in Pinocchio joint by joint; a joint of several numbers becomes a chain of joints.
- A robot as URDF is read by Pinocchio, a robot as MJCF by MuJoCo.
- The peers' velocities are P w with w jourdain's: mimics, other orders, other axes of velocities. Where P changes in time its
  rate enters, and partial derivatives are not compared.
"""

import json
import math
import sys

import numpy as np

import peer_mujoco
import peer_pinocchio


class Robot:
    """A robot of the native form: where the numbers of each joint stand, couplings, drives."""

    POSITIONS = {"fixed": 0, "universal": 2, "cylindrical": 2, "planar": 3, "spherical": 4, "free": 7}

    def __init__(self, native, state):
        self.links, self.gravity = native["link"], np.array(native["gravity"])
        self.state = {name: np.array(values) for name, values in state.items() if name != "wrenches"}
        self.wrenches = state["wrenches"]
        self.place, self.joints, nq, nv = {}, {}, 0, 0
        for link in self.links:
            joint = link.setdefault("joint", {"type": "revolute"})
            name = joint.setdefault("name", link["name"])
            self.joints[name] = link
            if "mimic" in joint:
                continue
            self.place[name] = (nq, nv)
            nq, nv = nq + self.positions(joint), nv + self.velocities(joint)
        self.nv = nv
        if (nq, nv) != (len(state["q"]), len(state["qd"])):
            raise ValueError(f"the robot has {nq} positions and {nv} velocities here, {len(state['q'])} and {len(state['qd'])} there")

    def positions(self, joint):
        return len(joint["sequence"]) if joint["type"] == "composite" else self.POSITIONS.get(joint["type"], 1)

    def velocities(self, joint):
        """A quaternion has one number more than its velocity."""
        return self.positions(joint) - (joint["type"] in ("spherical", "free"))

    def followed(self, name):
        """The leader of a joint with q = factor · leader + offset; itself if it follows none."""
        mimic = self.joints[name]["joint"].get("mimic")
        if mimic is None:
            return name, 1.0, 0.0
        leader, factor, offset = self.followed(mimic["joint"])
        k, o = mimic.get("multiplier", 1.0), mimic.get("offset", 0.0)
        return leader, k * factor, k * offset + o

    def value(self, name, part=0):
        """One number of a joint's position."""
        leader, factor, offset = self.followed(name)
        return factor * self.state["q"][self.place[leader][0] + part] + offset

    def row(self, name, part=0):
        """A velocity of a joint as a row over all velocities."""
        row = np.zeros(self.nv)
        leader, factor, _ = self.followed(name)
        row[self.place[leader][1] + part] = factor
        return row

    def armature(self, name):
        motor = self.joints[name].get("motor", {})
        return 0.0 if "stiffness" in motor else motor.get("inertia", 0.0) * motor.get("ratio", 1.0) ** 2

    def friction(self):
        """Friction along the velocities and its derivative by them, at the state."""
        force, slope = np.zeros(self.nv), np.zeros((self.nv, self.nv))
        for name, link in self.joints.items():
            motor = link.get("motor")
            if motor is None:
                continue
            for part in range(self.velocities(link["joint"])):
                row = self.row(name, part)
                speed = row @ self.state["qd"]
                smooth = math.hypot(speed, 1e-2)
                viscous, coulomb = motor.get("viscous", 0.0), motor.get("coulomb", 0.0)
                force += row * (viscous * speed + coulomb * speed / smooth)
                slope += np.outer(row, row) * (viscous + coulomb * 1e-4 / smooth**3)
        return force, slope


def error(found, expected):
    """The largest difference over the largest number, or over one; not a number is infinitely far."""
    found, expected = np.asarray(found, dtype=float).reshape(expected.shape), expected
    if not expected.size:
        return 0.0
    largest = np.abs(found - expected).max() / max(1.0, np.abs(expected).max())
    return float(largest) if math.isfinite(largest) else 1e300


def compare(case, numbers):
    given, at = {}, 0
    for name, shape in case["quantities"]:
        size = math.prod(shape)
        given[name], at = numbers[at : at + size].reshape(shape), at + size
    robot = Robot(case["robot"], case["state"])
    answer = {}
    for title, peer in (("Pinocchio", peer_pinocchio), ("MuJoCo", peer_mujoco)):
        if peer.missing:
            continue
        for way, found in peer.evaluate(robot, case, given):
            answer[title + way] = {name: error(value, given[name]) for name, value in found.items() if name in given}
    return answer


def main():
    versions = {title: peer.version() for title, peer in (("Pinocchio", peer_pinocchio), ("MuJoCo", peer_mujoco)) if not peer.missing}
    out = sys.stdout
    print(json.dumps(versions), file=out, flush=True)
    for line in iter(sys.stdin.buffer.readline, b""):
        case = json.loads(line)
        numbers = np.frombuffer(sys.stdin.buffer.read(8 * case["numbers"]), dtype="<f8")
        try:
            answer = compare(case, numbers)
        except Exception as problem:  # What a peer cannot do is told, with the seed, by the program that asked.
            answer = {"problem": f"{type(problem).__name__}: {problem}"}
        print(json.dumps(answer), file=out, flush=True)


if __name__ == "__main__":
    main()
