"""Makes the expected values of the cases in this folder with Drake (package `drake`): make.py NAME…

Models are read at gravity (0, 0, −9.81) as continuous plants. A floating base has its velocity in body axes here, linear part
first; Drake has it in world axes, angular part first. `packages` of a case are folders that `model://` may name.
"""

import json
import pathlib
import sys

import numpy as np
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import BodyIndex

HERE = pathlib.Path(__file__).parent
GRAVITY = [0.0, 0.0, -9.81]


def load(path, packages=(), gravity=GRAVITY):
    plant = MultibodyPlant(0.0)
    parser = Parser(plant)
    for package in packages:
        parser.package_map().Add(package.name, str(package))
    instances = parser.AddModels(str(path))
    plant.mutable_gravity_field().set_gravity_vector(gravity)
    plant.Finalize()
    return plant, instances


def body_name(plant, body, several):
    """The name of a body or joint with the models around it; the outermost one only where there are several."""
    scope = plant.GetModelInstanceName(body.model_instance())
    parts = scope.split("::") + [body.name()]
    return "::".join(parts if several else parts[1:])


def skew(w):
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def joints_of(plant):
    joints = [plant.get_joint(index) for index in plant.GetJointIndices()]
    return sorted(joints, key=lambda joint: (joint.velocity_start(), joint.num_velocities() > 0))


def to_body_axes(plant, context):
    """A with v_drake = A v_here, and its rate."""
    n = plant.num_velocities()
    a, rate = np.eye(n), np.zeros((n, n))
    for joint in joints_of(plant):
        if joint.type_name() == "quaternion_floating":
            s = joint.velocity_start()
            r = plant.EvalBodyPoseInWorld(context, joint.child_body()).rotation().matrix()
            w = r.T @ plant.EvalBodySpatialVelocityInWorld(context, joint.child_body()).rotational()
            a[s : s + 6, s : s + 6] = rate[s : s + 6, s : s + 6] = 0
            a[s : s + 3, s + 3 : s + 6] = a[s + 3 : s + 6, s : s + 3] = r
            rate[s : s + 3, s + 3 : s + 6] = rate[s + 3 : s + 6, s : s + 3] = r @ skew(w)
    return a, rate


def quantities(plant, q, v_here):
    """M, gravity torque and bias, and the poses of all bodies, at Drake's q."""
    context = plant.CreateDefaultContext()
    plant.SetPositions(context, q)
    a, _ = to_body_axes(plant, context)
    v = a @ v_here
    plant.SetVelocities(context, v)
    a, rate = to_body_axes(plant, context)
    mass = plant.CalcMassMatrix(context)
    gravity = -plant.CalcGravityGeneralizedForces(context)
    bias = plant.CalcBiasTerm(context) + gravity
    return context, {
        "mass_matrix": (a.T @ mass @ a).tolist(),
        "gravity_torque": (a.T @ gravity).tolist(),
        "bias": (a.T @ (bias + mass @ rate @ v_here)).tolist(),
    }


def random_state(plant, random):
    q = random.uniform(-1, 1, plant.num_positions()).round(3)
    for joint in joints_of(plant):
        if joint.type_name() == "quaternion_floating":
            s = joint.position_start()
            q[s : s + 4] /= np.linalg.norm(q[s : s + 4])
    return q, random.uniform(-1, 1, plant.num_velocities()).round(3)


def position(joint, q):
    s, n = joint.position_start(), joint.num_positions()
    if joint.type_name() == "quaternion_floating":
        return [*q[s + 4 : s + 7], *q[s : s + 4]]
    return float(q[s]) if n == 1 else q[s : s + n].tolist()


def bodies_of(plant, context, several):
    for index in range(1, plant.num_bodies()):
        body = plant.get_body(BodyIndex(index))
        yield body_name(plant, body, several), body


def joint_name(plant, joint, several):
    """The joint's own name, with its models in front where other joints have it too."""
    same = sum(other.name() == joint.name() for other in joints_of(plant))
    return joint.name() if same == 1 else body_name(plant, joint, several)


def describe(path, packages, couplings):
    plant, instances = load(path, packages)
    several = len({plant.GetModelInstanceName(i).split("::")[0] for i in instances}) > 1
    random = np.random.default_rng(sum(map(ord, path.stem)))
    q, v = random_state(plant, random)
    context, expected = quantities(plant, q, v)
    joints, bodies, poses = [], [], {}
    for joint in joints_of(plant):
        entry = {"name": joint_name(plant, joint, several), "type": joint.type_name(), "nv": joint.num_velocities()}
        if joint.num_velocities() == 1:
            low, high = joint.position_lower_limits()[0], joint.position_upper_limits()[0]
            entry["limits"] = [low, high] if max(-low, high) < 1e16 else None
            entry["damping"] = joint.default_damping_vector().tolist()
        joints.append(entry)
    for name, body in bodies_of(plant, context, several):
        inertia = body.default_spatial_inertia()
        com = inertia.get_com()
        about = inertia.Shift(com).CalcRotationalInertia().CopyToFullMatrix3()
        bodies.append({"name": name, "mass": inertia.get_mass(), "com": com.tolist(), "inertia": about.tolist()})
        poses[name] = plant.EvalBodyPoseInWorld(context, body).GetAsMatrix4().tolist()
    if couplings:
        expected["couplings"] = couplings
    return {
        "name": path.stem,
        "oracle": "drake",
        "tolerance": 1e-9,
        "gravity": GRAVITY,
        "q": {joint_name(plant, joint, several): position(joint, q) for joint in joints_of(plant) if joint.num_positions()},
        "v": v.tolist(),
        "expected": {"joints": joints, "bodies": bodies, "poses": poses, **expected},
    }


if __name__ == "__main__":
    for name in sys.argv[1:]:
        folder = HERE / name
        packages = [path for path in folder.iterdir() if path.is_dir()]
        path = folder / f"{name}.json"
        couplings = json.loads(path.read_text()).get("expected", {}).get("couplings") if path.exists() else None
        path.write_text(json.dumps(describe(folder / f"{name}.sdf", packages, couplings), indent=1) + "\n")
        print(name)
