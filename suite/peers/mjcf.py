"""Compares jourdain with MuJoCo on every MJCF file of the installed packages.

    python suite/peers/mjcf.py [--jourdain PATH] [--states N] [--only TEXT] [FILE|FOLDER ...]

Masses, centres of mass, inertias, mass matrix and bias force at random states, to 1e-9 of the largest entry, 1e-6 where meshes give
inertia. What jourdain says it leaves out is left out of MuJoCo's numbers as well. Exit code 1 if a model disagrees, or is
refused here without a reason that names a feature.
"""

import argparse
import collections
import importlib.util
import json
import pathlib
import subprocess
import sys

import mujoco
import numpy as np

PACKAGES = ["robosuite", "dm_control", "gymnasium", "gymnasium_robotics", "brax", "mujoco", "mujoco_menagerie", "mujoco_playground"]
FREE, BALL = int(mujoco.mjtJoint.mjJNT_FREE), int(mujoco.mjtJoint.mjJNT_BALL)
REFUSALS = {"unsupported-element", "global-coordinates"}


def files(arguments):
    """Every file whose root is <mujoco>; a package is found without being imported."""
    folders = [pathlib.Path(argument) for argument in arguments]
    if not folders:
        for package in PACKAGES:
            found = importlib.util.find_spec(package)
            folders += [pathlib.Path(place) for place in (found.submodule_search_locations or []) if found] if found else []
    for folder in folders:
        for file in [folder] if folder.is_file() else sorted(folder.rglob("*.xml")):
            start = file.read_text(errors="replace")[:20000]
            if "<mujoco" in start:
                yield file


def run(command, *arguments, states=None):
    """The JSON document of a command; standard input are the states."""
    text = None if states is None else "\n".join(json.dumps(state) for state in states)
    done = subprocess.run([command, *map(str, arguments), "--json"], input=text, capture_output=True, text=True, timeout=600)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return {"error": {"kind": "crash", "message": (done.stderr or done.stdout)[-300:]}}


class Reduced:
    """MuJoCo's coordinates in jourdain's: free bodies in body axes, couplings and locks taken out."""

    def __init__(self, model):
        self.model = model
        self.followers, self.locked = {}, {}
        for i in range(model.neq):
            if model.eq_type[i] != mujoco.mjtEq.mjEQ_JOINT or not model.eq_active0[i]:
                continue
            follower, leader, data = model.eq_obj1id[i], model.eq_obj2id[i], model.eq_data[i]
            own = model.qpos0[model.jnt_qposadr[follower]]
            if leader < 0:
                self.locked[follower] = own + data[0]
            elif not data[2:5].any():
                other = model.qpos0[model.jnt_qposadr[leader]]
                self.followers[follower] = (leader, data[1], own + data[0] - data[1] * other)
        self.own = [j for j in range(model.njnt) if j not in self.followers and j not in self.locked]

    def place(self, joint):
        """First position and velocity of a joint, and how many of each."""
        counts = {FREE: (7, 6), BALL: (4, 3)}.get(int(self.model.jnt_type[joint]), (1, 1))
        return self.model.jnt_qposadr[joint], self.model.jnt_dofadr[joint], *counts

    def gather(self):
        """G of v_full = G v."""
        model, columns = self.model, {}
        for joint in self.own:
            _, first, _, count = self.place(joint)
            columns.update({first + i: len(columns) + i for i in range(count)})
        matrix = np.zeros((model.nv, len(columns)))
        for dof, column in columns.items():
            matrix[dof, column] = 1.0
        for follower in self.followers:
            factor, joint = 1.0, follower
            while joint in self.followers and abs(factor) < 1e12:
                joint, multiplier, _ = self.followers[joint]
                factor *= multiplier
            if joint not in self.locked:
                matrix[model.jnt_dofadr[follower], columns[model.jnt_dofadr[joint]]] = factor
        return matrix

    def random(self, rng):
        """A position of the whole model within its limits, and its part that is jourdain's."""
        model = self.model
        q = model.qpos0.copy()
        for joint in range(model.njnt):
            first, _, count, _ = self.place(joint)
            if count == 1:
                low, high = model.jnt_range[joint] if model.jnt_limited[joint] else (q[first] - 1.0, q[first] + 1.0)
                q[first] = rng.uniform(low, high)
            else:
                quaternion = rng.normal(size=4)
                q[first + count - 4 : first + count] = quaternion / np.linalg.norm(quaternion)
                q[first : first + count - 4] += rng.normal(size=count - 4)
        for joint, value in self.locked.items():
            q[self.place(joint)[0]] = value
        for _ in self.followers:
            for joint, (leader, multiplier, offset) in self.followers.items():
                q[self.place(joint)[0]] = multiplier * q[self.place(leader)[0]] + offset
        own = [q[i] for joint in self.own for i in range(self.place(joint)[0], sum(self.place(joint)[::2]))]
        return q, own


