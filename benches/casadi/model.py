"""The dynamics of a robot as C by CasADi: the peer of compiled and of generated code.

    model.py ROBOT OUT

ROBOT is a file of the comparison (`ROBOT.model`, see benches/peers/rust/src/tree.rs) or a robot file (`ROBOT.toml`). Writes
into the folder OUT one file for each of

    inverse_dynamics          tau
    mass_matrix               M, both triangles
    gravity                   g
    inverse_dynamics_rates    tau and its first two time derivatives by `jtimes`, up to 12 joints

The recursions are the textbook ones in body coordinates with twists and wrenches, as in Featherstone's book, for trees.
Rotations are rounded where they are within 1e-12 of 0 or 1, so that CasADi sees the zeros; without that it makes a third
more operations. Entries that are always zero are not written.
"""

import math
import pathlib
import sys
import tomllib
from typing import NamedTuple

import casadi as ca

# gcc -O3 takes half a minute for the rates of 30 joints.
MOST_JOINTS_WITH_RATES = 12


class Body(NamedTuple):
    """A moving body: its parent's number or None, its joint's axis, and its place in the parent and its inertia."""

    parent: int | None
    linear: ca.SX
    angular: ca.SX
    rotation: ca.SX
    position: ca.SX
    mass: float
    com: ca.SX
    tensor: ca.SX


def snap(x):
    return next((t for t in (0.0, 1.0, -1.0) if abs(x - t) < 1e-12), x)


