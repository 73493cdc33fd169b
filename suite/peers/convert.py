"""Robots written as MJCF and URDF, loaded by MuJoCo and Pinocchio: mass matrix and bias force at random states.

    python suite/peers/convert.py [--jourdain PATH] [ROBOT ...]

Without robots: all built-in ones and the robot files of the suite. Needs the packages `mujoco` and `pin`; the one that is missing
is left out. Ends with 1 if a number differs by more than 1e-9 of the largest, or if MuJoCo refuses a file without that having
been told.
"""

import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import numpy as np

try:
    import mujoco
except ImportError:
    mujoco = None
try:
    import pinocchio
except ImportError:
    pinocchio = None

HERE = os.path.dirname(os.path.abspath(__file__))
SUITE = os.path.dirname(HERE)
TOLERANCE = 1e-9
REFUSED = "MuJoCo refuses the file"


def run(command, *arguments):
    found = subprocess.run([command, *arguments, "--json"], capture_output=True, text=True)
    document = json.loads(found.stdout)
    if found.returncode:
        raise ValueError(document["error"]["message"])
    return document


class Robot:
    """A robot as jourdain computes it, at random states."""

    def __init__(self, command, robot):
        self.info = run(command, "info", robot)
        native = json.loads(run(command, "convert", robot, "--to", "json")["text"])
        self.gravity = native["gravity"]
        self.joints = {}
        for link in native["link"]:
            joint = link.get("joint", {})
            self.joints[joint.get("name", link["name"])] = link
        random = np.random.default_rng(17)
        self.states = []
        for _ in range(3):
            q = random.uniform(-1.5, 1.5, self.info["nq"])
            parts = self.info["coordinates"]
            for first in [i for i, part in enumerate(parts) if part["part"] == "qw"]:
                q[first : first + 4] /= np.linalg.norm(q[first : first + 4])
            self.states.append((q, random.uniform(-1, 1, self.info["dof"])))
        states = [{"q": list(q), "qd": list(v)} for q, v in self.states]
        found = run(command, "eval", robot, "-s", json.dumps(states), "-Q", "mass_matrix,bias")
        self.results = [(np.array(one["quantities"]["mass_matrix"]), np.array(one["quantities"]["bias"])) for one in found]

    def spread(self, names):
        """By the names of another program's joints: where their numbers are in q and in the velocity."""
        places = []
        for table in ("coordinates", "velocities"):
            of = {}
            for index, part in enumerate(self.info[table]):
                of.setdefault(part["joint"], []).append(index)
            places.append(of)
        found = {}
        for name in names:
            if name in places[0] and (len(places[0][name]) == 1 or f"{name}_1" not in names):
                found[name] = (places[0][name], places[1][name])
                continue
            stem, _, ending = name.rpartition("_")
            if stem in places[0] and ending.isdigit():
                index = int(ending) - 1
                found[name] = ([places[0][stem][index]], [places[1][stem][index]])
        return found

    def armature(self):
        """What drives add to the diagonal of the mass matrix."""
        diagonal = np.zeros(self.info["dof"])
        for index, part in enumerate(self.info["velocities"]):
            motor = self.joints[part["joint"]].get("motor")
            if motor and "stiffness" not in motor:
                diagonal[index] = motor["inertia"] * motor["ratio"] ** 2
        return diagonal

    def has_driven_base(self):
        """The drive of a free joint goes along with the link's axes here and with the world's in MuJoCo."""
        return any(link.get("joint", {}).get("type") == "free" and "motor" in link for link in self.joints.values())

    def followers(self):
        """Joint, leader, multiplier, offset; chains resolved."""
        mimics = {name: link["joint"]["mimic"] for name, link in self.joints.items() if "mimic" in link.get("joint", {})}
        by_link = {link["name"]: name for name, link in self.joints.items()}

        def resolve(name):
            mimic = mimics[name]
            leader = mimic["joint"] if mimic["joint"] in self.joints else by_link[mimic["joint"]]
            if leader not in mimics:
                return leader, mimic["multiplier"], mimic["offset"]
            top, multiplier, offset = resolve(leader)
            return top, mimic["multiplier"] * multiplier, mimic["multiplier"] * offset + mimic["offset"]

        return {name: resolve(name) for name in mimics}


def number(value):
    if isinstance(value, str):
        above, below = value.split("/")
        return int(above) / int(below)
    return value


def difference(found, expected):
    return np.abs(found - expected).max() / max(1e-6, np.abs(expected).max())