def rotation(quaternion):
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, np.asarray(quaternion, float))
    return matrix.reshape(3, 3)


def cross(w):
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def full_mass_matrix(model, data):
    matrix = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, matrix) if not hasattr(data, "qM") else mujoco.mj_fullM(model, matrix, data.qM)
    return matrix


def expected(model, reduced, states):
    """Mass matrix and bias force of every state, in jourdain's coordinates."""
    data, gather, results = mujoco.MjData(model), reduced.gather(), []
    armature = model.dof_armature.copy()
    for q, v in states:
        data.qpos[:], turn, turn_rate = q, np.eye(model.nv), np.zeros((model.nv, model.nv))
        free = [j for j in range(model.njnt) if model.jnt_type[j] == FREE]
        whole = gather @ v
        for joint in free:
            position, dof, *_ = reduced.place(joint)
            to_world = rotation(q[position + 3 : position + 7])
            turn[dof : dof + 3, dof : dof + 3] = to_world
            turn_rate[dof : dof + 3, dof : dof + 3] = to_world @ cross(whole[dof + 3 : dof + 6])
        data.qvel[:] = turn @ whole
        mujoco.mj_forward(model, data)
        mass = full_mass_matrix(model, data)
        # The armature of a free body keeps to the world's axes there and to the body's here, which is said.
        without = mass.copy()
        for joint in free:
            dof = model.jnt_dofadr[joint]
            without[range(dof, dof + 3), range(dof, dof + 3)] -= armature[dof : dof + 3]
        bias = turn.T @ (data.qfrc_bias + without @ (turn_rate @ whole))
        turned = turn @ gather
        results.append((turned.T @ mass @ turned, gather.T @ bias))
    return results


def difference(found, wanted, least=1e-12):
    found, wanted = np.asarray(found, float), np.asarray(wanted, float)
    if found.shape != wanted.shape:
        return float("inf")
    if not wanted.size:
        return 0.0
    worst = float(np.max(np.abs(found - wanted)))
    return worst / max(float(np.max(np.abs(wanted))), least) if np.isfinite(worst) else float("inf")


def bodies_differ(model, info):
    """The worst of masses, centres and inertias over bodies of the same name, and where."""
    links, worst = {link["name"]: link for link in info["links"]}, (0.0, "")
    for number in range(1, model.nbody):
        name = model.body(number).name or f"body{number}"
        link = links.get(name if name != "base" else "base_frame")
        if link is None:
            return float("inf"), f"no link {name}"
        mass = float(model.body_mass[number])
        errors = [("mass", abs(link["mass"] - mass) / max(mass, 1e-12))]
        if mass > 0:
            axes = rotation(model.body_iquat[number])
            inertia = axes @ np.diag(model.body_inertia[number]) @ axes.T
            size = max(float(np.linalg.norm(model.body_ipos[number])), (float(np.max(model.body_inertia[number])) / mass) ** 0.5, 1e-9)
            errors.append(("centre", float(np.max(np.abs(np.array(link["com"]) - model.body_ipos[number]))) / size))
            xx, xy, xz, yy, yz, zz = link["inertia"]
            errors.append(("inertia", difference([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], inertia)))
        worst = max([worst] + [(error, f"{what} of {name}") for what, error in errors])
    return worst


