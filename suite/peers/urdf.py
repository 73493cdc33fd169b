"""Compares jourdain with Pinocchio on URDF files: M, τ, ∂τ/∂q and ∂τ/∂q̇ at random states.

    python suite/peers/urdf.py [--jourdain FILE] [--tolerance T] [--states N] [FILE or FOLDER …]

Without files, those of the package example-robot-data. Needs the packages pin and numpy. Prints a line per file and ends
with 1 if a file that Pinocchio reads is refused by jourdain, or if the two disagree.

How the two are put on the same footing:
- Joints are matched by name: Pinocchio sorts the children of a link by name, jourdain keeps the order of the file.
- Pinocchio's torques have no friction. The <dynamics> of the file is added: damping c + friction c/√(c² + 10⁻⁴).
- Pinocchio is built without mimics and projected: positions k q + o, velocities k q̇, torques by the transpose. A <mimic> on
  a fixed joint, or of a joint that is not there, is none, as jourdain reads it.
- Gravity is standard gravity, 9.80665 m/s².
"""

import argparse
import json
import math
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pinocchio as pin

QUANTITIES = ["mass_matrix", "inverse_dynamics", "inverse_dynamics_dq", "inverse_dynamics_dqd"]
COLUMNS = ["M", "tau", "dtau/dq", "dtau/dqd"]
COULOMB_SPEED = 1e-2
REPOSITORY = Path(__file__).resolve().parents[2]


class Disagreement(Exception):
    """The two robots are not the same."""


def ask(command, *arguments, text=None):
    """The JSON that a command prints; a refusal is its error."""
    ran = subprocess.run([command, *arguments, "--json"], capture_output=True, text=True, input=text)
    document = json.loads(ran.stdout)
    if isinstance(document, dict) and "error" in document:
        raise Disagreement(f"{document['error']['kind']}: {document['error']['message']}")
    return document


class Drives:
    """What the file says of joints beyond what Pinocchio computes: couplings and friction, by the joint's name."""

    def __init__(self, path):
        joints = ElementTree.parse(path).getroot().findall("joint")
        moving = {joint.get("name") for joint in joints if joint.get("type") != "fixed"}
        self.mimic, self.friction = {}, {}
        for joint in joints:
            name = joint.get("name")
            mimic, dynamics = joint.find("mimic"), joint.find("dynamics")
            if name in moving and mimic is not None and mimic.get("joint") in moving:
                multiplier, offset = float(mimic.get("multiplier", 1)), float(mimic.get("offset", 0))
                self.mimic[name] = (mimic.get("joint"), multiplier, offset)
            if name in moving and dynamics is not None:
                self.friction[name] = (float(dynamics.get("damping", 0)), float(dynamics.get("friction", 0)))

    def leader(self, name):
        """The joint that leads in the end, with q = k q(leader) + o."""
        factor, offset = 1.0, 0.0
        while name in self.mimic:
            name, k, o = self.mimic[name]
            factor, offset = factor * k, offset + factor * o
        return name, factor, offset


class Peer:
    """Pinocchio's model in jourdain's coordinates."""

    def __init__(self, path, coordinates, velocities):
        self.model = pin.buildModelFromUrdf(str(path))
        self.model.gravity.linear = np.array([0.0, 0.0, -9.80665])
        self.data = self.model.createData()
        self.drives = Drives(path)
        first = lambda rows: {row["joint"]: at for at, row in reversed(list(enumerate(rows)))}
        self.position_of, self.velocity_of = first(coordinates), first(velocities)
        self.nq, self.nv = len(coordinates), len(velocities)
        led = {self.drives.leader(name)[0] for name in list(self.model.names)[1:]}
        if led != set(self.velocity_of):
            raise Disagreement(f"other joints: {sorted(led ^ set(self.velocity_of))[:4]}")
        self.projection = np.zeros((self.model.nv, self.nv))
        for joint, name in self.joints():
            leader, factor, _ = self.drives.leader(name)
            for part in range(joint.nv):
                self.projection[joint.idx_v + part, self.velocity_of[leader] + part] = factor

    def joints(self):
        return [(self.model.joints[number], self.model.names[number]) for number in range(1, self.model.njoints)]

    def random_state(self, generator):
        """q, q̇, q̈ in jourdain's coordinates."""
        q = generator.uniform(-1.5, 1.5, self.nq)
        for joint, name in self.joints():
            if joint.nv == 6 and name in self.position_of:
                at = self.position_of[name] + 3
                q[at : at + 4] /= np.linalg.norm(q[at : at + 4])
        return q, generator.uniform(-1, 1, self.nv), generator.uniform(-1, 1, self.nv)

    def position(self, q):
        """Pinocchio's numbers: a turn without end is a cosine and a sine, a quaternion has its scalar last."""
        position = pin.neutral(self.model)
        for joint, name in self.joints():
            leader, factor, offset = self.drives.leader(name)
            at, to = self.position_of[leader], joint.idx_q
            if joint.nv == 6:
                x, y, z, qw, qx, qy, qz = q[at : at + 7]
                position[to : to + 7] = x, y, z, qx, qy, qz, qw
            elif joint.nv != 1:
                raise Disagreement(f"the joint {name} has a type that is not compared")
            else:
                value = factor * q[at] + offset
                turns = joint.nq == 2
                position[to : to + joint.nq] = (math.cos(value), math.sin(value)) if turns else value
        return position

    def evaluate(self, q, qd, qdd):
        """The quantities, in their order."""
        p, position = self.projection, self.position(q)
        speeds, rates = p @ qd, p @ qdd
        mass = pin.crba(self.model, self.data, position)
        mass = np.triu(mass) + np.triu(mass, 1).T
        by_position, by_velocity, _ = pin.computeRNEADerivatives(self.model, self.data, position, speeds, rates)
        torque, slope = pin.rnea(self.model, self.data, position, speeds, rates).copy(), np.zeros(self.model.nv)
        for joint, name in self.joints():
            viscous, coulomb = self.drives.friction.get(name, (0.0, 0.0))
            for at in range(joint.idx_v, joint.idx_v + joint.nv):
                c, scale = speeds[at], math.hypot(speeds[at], COULOMB_SPEED)
                torque[at] += viscous * c + coulomb * c / scale
                slope[at] = viscous + coulomb * COULOMB_SPEED**2 / scale**3
        return [p.T @ mass @ p, p.T @ torque, p.T @ by_position @ p, p.T @ (by_velocity + np.diag(slope)) @ p]


