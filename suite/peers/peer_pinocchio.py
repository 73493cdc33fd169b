"""Pinocchio as a peer of the campaign: a robot built joint by joint, or read from URDF, and its quantities."""

import numpy as np

try:
    import pinocchio as pin
except ImportError:
    pin = None

missing = pin is None
# Derivatives of M take an evaluation per velocity.
MOST_FOR_MASS_DERIVATIVES = 10
OF_ALL_BODIES = {"com", "com_jacobian", "com_jacobian_dot", "potential_energy"}
OF_ALL_BODIES |= {"centroidal_matrix", "centroidal_matrix_dot", "centroidal_momentum"}


def version():
    return pin.__version__


def inertia_bases():
    """The ten parameters of a body, each alone, as pseudo-inertias: Σ = tr(I)/2 − I, h, m."""
    bases = np.zeros((10, 4, 4))
    bases[0, 3, 3] = 1.0
    for i in range(3):
        bases[1 + i, i, 3] = bases[1 + i, 3, i] = 1.0
    for k, (i, j) in enumerate([(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]):
        tensor = np.zeros((3, 3))
        tensor[i, j] = tensor[j, i] = 1.0
        bases[4 + k, :3, :3] = np.trace(tensor) / 2 * np.eye(3) - tensor
    return bases


BASES = inertia_bases()


def carried(pose):
    """Columns: the parameters about the joint, in Pinocchio's order, of each parameter about a link at `pose`."""
    moved = pose @ BASES @ pose.T
    sigma = moved[:, :3, :3]
    tensor = np.trace(sigma, axis1=1, axis2=2)[:, None, None] * np.eye(3) - sigma
    rows = [moved[:, 3, 3], moved[:, 0, 3], moved[:, 1, 3], moved[:, 2, 3]]
    rows += [tensor[:, i, j] for i, j in [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)]]
    return np.array(rows)


def unit(axis):
    axis = np.array(axis, dtype=float)
    return axis / np.linalg.norm(axis)


def plane(normal):
    """The two directions of a planar joint, as docs/robot-format.md has them."""
    n = unit(normal)
    seed = 2
    for i in (0, 1):
        if abs(normal[i]) > abs(normal[seed]):
            seed = i
    x = np.eye(3)[(seed + 1) % 3]
    x = unit(x - n * (n @ x))
    return x, np.cross(n, x)


def steps(joint):
    """A joint as simple ones: model of the joint, point it turns about."""
    kind, point = joint["type"], np.array(joint.get("point", [0.0, 0.0, 0.0]))
    turn = lambda axis: pin.JointModelRevoluteUnaligned(unit(axis))
    slide = lambda axis: pin.JointModelPrismaticUnaligned(unit(axis))
    screw = lambda axis, pitch: pin.JointModelHelicalUnaligned(unit(axis), pitch)
    axis = joint.get("axis", [0.0, 0.0, 1.0])
    if kind in ("revolute", "continuous"):
        return [(turn(axis), point)]
    if kind == "prismatic":
        return [(slide(axis), point)]
    if kind == "helical":
        return [(screw(axis, joint["pitch"]), point)]
    if kind == "cylindrical":
        return [(turn(axis), point), (slide(axis), point)]
    if kind == "planar":
        return [(slide(one), point) for one in plane(axis)] + [(turn(axis), point)]
    if kind == "universal":
        axes = joint.get("axes") or [joint.get("axis", [1.0, 0.0, 0.0]), joint.get("axis2", [0.0, 1.0, 0.0])]
        return [(turn(one), point) for one in axes]
    if kind == "spherical":
        return [(pin.JointModelSpherical(), point)]
    if kind == "free":
        return [(pin.JointModelFreeFlyer(), point)]
    found = []
    for one in joint["sequence"]:
        point = np.array(one.get("point", [0.0, 0.0, 0.0]))
        of = {"revolute": turn, "prismatic": slide}.get(one["type"])
        found.append((of(one["axis"]) if of else screw(one["axis"], one["pitch"]), point))
    return found


def placement(link):
    origin = link.get("origin", {})
    xyz = np.array(origin.get("xyz", [0.0, 0.0, 0.0]))
    if "rpy" in origin:
        return pin.SE3(pin.rpy.rpyToMatrix(*origin["rpy"]), xyz)
    w, x, y, z = origin.get("quaternion", [1.0, 0.0, 0.0, 0.0])
    return pin.SE3(pin.Quaternion(w, x, y, z).normalized().toRotationMatrix(), xyz)


