"""Compares SDF files with Drake (package `drake`): sdf.py JOURDAIN FILE…

Both read a copy of each file without shapes, gearboxes and the joints that close loops, which Drake takes for constraints,
and with inertias that Drake takes as they are.
M, gravity torque and bias are compared at random states; relative to the largest entry they must agree to 1e-9.
"""

import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

import numpy as np
from pydrake.math import RotationMatrix

make_path = pathlib.Path(__file__).parent.parent / "sdf" / "make.py"
spec = importlib.util.spec_from_file_location("make", make_path)
make = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make)

TOLERANCE = 1e-9
STATES = 3


def trees(root):
    """Takes out what Drake cannot read or reads as a constraint; gives the number of joints taken out."""
    cut = 0
    for model in root.iter("model"):
        sets = {}

        def find(name):
            while sets.setdefault(name, name) != name:
                name = sets[name]
            return name

        for link in model.findall("link"):
            if link.get("name") == "world":
                model.remove(link)
                continue
            for tag in ("visual", "collision", "sensor", "contact"):
                for shape in link.findall(tag):
                    link.remove(shape)
            physical(link)
        for joint in model.findall("joint"):
            ends = [find((joint.findtext(end) or "").strip()) for end in ("parent", "child")]
            if joint.get("type") == "gearbox" or ends[0] == ends[1]:
                model.remove(joint)
                cut += 1
            else:
                sets[ends[0]] = ends[1]
        for plugin in model.findall("plugin"):
            model.remove(plugin)
    return cut


def physical(link):
    """Drake has no inertia without mass, and puts other moments in the place of those that no body can have."""
    inertial = link.find("inertial")
    inertia = None if inertial is None else inertial.find("inertia")
    if inertia is None:
        return
    read = lambda tag: float(inertia.findtext(tag) or (tag[1] == tag[2]))
    moments = np.linalg.eigvalsh([[read("i" + "".join(sorted(i + j))) for i in "xyz"] for j in "xyz"])
    size = 0.0 if float(inertial.findtext("mass") or 1) == 0 else moments.mean()
    if size == 0.0 or moments[0] <= 0 or moments[2] > moments[0] + moments[1]:
        for tag in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"):
            element = inertia.find(tag)
            element = xml.SubElement(inertia, tag) if element is None else element
            element.text = repr(float(size) if tag[1] == tag[2] else 0.0)


def jourdain(command, *arguments):
    done = subprocess.run([command, *arguments, "--json"], capture_output=True, text=True)
    answer = json.loads(done.stdout)
    if "error" in answer:
        raise RuntimeError(answer["error"]["message"])
    return answer


def compare(command, path, folder):
    tree = xml.parse(path)
    cut = trees(tree.getroot())
    copy = folder / f"{path.stem}.sdf"
    tree.write(copy)
    gravity = tree.getroot().findtext("world/gravity") or tree.getroot().findtext("world/physics/gravity") or "0 0 -9.8"
    plant, instances = make.load(copy, gravity=[float(x) for x in gravity.split()])
    several = len({plant.GetModelInstanceName(i).split("::")[0] for i in instances}) > 1
    info = jourdain(command, "info", str(copy))
    named = {("base" if name == "base_frame" else name): name for name in (link["name"] for link in info["links"])}
    bodies = {named.get(name, name): body for name, body in make.bodies_of(plant, None, several)}
    joints = {make.joint_name(plant, joint, several): joint for joint in make.joints_of(plant)}
    random = np.random.default_rng(1)
    worst = 0.0
    for _ in range(STATES if info["dof"] else 0):
        q, v = make.random_state(plant, random)
        context = plant.CreateDefaultContext()
        plant.SetPositions(context, plant.GetDefaultPositions())
        drawn = {name: plant.EvalBodyPoseInWorld(context, body) for name, body in bodies.items()}
        plant.SetPositions(context, q)
        poses = {name: plant.EvalBodyPoseInWorld(context, body) for name, body in bodies.items()}
        # v_drake = A v_here; the rate of A acts on v.
        a, rate = np.zeros((len(v), len(v))), np.zeros((len(v), len(v)))
        here_q, column = [], 0
        for link in info["links"]:
            size = link["dof"]
            if not size:
                continue
            name = link["joint"]["name"]
            joint = joints.get(name) or joints.get("base") or joints[name]
            rows = slice(joint.velocity_start(), joint.velocity_start() + size)
            columns = slice(column, column + size)
            pose = poses[link["name"]]
            if link["joint"]["type"] == "free":
                r, w = pose.rotation().matrix(), v[column + 3 : column + 6]
                zero = np.zeros((3, 3))
                a[rows, columns] = np.block([[zero, r], [r, zero]])
                rate[rows, columns] = np.block([[zero, r @ make.skew(w)], [r @ make.skew(w), zero]])
                here_q += [*pose.translation(), *pose.rotation().ToQuaternion().wxyz()]
            elif link["joint"]["type"] == "spherical":
                parent = link["parent"]
                before = (drawn[parent] if parent in drawn else RotationMatrixPose()).rotation()
                now = (poses[parent] if parent in poses else RotationMatrixPose()).rotation()
                turn = (before.inverse() @ drawn[link["name"]].rotation()).inverse() @ now.inverse() @ pose.rotation()
                here_q += list(turn.ToQuaternion().wxyz())
                frame = joint.frame_on_parent().CalcPoseInWorld(context).rotation()
                r = (frame.inverse() @ pose.rotation()).matrix()
                is_child = bodies[link["name"]].index() == joint.child_body().index()
                a[rows, columns] = r if is_child else -r
                if is_child:
                    rate[rows, columns] = r @ make.skew(v[columns])
            else:
                a[rows, columns] = np.eye(size)
                here_q += list(q[joint.position_start() : joint.position_start() + joint.num_positions()])
            column += size
        plant.SetVelocities(context, a @ v)
        mass = plant.CalcMassMatrix(context)
        gravity = -plant.CalcGravityGeneralizedForces(context)
        bias = plant.CalcBiasTerm(context) + gravity
        expected = {
            "mass_matrix": a.T @ mass @ a,
            "gravity": a.T @ gravity,
            "bias": a.T @ (bias + mass @ rate @ v),
        }
        state = json.dumps({"q": [float(x) for x in here_q], "qd": v.tolist()})
        found = jourdain(command, "eval", str(copy), "--quantity", ",".join(expected), "--state", state)
        results = found.get("results", found)
        results = results[0] if isinstance(results, list) else results
        for name, values in expected.items():
            mine = np.array(values_of(results, name)).reshape(values.shape)
            if name == "gravity" and not np.abs(values).max() > 0:
                continue
            worst = max(worst, np.abs(mine - values).max() / max(np.abs(values).max(), 1e-6))
    return worst, info["dof"], cut


def values_of(results, name):
    value = results[name] if name in results else results["quantities"][name]
    return value["value"] if isinstance(value, dict) else value


class RotationMatrixPose:
    """The world."""

    def rotation(self):
        return RotationMatrix()


def main(command, *paths):
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in map(pathlib.Path, paths):
            try:
                worst, dof, cut = compare(command, path, pathlib.Path(folder))
                verdict = "ok" if worst <= TOLERANCE else "DIFFERENT"
                print(f"{verdict:9} {worst:8.1e}  {dof:3} velocities, {cut:2} joints cut  {path}")
                failed += verdict != "ok"
            except Exception as error:  # What one of the two refuses is told, and the next file is read.
                print(f"refused   {str(error).splitlines()[0][:160]}  {path}")
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) > 0)