def compare(command, path, states, generator):
    """The largest relative differences, one per quantity, with the number of velocities."""
    robot = ask(command, "info", str(path))
    try:
        peer = Peer(path, robot["coordinates"], robot["velocities"])
    except (ValueError, RuntimeError) as error:
        raise Unread(str(error).strip().splitlines()[0]) from error
    worst = [0.0] * len(QUANTITIES)
    if peer.nv == 0:
        return worst, 0
    drawn = [peer.random_state(generator) for _ in range(states)]
    text = json.dumps([{"q": list(q), "qd": list(qd), "qdd": list(qdd)} for q, qd, qdd in drawn])
    answers = ask(command, "eval", str(path), "--state", "-", "--quantity", ",".join(QUANTITIES), text=text)
    for (q, qd, qdd), answer in zip(drawn, answers, strict=True):
        expected = peer.evaluate(q, qd, qdd)
        for at, (name, scale) in enumerate(zip(QUANTITIES, scales(expected, qd), strict=True)):
            difference = np.abs(np.array(answer["quantities"][name]) - expected[at])
            # Where a scale is zero, so has the difference to be.
            relative = np.divide(difference, scale, out=np.where(difference > 0, np.inf, 0.0), where=scale > 0)
            worst[at] = max(worst[at], relative.max())
    return worst, peer.nv


def scales(expected, qd):
    """What differences are measured by: for M the diagonal, so that light joints count as much as heavy ones; else the largest
    number, or that of τ and what C is made of where the partial derivatives vanish."""
    mass, torque, by_position, by_velocity = expected
    diagonal = np.sqrt(np.abs(np.diag(mass)))
    speed = np.abs(mass).max() * np.abs(qd).max()
    most = np.abs(torque).max()
    largest = [most, max(np.abs(by_position).max(), most), max(np.abs(by_velocity).max(), speed)]
    return [np.outer(diagonal, diagonal), *(np.full(one.shape, scale) for one, scale in zip(expected[1:], largest, strict=True))]


class Unread(Exception):
    """Pinocchio does not read the file."""


def files(places):
    if not places:
        folders = [folder / "share/example-robot-data/robots" for folder in Path(pin.__file__).parents]
        places = [folder for folder in folders if folder.is_dir()]
        if not places:
            sys.exit("the package example-robot-data is not installed beside pin; name files or folders")
    for place in map(Path, places):
        yield from sorted(place.rglob("*.urdf")) if place.is_dir() else [place]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("places", nargs="*", metavar="FILE or FOLDER")
    parser.add_argument("--jourdain", default=os.environ.get("JOURDAIN", str(REPOSITORY / "target/release/jourdain")))
    parser.add_argument("--tolerance", type=float, default=1e-10)
    parser.add_argument("--states", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print(f"seed {asked.seed}, {asked.states} states each, tolerance {asked.tolerance:g}")
    print(f"{'file':44} {'nv':>4}  " + "  ".join(f"{name:>8}" for name in COLUMNS))
    generator = np.random.default_rng(asked.seed)
    failed, agreed, skipped = 0, 0, 0
    for path in files(asked.places):
        try:
            worst, freedom = compare(asked.jourdain, path, asked.states, generator)
        except Unread as error:
            skipped += 1
            print(f"{path.name:44} Pinocchio does not read it: {error}")
            continue
        except Disagreement as error:
            peer_reads = True
            try:
                pin.buildModelFromUrdf(str(path))
            except (ValueError, RuntimeError):
                peer_reads = False
            failed, skipped = failed + peer_reads, skipped + (not peer_reads)
            print(f"{path.name:44} {'REFUSED' if peer_reads else 'refused by both'}: {error}")
            continue
        good = max(worst) <= asked.tolerance
        failed, agreed = failed + (not good), agreed + good
        numbers = "  ".join(f"{value:8.1e}" for value in worst)
        print(f"{path.name:44} {freedom:4}  {numbers}{'' if good else '  DISAGREES'}")
    print(f"{agreed} agree, {failed} do not, {skipped} are not compared")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