def inertia(link):
    xx, xy, xz, yy, yz, zz = link.get("inertia", [0.0] * 6)
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return pin.Inertia(link.get("mass", 0.0), np.array(link.get("com", [0.0, 0.0, 0.0])), tensor)


class Peer:
    """Pinocchio's model, its position at the state, and P with its rate."""

    def __init__(self, robot, model):
        self.robot, self.model = robot, model
        model.gravity.linear = robot.gravity
        self.q = pin.neutral(model)
        self.project, self.rate = np.zeros((2, model.nv, robot.nv))
        # By link: the joint that carries it, and where it stands there.
        self.frames = {}

    def put(self, number, name, part=0):
        """Position, velocity and armature of a joint with one number, or of a ball or a free body."""
        joint, robot = self.model.joints[number], self.robot
        at, to = joint.idx_q, joint.idx_v
        if joint.nv == 1:
            value = robot.value(name, part)
            self.q[at : at + joint.nq] = value if joint.nq == 1 else [np.cos(value), np.sin(value)]
        else:
            first = robot.place[name][0]
            numbers = robot.state["q"][first : first + joint.nq]
            self.q[at : at + joint.nq] = [*numbers[:-4], *numbers[-3:], numbers[-4]]
        for k in range(joint.nv):
            self.project[to + k] = robot.row(name, part + k)
            self.model.armature[to + k] = robot.armature(name)

    def finish(self):
        self.data = self.model.createData()
        self.identity = self.project.shape[0] == self.project.shape[1] and not self.rate.any()
        return self


def depth_first(robot):
    """The links, whole subtrees one after another, which is what Pinocchio's algorithms over subtrees count on."""
    children = {}
    for link in robot.links:
        children.setdefault(link["parent"], []).append(link)
    waiting = children.get("base", [])[::-1]
    while waiting:
        link = waiting.pop()
        yield link
        waiting += children.get(link["name"], [])[::-1]


def built(robot):
    """The robot of the native form, joint by joint."""
    model = pin.Model()
    peer, numbers = Peer(robot, model), []
    peer.frames["base"] = (0, pin.SE3.Identity())
    for link in depth_first(robot):
        parent, pose = peer.frames[link["parent"]]
        pose = pose * placement(link)
        joint = link["joint"]
        if joint["type"] != "fixed":
            # About a point: there, turn, and back, which the next step or the link does.
            last = np.zeros(3)
            for part, (kind, point) in enumerate(steps(joint)):
                pose = pose * pin.SE3(np.eye(3), point - last)
                parent = model.addJoint(parent, kind, pose, f"{joint['name']}_{part}")
                numbers.append((parent, joint["name"], part))
                pose, last = pin.SE3.Identity(), point
            pose = pin.SE3(np.eye(3), -last)
        peer.frames[link["name"]] = (parent, pose)
        if link.get("mass", 0.0) != 0.0:
            model.appendBodyToJoint(parent, inertia(link), pose)
    peer.q = pin.neutral(model)
    peer.project, peer.rate = np.zeros((2, model.nv, robot.nv))
    for number, name, part in numbers:
        peer.put(number, name, part)
    return peer.finish()


def read(robot, text):
    """The robot as Pinocchio reads it from URDF."""
    model = pin.buildModelFromXML(text)
    peer = Peer(robot, model)
    for number in range(1, model.njoints):
        name, joint = model.names[number], model.joints[number]
        if robot.joints[name]["joint"]["type"] == "planar":
            # Their velocity is in the axes of the link.
            x, y, angle = (robot.value(name, part) for part in range(3))
            c, s = np.cos(angle), np.sin(angle)
            rows = np.array([robot.row(name, part) for part in range(3)])
            turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
            rate = np.array([[-s, c, 0.0], [-c, -s, 0.0], [0.0, 0.0, 0.0]]) * (rows[2] @ robot.state["qd"])
            span = slice(joint.idx_v, joint.idx_v + 3)
            peer.q[joint.idx_q : joint.idx_q + 4] = [x, y, c, s]
            peer.project[span], peer.rate[span] = turn @ rows, rate @ rows
        else:
            peer.put(number, name)
    for frame in model.frames:
        if frame.type == pin.FrameType.BODY:
            peer.frames[frame.name] = (frame.parentJoint, frame.placement.copy())
    return peer.finish()


