"""Inverse dynamics of a robot file as C by CasADi: the peer of generated code.

    casadi_model.py ROBOT.toml OUT.c

Writes the functions `rnea` (tau) and `rnea_ddot` (tau and its first two time derivatives, by `jtimes`). The recursion is
the textbook one in body coordinates with twists and wrenches, as in Featherstone's book. Rotations are rounded where they
are within 1e-12 of 0 or 1, so that CasADi sees the zeros; without that it makes a third more operations.
"""

import math
import sys
import tomllib

import casadi as ca


def snap(x):
    return next((t for t in (0.0, 1.0, -1.0) if abs(x - t) < 1e-12), x)


def rotation(rpy):
    (sr, cr), (sp, cp), (sy, cy) = ((snap(math.sin(x)), snap(math.cos(x))) for x in rpy)
    return ca.SX([
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ])


def skew(v):
    return ca.vertcat(ca.horzcat(0, -v[2], v[1]), ca.horzcat(v[2], 0, -v[0]), ca.horzcat(-v[1], v[0], 0))


def cross(a, b):
    return skew(a) @ b


def bodies(links):
    """Joints about z, each with placement, mass, centre of mass and tensor; fixed links must be massless."""
    for link in links:
        origin = link.get("origin", {})
        place = rotation(origin.get("rpy", [0, 0, 0])), ca.SX(origin.get("xyz", [0, 0, 0]))
        if link["joint"]["type"] == "fixed":
            assert link.get("mass", 0) == 0
            continue
        assert link["joint"]["type"] == "revolute" and link["joint"].get("axis", [0, 0, 1]) == [0, 0, 1]
        xx, xy, xz, yy, yz, zz = link["inertia"]
        yield *place, link["mass"], ca.SX(link["com"]), ca.SX([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def inverse_dynamics(links, q, qd, qdd, gravity):
    z = ca.SX([0, 0, 1])
    v, w, a, dw = ca.SX.zeros(3), ca.SX.zeros(3), -gravity, ca.SX.zeros(3)
    chain = []
    for i, (R0, p, m, c, I) in enumerate(bodies(links)):
        s, k = ca.sin(q[i]), ca.cos(q[i])
        R = R0 @ ca.vertcat(ca.horzcat(k, -s, 0), ca.horzcat(s, k, 0), ca.horzcat(0, 0, 1))
        v, w = R.T @ (v + cross(w, p)), R.T @ w + z * qd[i]
        a, dw = R.T @ (a + cross(dw, p)), R.T @ dw + z * qdd[i]
        a, dw = a + cross(v, z) * qd[i], dw + cross(w, z) * qd[i]
        h, J = m * c, I + m * (ca.dot(c, c) * ca.SX.eye(3) - c @ c.T)
        force, moment = m * a - cross(h, dw), J @ dw + cross(h, a)
        momentum, spin = m * v - cross(h, w), J @ w + cross(h, v)
        chain.append((R, p, force + cross(w, momentum), moment + cross(w, spin) + cross(v, momentum)))
    tau = []
    f, n = ca.SX.zeros(3), ca.SX.zeros(3)
    for R, p, force, moment in reversed(chain):
        f, n = f + force, n + moment
        tau.append(n[2])
        f = R @ f
        n = R @ n + cross(p, f)
    return ca.vertcat(*reversed(tau))


def main(robot, out):
    with open(robot, "rb") as file:
        model = tomllib.load(file)
    count = sum(link["joint"]["type"] != "fixed" for link in model["link"])
    q, qd, qdd, qddd, qdddd = (ca.SX.sym(name, count) for name in ("q", "qd", "qdd", "qddd", "qdddd"))
    tau = inverse_dynamics(model["link"], q, qd, qdd, ca.SX(model.get("gravity", [0, 0, -9.80665])))
    dot = ca.jtimes(tau, ca.vertcat(q, qd, qdd), ca.vertcat(qd, qdd, qddd))
    ddot = ca.jtimes(dot, ca.vertcat(q, qd, qdd, qddd), ca.vertcat(qd, qdd, qddd, qdddd))
    functions = [
        ca.Function("rnea", [q, qd, qdd], [tau], {"cse": True}),
        ca.Function("rnea_ddot", [q, qd, qdd, qddd, qdddd], [tau, dot, ddot], {"cse": True}),
    ]
    folder, _, name = out.rpartition("/")
    generator = ca.CodeGenerator(name)
    for function in functions:
        ids = [function.instruction_id(k) for k in range(function.n_instructions())]
        mul = sum(k in (ca.OP_MUL, ca.OP_SQ) for k in ids)
        add = sum(k in (ca.OP_ADD, ca.OP_SUB, ca.OP_TWICE, ca.OP_NEG) for k in ids)
        print(f"CasADi {ca.__version__} {function.name()}: {mul} mul, {add} add")
        generator.add(function)
    generator.generate((folder or ".") + "/")


if __name__ == "__main__":
    main(*sys.argv[1:])