def symmetric(xx, xy, xz, yy, yz, zz):
    return ca.SX([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def read_text(file):
    """Gravity and bodies of a file of the comparison; `None` if a joint has more than one axis."""
    gravity, bodies = None, []
    for line in file.read_text().splitlines():
        word, *fields = line.split()
        if word == "gravity":
            gravity = [float(x) for x in fields]
            continue
        _, parent, (kind, axis), *numbers = fields
        if kind == "F":
            return None
        x = [float(number) for number in numbers]
        unit = ca.SX([float(axis == name) for name in "XYZ"])
        zero = ca.SX.zeros(3)
        linear, angular = (zero, unit) if kind == "R" else (unit, zero)
        rotation = ca.SX([[snap(y) for y in x[3 + 3 * i:6 + 3 * i]] for i in range(3)])
        parent = int(parent) - 1 if parent != "0" else None
        bodies.append(Body(parent, linear, angular, rotation, ca.SX(x[:3]), x[12], ca.SX(x[13:16]), symmetric(*x[16:22])))
    return gravity, bodies


def turned(rpy):
    (sr, cr), (sp, cp), (sy, cy) = ((snap(math.sin(x)), snap(math.cos(x))) for x in rpy)
    return ca.SX([
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ])


def read_toml(file):
    """The same of a robot file, if it is a chain of rotations about z; fixed links must be massless and at its end."""
    model = tomllib.loads(file.read_text())
    bodies, z, zero = [], ca.SX([0, 0, 1]), ca.SX.zeros(3)
    for number, link in enumerate(model["link"]):
        if link["joint"]["type"] == "fixed":
            assert link.get("mass", 0) == 0
            continue
        assert link["joint"]["type"] == "revolute" and link["joint"].get("axis", [0, 0, 1]) == [0, 0, 1]
        assert number == len(bodies)
        origin = link.get("origin", {})
        place = turned(origin.get("rpy", [0, 0, 0])), ca.SX(origin.get("xyz", [0, 0, 0]))
        parent = number - 1 if number else None
        bodies.append(Body(parent, zero, z, *place, link["mass"], ca.SX(link["com"]), symmetric(*link["inertia"])))
    return model.get("gravity", [0, 0, -9.80665]), bodies


def skew(v):
    return ca.vertcat(ca.horzcat(0, -v[2], v[1]), ca.horzcat(v[2], 0, -v[0]), ca.horzcat(-v[1], v[0], 0))


def cross(a, b):
    return skew(a) @ b


def place(body, q):
    """Rotation and position of a body in its parent."""
    s, c, axis = ca.sin(q), ca.cos(q), body.angular
    if not any(float(x) for x in ca.DM(axis).full().flat):
        return body.rotation, body.position + body.rotation @ body.linear * q
    # Entry by entry: Rodrigues' formula would need the simplifier to find 1 - c + c = 1.
    turn = ca.SX.eye(3)
    i, j = {0: (1, 2), 1: (2, 0), 2: (0, 1)}[next(k for k in range(3) if float(axis[k]))]
    turn[i, i], turn[i, j], turn[j, i], turn[j, j] = c, -s, s, c
    return body.rotation @ ca.densify(turn), body.position


def about_origin(body):
    """First moment and tensor about the origin of the body's frame."""
    c, m = body.com, body.mass
    return m * c, body.tensor + m * (ca.dot(c, c) * ca.SX.eye(3) - c @ c.T)


def inverse_dynamics(bodies, gravity, q, qd, qdd):
    zero = ca.SX.zeros(3)
    motions, forces = [], []
    for i, body in enumerate(bodies):
        R, p = place(body, q[i])
        v, w, a, dw = (zero, zero, -ca.SX(gravity), zero) if body.parent is None else motions[body.parent]
        v, w = R.T @ (v + cross(w, p)) + body.linear * qd[i], R.T @ w + body.angular * qd[i]
        a, dw = R.T @ (a + cross(dw, p)) + body.linear * qdd[i], R.T @ dw + body.angular * qdd[i]
        a += (cross(v, body.angular) + cross(w, body.linear)) * qd[i]
        dw += cross(w, body.angular) * qd[i]
        motions.append((v, w, a, dw))
        m, (h, J) = body.mass, about_origin(body)
        force, moment = m * a - cross(h, dw), J @ dw + cross(h, a)
        momentum, spin = m * v - cross(h, w), J @ w + cross(h, v)
        forces.append((force + cross(w, momentum), moment + cross(w, spin) + cross(v, momentum)))
    tau = []
    for i, body in reversed(list(enumerate(bodies))):
        f, n = forces[i]
        tau.append(ca.dot(body.linear, f) + ca.dot(body.angular, n))
        if body.parent is not None:
            R, p = place(body, q[i])
            f, n = R @ f, R @ n
            force, moment = forces[body.parent]
            forces[body.parent] = force + f, moment + n + cross(p, f)
    return ca.vertcat(*reversed(tau))


def upper(matrix):
    """The symmetric matrix of an upper triangle: the other entries need not be computed."""
    return ca.triu2symm(ca.triu(matrix))


def mass_matrix(bodies, q):
    places = [place(body, q[i]) for i, body in enumerate(bodies)]
    composites = [(body.mass, *about_origin(body)) for body in bodies]
    M = ca.SX(len(bodies), len(bodies))
    for i, body in reversed(list(enumerate(bodies))):
        m, h, J = composites[i]
        f, n = m * body.linear - cross(h, body.angular), J @ body.angular + cross(h, body.linear)
        j = i
        while True:
            M[i, j] = M[j, i] = ca.dot(bodies[j].linear, f) + ca.dot(bodies[j].angular, n)
            if bodies[j].parent is None:
                break
            R, p = places[j]
            f = R @ f
            n, j = R @ n + cross(p, f), bodies[j].parent
        if body.parent is not None:
            R, p = places[i]
            turned_h, (mass, moment, tensor) = R @ h, composites[body.parent]
            h = turned_h + m * p
            J = upper(R @ J @ R.T - skew(p) @ skew(turned_h) - skew(h) @ skew(p))
            composites[body.parent] = mass + m, moment + h, tensor + J
    return M


def functions(bodies, gravity):
    n = len(bodies)
    q, qd, qdd, qddd, qdddd = (ca.SX.sym(name, n) for name in ("q", "qd", "qdd", "qddd", "qdddd"))
    rest = ca.SX.zeros(n)
    tau = inverse_dynamics(bodies, gravity, q, qd, qdd)
    yield "inverse_dynamics", {"q": q, "qd": qd, "qdd": qdd}, [tau]
    yield "mass_matrix", {"q": q}, [mass_matrix(bodies, q)]
    yield "gravity", {"q": q}, [inverse_dynamics(bodies, gravity, q, rest, rest)]
    if n <= MOST_JOINTS_WITH_RATES:
        dot = ca.jtimes(tau, ca.vertcat(q, qd, qdd), ca.vertcat(qd, qdd, qddd))
        ddot = ca.jtimes(dot, ca.vertcat(q, qd, qdd, qddd), ca.vertcat(qd, qdd, qddd, qdddd))
        reads = {"q": q, "qd": qd, "qdd": qdd, "qddd": qddd, "qdddd": qdddd}
        yield "inverse_dynamics_rates", reads, [tau, dot, ddot]


def write(folder, name, reads, results):
    results = [ca.sparsify(result) for result in results]
    outputs = [f"out{k}" for k in range(len(results))]
    function = ca.Function(name, list(reads.values()), results, list(reads), outputs, {"cse": True})
    ids = [function.instruction_id(k) for k in range(function.n_instructions())]
    mul = sum(k in (ca.OP_MUL, ca.OP_SQ) for k in ids)
    add = sum(k in (ca.OP_ADD, ca.OP_SUB, ca.OP_TWICE, ca.OP_NEG) for k in ids)
    print(f"CasADi {ca.__version__} {name}: {mul} mul, {add} add")
    generator = ca.CodeGenerator(f"{name}.c")
    generator.add(function)
    generator.generate(f"{folder}/")


def main(robot, folder):
    robot = pathlib.Path(robot)
    found = (read_toml if robot.suffix == ".toml" else read_text)(robot)
    if found is None:
        print(f"{robot.name}: no functions, the recursions here have no free joint", file=sys.stderr)
        return
    gravity, bodies = found
    for function in functions(bodies, gravity):
        write(folder, *function)


if __name__ == "__main__":
    main(*sys.argv[1:])