def kinematics(peer, link, v, a):
    """Pose, Jacobians, their rates and the motions of a link."""
    model, data, p = peer.model, peer.data, peer.project
    joint, pose = peer.frames[link]
    frame = model.addFrame(pin.Frame("compared", joint, pose, pin.FrameType.OP_FRAME))
    data = model.createData()
    pin.forwardKinematics(model, data, peer.q, v, a)
    pin.computeJointJacobiansTimeVariation(model, data, peer.q, v)
    pin.updateFramePlacements(model, data)
    aligned = pin.LOCAL_WORLD_ALIGNED
    jacobian = wide(pin.getFrameJacobian(model, data, frame, aligned), model)
    body = wide(pin.getFrameJacobian(model, data, frame, pin.LOCAL), model)
    turning = wide(pin.getFrameJacobianTimeVariation(model, data, frame, aligned), model)
    return {
        "pose": data.oMf[frame].homogeneous,
        "jacobian": jacobian @ p,
        "body_jacobian": body @ p,
        "jacobian_dot": turning @ p + jacobian @ peer.rate,
        "twist": pin.getFrameVelocity(model, data, frame, aligned).vector,
        "acceleration": pin.getFrameClassicalAcceleration(model, data, frame, aligned).vector,
        "spatial_acceleration": pin.getFrameAcceleration(model, data, frame, aligned).vector,
    }


def wide(matrix, model):
    """A matrix with a column per velocity: a single column comes as a vector."""
    return matrix.reshape(-1, model.nv)


def full(matrix):
    return np.triu(matrix) + np.triu(matrix, 1).T


def forces(peer):
    """The wrenches of the state on the joints."""
    out = [pin.Force.Zero() for _ in range(peer.model.njoints)]
    for wrench in peer.robot.wrenches:
        joint, pose = peer.frames[wrench["link"]]
        out[joint] = out[joint] + pose.act(pin.Force(np.array(wrench["force"]), np.array(wrench["moment"])))
    return out


def bodies_energy(peer, v):
    """The kinetic energy without rotors: of those Pinocchio 4.1 counts some and not others."""
    armature = peer.model.armature.copy()
    peer.model.armature[:] = 0.0
    energy = pin.computeKineticEnergy(peer.model, peer.data, peer.q, v)
    peer.model.armature[:] = armature
    return energy


def torque_regressor(peer, v, a):
    theirs = pin.computeJointTorqueRegressor(peer.model, peer.data, peer.q, v, a).reshape(peer.model.nv, -1)
    columns = []
    for link in peer.robot.links:
        joint, pose = peer.frames[link["name"]]
        block = theirs[:, 10 * (joint - 1) : 10 * joint] if joint else np.zeros((peer.model.nv, 10))
        columns.append(peer.project.T @ block @ carried(pose.homogeneous))
    return np.hstack(columns)


