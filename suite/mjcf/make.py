"""Writes what MuJoCo makes of models of this folder beside them, for the tests, which do not run this.

    python suite/mjcf/make.py NAME ...

Masses, inertias, joints, keys, and at one random state poses, mass matrix and bias force. Free bodies are in body axes under
`body_axes`: v_mujoco = T v, with T the rotation of the body for the linear part.
"""

import json
import pathlib
import sys
import zlib

import mujoco
import numpy as np

FOLDER = pathlib.Path(__file__).parent
TYPES = ["free", "ball", "slide", "hinge"]


def matrix_of(quaternion):
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, np.asarray(quaternion, float))
    return matrix.reshape(3, 3)


def names(model):
    """Bodies and joints with the names that jourdain gives to those without."""
    bodies = [model.body(i).name or f"body{i}" for i in range(model.nbody)]
    joints, unnamed = [], {}
    for j in range(model.njnt):
        name, body = model.joint(j).name, bodies[model.jnt_bodyid[j]]
        if not name:
            unnamed[body] = unnamed.get(body, 0) + 1
            name = f"{body}_joint" + (str(unnamed[body]) if unnamed[body] > 1 else "")
        joints.append(name)
    return bodies, joints


def span(model, joint):
    count = {"free": (7, 6), "ball": (4, 3)}.get(TYPES[model.jnt_type[joint]], (1, 1))
    q, v = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
    return slice(q, q + count[0]), slice(v, v + count[1])


def joint_of(model, number, name):
    effort = None
    if model.jnt_actfrclimited[number]:
        effort = float(np.max(np.abs(model.jnt_actfrcrange[number])))
    armature = float(model.dof_armature[model.jnt_dofadr[number]])
    limits = [float(x) for x in model.jnt_range[number]] if model.jnt_limited[number] else None
    return {"name": name, "type": TYPES[model.jnt_type[number]], "limits": limits, "effort": effort, "armature": armature}


def body_of(model, number, name):
    axes = matrix_of(model.body_iquat[number])
    inertia = axes @ np.diag(model.body_inertia[number]) @ axes.T
    return {"name": name, "mass": float(model.body_mass[number]), "com": model.body_ipos[number].tolist(), "inertia": inertia.tolist()}


def case(name):
    model = mujoco.MjModel.from_xml_path(str(FOLDER / name / f"{name}.xml"))
    bodies, joints = names(model)
    random = np.random.default_rng(zlib.crc32(name.encode()))
    data = mujoco.MjData(model)
    data.qpos[:] = model.qpos0 + np.round(random.uniform(-0.8, 0.8, model.nq), 3)
    mujoco.mj_normalizeQuat(model, data.qpos)
    v = np.round(random.uniform(-1, 1, model.nv), 3)
    turn, rate = np.eye(model.nv), np.zeros((model.nv, model.nv))
    for joint in range(model.njnt):
        if TYPES[model.jnt_type[joint]] == "free":
            q, dofs = span(model, joint)
            rotation, linear = matrix_of(data.qpos[q][3:]), slice(dofs.start, dofs.start + 3)
            x, y, z = v[dofs][3:]
            turn[linear, linear] = rotation
            rate[linear, linear] = rotation @ np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    data.qvel[:] = turn @ v
    mujoco.mj_forward(model, data)
    mass = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, mass)
    poses = {}
    for number in range(1, model.nbody):
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = data.xmat[number].reshape(3, 3), data.xpos[number]
        poses[bodies[number]] = pose.tolist()
    expected = {
        "joints": [joint_of(model, j, joints[j]) for j in range(model.njnt)],
        "bodies": [body_of(model, b, bodies[b]) for b in range(1, model.nbody)],
        "nv": model.nv,
        "qpos0": model.qpos0.tolist(),
        "keys": [{"name": model.key(k).name, "qpos": model.key_qpos[k].tolist()} for k in range(model.nkey)],
        "poses": poses,
        "body_axes": {
            "v": v.tolist(),
            "mass_matrix": (turn.T @ mass @ turn).tolist(),
            "bias": (turn.T @ (data.qfrc_bias + mass @ rate @ v)).tolist(),
        },
    }
    q = {joints[j]: data.qpos[span(model, j)[0]].tolist() for j in range(model.njnt)}
    oracle = f"mujoco {mujoco.__version__}"
    result = {"name": name, "oracle": oracle, "tolerance": 1e-6 if model.nmesh else 1e-9, "q": q, "v": v.tolist(), "expected": expected}
    (FOLDER / name / f"{name}.json").write_text(json.dumps(result) + "\n")


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        case(argument)