def cross(w):
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def with_mujoco(robot, path):
    """The largest error relative to the largest entry."""
    model = mujoco.MjModel.from_xml_path(path)
    data = mujoco.MjData(model)
    names = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, i) for i in range(model.njnt)]
    places, followers = robot.spread(names), robot.followers()
    if any(name not in places and name not in followers for name in names):
        # A free joint inside a tree: three slides and a ball have other velocities.
        return None
    worst = 0.0
    for (q, v), (mass, bias) in zip(robot.states, robot.results):
        nv = len(v)
        onto, rate = np.zeros((model.nv, nv)), np.zeros((model.nv, nv))
        for index, name in enumerate(names):
            at, dof, kind = model.jnt_qposadr[index], model.jnt_dofadr[index], model.jnt_type[index]
            if name in followers:
                leader, multiplier, offset = followers[name]
                data.qpos[at] = multiplier * q[places[leader][0][0]] + offset
                onto[dof, places[leader][1][0]] = multiplier
                continue
            numbers, velocities = places[name]
            data.qpos[at : at + len(numbers)] = q[numbers]
            for row, column in enumerate(velocities):
                onto[dof + row, column] = 1.0
            if kind == mujoco.mjtJoint.mjJNT_FREE:
                turn = np.zeros(9)
                mujoco.mju_quat2Mat(turn, data.qpos[at + 3 : at + 7])
                turn = turn.reshape(3, 3)
                onto[dof : dof + 3, velocities[:3]] = turn
                rate[dof : dof + 3, velocities[:3]] = turn @ cross(v[velocities[3:]])
        data.qvel[:] = onto @ v
        mujoco.mj_forward(model, data)
        full = np.zeros((model.nv, model.nv))
        try:
            mujoco.mj_fullM(model, full, data.qM)
        except (AttributeError, TypeError):
            mujoco.mj_fullM(model, data, full)
        elastic = [name for name, link in robot.joints.items() if "stiffness" in link.get("motor", {})]
        for name in elastic:
            dof = model.jnt_dofadr[names.index(name)]
            full[dof, dof] -= model.dof_armature[dof]
        found = onto.T @ full @ onto
        force = onto.T @ (data.qfrc_bias + full @ (rate @ v))
        worst = max(worst, difference(found, mass))
        if not robot.has_driven_base():
            worst = max(worst, difference(force, bias))
    return worst


def with_pinocchio(robot, path):
    """The largest error relative to the largest entry."""
    model = pinocchio.buildModelFromUrdf(path)
    model.gravity.linear = np.array([number(x) for x in robot.gravity])
    data = model.createData()
    names = list(model.names)[1:]
    places, followers = robot.spread(names), robot.followers()
    if any(name not in places and name not in followers for name in names):
        return None
    tags = {joint.get("name"): joint.get("type") for joint in ElementTree.parse(path).getroot().iter("joint")}
    worst = 0.0
    for (q, v), (mass, bias) in zip(robot.states, robot.results):
        configuration, onto = pinocchio.neutral(model), np.zeros((model.nv, len(v)))
        for name in names:
            joint = model.joints[model.getJointId(name)]
            if name in followers:
                leader, multiplier, offset = followers[name]
                numbers = [multiplier * q[places[leader][0][0]] + offset]
                onto[joint.idx_v, places[leader][1][0]] = multiplier
            else:
                numbers = list(q[places[name][0]])
                for row, column in enumerate(places[name][1]):
                    onto[joint.idx_v + row, column] = 1.0
            if tags[name] == "floating":
                numbers = [*numbers[:3], *numbers[4:], numbers[3]]
            elif joint.nq == 2:
                numbers = [np.cos(numbers[0]), np.sin(numbers[0])]
            elif tags[name] == "planar":
                # Pinocchio's velocity is in the axes of the link.
                return None
            configuration[joint.idx_q : joint.idx_q + joint.nq] = numbers
        full = np.array(pinocchio.crba(model, data, configuration))
        full = np.triu(full) + np.triu(full, 1).T
        velocity = onto @ v
        force = onto.T @ pinocchio.rnea(model, data, configuration, velocity, np.zeros(model.nv))
        found = onto.T @ full @ onto + np.diag(robot.armature())
        worst = max(worst, difference(found, mass), difference(force, bias))
    return worst


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jourdain", default="target/debug/jourdain")
    parser.add_argument("robots", nargs="*")
    options = parser.parse_args()
    command = options.jourdain
    robots = options.robots or [robot["name"] for robot in run(command, "robots")] + sorted(
        path
        for folder in ("good", "robots", "equivalent")
        for path in glob.glob(f"{SUITE}/{folder}/*")
        if path.endswith((".toml", ".urdf"))
    ) + [f"{folder}/{os.path.basename(folder)}.xml" for folder in sorted(glob.glob(f"{SUITE}/mjcf/*"))]
    peers = [("mjcf", ".xml", with_mujoco)] * bool(mujoco) + [("urdf", ".urdf", with_pinocchio)] * bool(pinocchio)
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in robots:
            try:
                robot = Robot(command, name)
            except ValueError as refusal:
                print(f"{os.path.basename(name):32} not read: {refusal}")
                continue
            words = []
            for format, ending, compare in peers:
                path = f"{folder}/robot{ending}"
                try:
                    written = run(command, "convert", name, "--to", format, "--out", path)
                except ValueError as refusal:
                    words.append(f"{format}: not written ({refusal})")
                    continue
                told = any(REFUSED in sentence for sentence in written["lost"])
                try:
                    error = compare(robot, path)
                except ValueError as refusal:
                    message = str(refusal).replace("\n", " ")[:90]
                    if format == "mjcf" and told:
                        words.append("mjcf: refused, as told")
                    else:
                        failures += 1
                        words.append(f"{format}: FAILS: {message}")
                    continue
                if error is None:
                    words.append(f"{format}: loads")
                elif error > TOLERANCE:
                    failures += 1
                    words.append(f"{format}: DIFFERS by {error:.1e}")
                else:
                    words.append(f"{format}: {error:.1e}" + (" (told as refused)" if told else ""))
            print(f"{os.path.basename(name):32} {'; '.join(words)}")
    print(f"{len(robots)} robots, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
