"""MuJoCo as a peer of the campaign: a robot read from MJCF, and its quantities."""

import numpy as np

try:
    import mujoco
except ImportError:
    mujoco = None

missing = mujoco is None


def version():
    return mujoco.__version__


def cross(w):
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])


class Peer:
    """MuJoCo's model and data at the state, and P with its rate."""

    def __init__(self, robot, text):
        self.robot = robot
        self.model = model = mujoco.MjModel.from_xml_string(text)
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
        model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
        # Friction is ours, added below: theirs is a constraint.
        model.dof_damping[:] = 0.0
        self.data = data = mujoco.MjData(model)
        self.project, self.rate = np.zeros((2, model.nv, robot.nv))
        for index in range(model.njnt):
            name, part = self.joint(model.joint(index).name)
            at, to, kind = model.jnt_qposadr[index], model.jnt_dofadr[index], mujoco.mjtJoint(model.jnt_type[index])
            width = {mujoco.mjtJoint.mjJNT_FREE: 6, mujoco.mjtJoint.mjJNT_BALL: 3}.get(kind, 1)
            for k in range(width):
                self.project[to + k] = robot.row(name, part + k)
                model.dof_armature[to + k] = robot.armature(name)
            if width == 1:
                data.qpos[at] = robot.value(name, part)
                continue
            first = robot.place[name][0]
            data.qpos[at : at + width + 1] = robot.state["q"][first : first + width + 1]
            if width == 6:
                # The position is one in the world, and the linear velocity is in its axes.
                origin = robot.joints[name].get("origin", {})
                place = np.array(origin.get("quaternion", [1.0, 0.0, 0.0, 0.0]))
                place /= np.linalg.norm(place)
                point, turned = np.zeros(3), np.zeros(4)
                mujoco.mju_rotVecQuat(point, data.qpos[at : at + 3], place)
                mujoco.mju_mulQuat(turned, place, data.qpos[at + 3 : at + 7])
                data.qpos[at : at + 3] = point + origin.get("xyz", [0.0, 0.0, 0.0])
                data.qpos[at + 3 : at + 7] = turned
                turn = np.zeros(9)
                mujoco.mju_quat2Mat(turn, turned)
                turn, rows = turn.reshape(3, 3), self.project[to : to + 6].copy()
                self.project[to : to + 3] = turn @ rows[:3]
                self.rate[to : to + 3] = turn @ cross(rows[3:] @ robot.state["qd"]) @ rows[:3]

    def joint(self, name):
        """The joint of the robot, and which of its numbers."""
        if name in self.robot.joints:
            return name, 0
        stem, _, part = name.rpartition("_")
        return stem, int(part) - 1

    def loads(self):
        """The wrenches of the state along MuJoCo's velocities; None if they act on a link that MuJoCo does not have."""
        total = np.zeros(self.model.nv)
        for wrench in self.robot.wrenches:
            body = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, wrench["link"])
            if body < 0:
                return None
            turn = self.data.xmat[body].reshape(3, 3)
            out = np.zeros(self.model.nv)
            force, moment = turn @ wrench["force"], turn @ wrench["moment"]
            mujoco.mj_applyFT(self.model, self.data, force, moment, self.data.xpos[body], body, out)
            total += out
        return total


def link_values(peer, body):
    model, data, p = peer.model, peer.data, peer.project
    linear, angular, linear_dot, angular_dot = np.zeros((4, 3, model.nv))
    mujoco.mj_jacBody(model, data, linear, angular, body)
    mujoco.mj_jacDot(model, data, linear_dot, angular_dot, data.xpos[body], body)
    velocity, acceleration = np.zeros((2, 6))
    mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, body, velocity, 0)
    mujoco.mj_objectAcceleration(model, data, mujoco.mjtObj.mjOBJ_XBODY, body, acceleration, 0)
    jacobian = np.r_[linear, angular]
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = data.xmat[body].reshape(3, 3), data.xpos[body]
    return {
        "pose": pose,
        "jacobian": jacobian @ p,
        "jacobian_dot": np.r_[linear_dot, angular_dot] @ p + jacobian @ peer.rate,
        "twist": np.r_[velocity[3:], velocity[:3]],
        "acceleration": np.r_[acceleration[3:] + model.opt.gravity, acceleration[:3]],
    }


def values(peer, case):
    robot, model, data, p = peer.robot, peer.model, peer.data, peer.project
    state, bend = robot.state, peer.rate @ robot.state["qd"]
    friction, _ = robot.friction()
    data.qvel[:] = p @ state["qd"]
    data.qacc[:] = p @ state["qdd"] + bend
    mujoco.mj_inverse(model, data)
    torque = data.qfrc_inverse.copy()
    mujoco.mj_rnePostConstraint(model, data)
    mujoco.mj_energyPos(model, data)
    mujoco.mj_energyVel(model, data)
    mujoco.mj_subtreeVel(model, data)
    big, com = np.empty((model.nv, model.nv)), np.zeros((3, model.nv))
    for i, row in enumerate(np.eye(model.nv)):
        mujoco.mj_mulM(model, data, big[i], row)
    mujoco.mj_jacSubtreeCom(model, data, com, 0)
    mass, bias = p.T @ big @ p, p.T @ (data.qfrc_bias + big @ bend)
    mass_of_all = model.body_subtreemass[0]
    # Massless links are one body with those they carry.
    body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, case["link"])
    found = link_values(peer, body) if body > 0 else {}
    found |= {
        "mass_matrix": mass,
        "bias": bias,
        "com": data.subtree_com[0].copy(),
        "com_jacobian": com @ p,
        "centroidal_momentum": np.r_[mass_of_all * data.subtree_linvel[0], data.subtree_angmom[0]],
        "kinetic_energy": data.energy[1],
        "potential_energy": data.energy[0],
    }
    loads = peer.loads()
    if loads is not None:
        found["external_forces"] = -p.T @ loads
        found["inverse_dynamics"] = p.T @ (torque - loads) + friction
        effort = state["tau"] - friction + p.T @ loads
        if p.shape[0] == p.shape[1]:
            solved = np.zeros((model.nv, model.nv))
            mujoco.mj_solveM(model, data, solved, np.eye(model.nv))
            back = np.linalg.inv(p)
            found["mass_matrix_inverse"] = back @ solved @ back.T
            data.qfrc_applied[:] = np.linalg.solve(p.T, effort)
            mujoco.mj_forward(model, data)
            found["forward_dynamics"] = back @ (data.qacc - bend)
        else:
            found["forward_dynamics"] = np.linalg.solve(mass, effort - bias)
    data.qvel[:] = 0.0
    mujoco.mj_forward(model, data)
    found["gravity"] = p.T @ data.qfrc_bias
    return found


def evaluate(robot, case, given):
    if case["mjcf"]:
        yield "", values(Peer(robot, case["mjcf"]), case)