def compare(command, file, count, seed):
    """What became of one file: a verdict, the worst difference, and the reason."""
    check = run(command, "check", file)
    findings = check.get("diagnostics", [check["error"]] if "error" in check else [])
    errors = [finding for finding in findings if finding.get("severity", "error") == "error"]
    lost = sorted({finding["message"] for finding in findings if finding.get("code") == "not-carried"})
    first = f"{errors[0].get('code') or errors[0].get('kind')}: {errors[0]['message']}" if errors else ""
    try:
        model = mujoco.MjModel.from_xml_path(str(file))
    except (ValueError, RuntimeError) as error:
        said = " ".join(str(error).split())[:110]
        return ("neither reads it" if errors else "read here only"), 0.0, f"{said}  |  {first}"
    if model.nbody == 1:
        return "no bodies", 0.0, first
    info = run(command, "info", file, "-q")
    if "error" in info:
        refused = errors and errors[0].get("code") in REFUSALS
        return ("refused" if refused else "REFUSED"), 0.0, first or info["error"]["message"]
    # Named as left out.
    model.tendon_armature[:] = 0
    if any("alignfree" in message or "`align`" in message for message in lost):
        return "warned", 0.0, "; ".join(lost)
    reduced = Reduced(model)
    tolerance = 1e-6 if model.nmesh else 1e-9
    # Bodies that MuJoCo fuses are links of their own here.
    fused = "fusestatic=\"true\"" in file.read_text(errors="replace")
    error, where = (0.0, "") if fused else bodies_differ(model, info)
    wanted_velocities = reduced.gather().shape[1]
    if info["dof"] != wanted_velocities:
        return "DISAGREE", float("inf"), f"{info['dof']} degrees of freedom, not {wanted_velocities}"
    if wanted_velocities:
        rng, states = np.random.default_rng(seed), []
        for _ in range(count):
            q, own = reduced.random(rng)
            states.append((q, rng.normal(size=wanted_velocities), own))
        asked = [{"q": list(map(float, own)), "qd": list(map(float, v))} for _, v, own in states]
        found = run(command, "eval", file, "-q", "--state", "-", "--input-format", "jsonl", "--quantity", "mass_matrix,bias", states=asked)
        if isinstance(found, dict) and "error" in found:
            return "DISAGREE", float("inf"), found["error"]["message"]
        for (mass, bias), ours, (_, v, _) in zip(expected(model, reduced, [state[:2] for state in states]), found, states):
            # Forces that cancel are rounded in proportion to what they are made of.
            least = 1e-6 * float(np.max(np.abs(mass))) * float(v @ v)
            quantities = ours["quantities"]
            for what, worse in [
                ("M", difference(quantities["mass_matrix"], mass)),
                ("bias", difference(quantities["bias"], bias, least)),
            ]:
                if worse > error:
                    error, where = worse, what
    if not error <= tolerance:
        return "DISAGREE", error, f"{where}; seed {seed}"
    kept = "; ".join(lost)
    return ("warned" if lost else "agree"), error, kept


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--jourdain", default="target/release/jourdain")
    parser.add_argument("--states", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    mujoco.set_mju_user_warning(lambda message: None)
    counts = collections.Counter()
    for file in files(arguments.paths):
        if arguments.only not in str(file):
            continue
        verdict, error, reason = compare(arguments.jourdain, file, arguments.states, arguments.seed)
        counts[verdict] += 1
        name = "/".join(file.parts[-3:])
        print(f"{verdict:16} {error:8.1e}  {name:60} {reason[:400]}", flush=True)
    print("\n" + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    return 1 if counts["DISAGREE"] + counts["REFUSED"] else 0


if __name__ == "__main__":
    sys.exit(main())