def values(peer, case, given):
    robot, model, data = peer.robot, peer.model, peer.data
    state, p, q = robot.state, peer.project, peer.q
    rest = np.zeros(model.nv)
    v, a = p @ state["qd"], p @ state["qdd"] + peer.rate @ state["qd"]
    bend = peer.rate @ state["qd"]
    friction, slope = robot.friction()
    fext = forces(peer)
    big = full(pin.crba(model, data, q))
    mass = p.T @ big @ p
    gravity = pin.computeGeneralizedGravity(model, data, q).copy()
    torque = pin.rnea(model, data, q, v, a).copy()
    loaded = pin.rnea(model, data, q, v, a, fext).copy()
    bias = p.T @ (pin.nonLinearEffects(model, data, q, v) + big @ bend)
    external = p.T @ (loaded - torque)
    inverse = np.linalg.inv(mass)
    found = {
        "mass_matrix": mass,
        "gravity": p.T @ gravity,
        "bias": bias,
        "external_forces": external,
        "inverse_dynamics": p.T @ loaded + friction,
        "potential_energy": pin.computePotentialEnergy(model, data, q),
        "kinetic_energy": bodies_energy(peer, v) + 0.5 * v @ (model.armature * v),
        "com": pin.centerOfMass(model, data, q, v, a).copy(),
        "com_jacobian": wide(pin.jacobianCenterOfMass(model, data, q), model) @ p,
        "centroidal_matrix": wide(pin.ccrba(model, data, q, v), model) @ p,
        "centroidal_momentum": pin.computeCentroidalMomentum(model, data, q, v).vector.copy(),
        "mass_matrix_inverse": inverse,
        "forward_dynamics": inverse @ (state["tau"] - friction - bias - external),
    }
    rate = wide(pin.dccrba(model, data, q, v), model) @ p + wide(data.Ag, model) @ peer.rate
    found |= {"centroidal_matrix_dot": rate, "com_jacobian_dot": rate[:3] / data.Ig.mass}
    if any(robot.joints[name].get("mass") for name, link in robot.joints.items() if peer.frames[link["name"]][0] == 0):
        # What is welded to the ground is no body of theirs.
        found = {name: value for name, value in found.items() if name not in OF_ALL_BODIES}
    found |= kinematics(peer, case["link"], v, a)
    if peer.rate.any():
        return found
    coriolis = p.T @ pin.computeCoriolisMatrix(model, data, q, v) @ p
    by_q, by_v = (x.copy() for x in pin.computeRNEADerivatives(model, data, q, v, a, fext)[:2])
    by_q, by_v = p.T @ by_q @ p, p.T @ by_v @ p + slope
    gravity_dq = p.T @ pin.computeGeneralizedGravityDerivatives(model, data, q) @ p
    found |= {
        "coriolis_christoffel": coriolis,
        "mass_matrix_dot": coriolis + coriolis.T,
        "gravity_dq": gravity_dq,
        "gravity_dot": gravity_dq @ state["qd"],
        "inverse_dynamics_dq": by_q,
        "inverse_dynamics_dqd": by_v,
    }
    if not robot.wrenches:
        found["inverse_dynamics_dot"] = by_q @ state["qd"] + by_v @ state["qdd"] + mass @ state["qddd"]
    if peer.identity:
        # The order of the joints may differ, P is a permutation.
        effort = p @ (state["tau"] - friction)
        found["mass_matrix_inverse"] = p.T @ full(pin.computeMinverse(model, data, q)) @ p
        found["forward_dynamics"] = p.T @ pin.aba(model, data, q, v, effort, fext)
        by_q, by_v, _ = pin.computeABADerivatives(model, data, q, v, effort, fext)
        found["forward_dynamics_dq"] = p.T @ by_q @ p
        found["forward_dynamics_dqd"] = p.T @ by_v @ p - inverse @ slope
    else:
        acceleration = p @ found["forward_dynamics"]
        by_q, by_v = (p.T @ x @ p for x in pin.computeRNEADerivatives(model, data, q, v, acceleration, fext)[:2])
        found["forward_dynamics_dq"], found["forward_dynamics_dqd"] = -inverse @ by_q, -inverse @ (by_v + slope)
    if robot.nv <= MOST_FOR_MASS_DERIVATIVES:
        slices = [p.T @ pin.computeRNEADerivatives(model, data, q, rest, p[:, j])[0] @ p - gravity_dq for j in range(robot.nv)]
        # [i, j, h] = ∂M_ij/∂q_h
        slices = np.stack(slices, axis=1)
        found["mass_matrix_dq"] = slices
        found["mass_matrix_inverse_dq"] = -np.einsum("ia,abh,bj->ijh", inverse, slices, inverse)
    regressor = torque_regressor(peer, v, a)
    for name, value in (("regressor", regressor),):
        # Drives have columns of their own behind those of the links.
        found[name] = np.hstack([value, given[name][:, value.shape[1] :]])
    return found


def leans(link):
    """A planar joint whose normal is not z: Pinocchio reads the plane as that of x and y, whatever its normal."""
    return link["joint"]["type"] == "planar" and any(link["joint"].get("axis", [0.0, 0.0, 1.0])[:2])


def evaluate(robot, case, given):
    yield "", values(built(robot), case, given)
    if case["urdf"] and not any(map(leans, robot.links)):
        yield ", URDF", values(read(robot, case["urdf"]), case, given)
