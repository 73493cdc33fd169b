"""Evaluates every row of the tables of docs/from-pinocchio.md, from-mujoco.md and from-rtb.md in both programs.

    python suite/peers/same_names.py [path of jourdain] [pinocchio] [mujoco] [rtb]

The Python block of a page is what a reader runs first. It is given `path`, the robot file; `info`, what
`jourdain info ROBOT --json` prints; and `state`, arrays under the names of a state file. It leaves behind what the first
column of the tables speaks of. The second column is an expression of jourdain's quantities at the same state, `L` being
the link `tool`. A row that says "without friction" is left out for robots that have some. Numbers along the velocities
come in the order of the other program, `iv` of the block being where it keeps jourdain's; axes of that length are put
into jourdain's order before comparing, and so no axis of anything else may have it.

The second block of a page spells the same in Python, given `path` and `state`; what it leaves behind as `same`, by quantity, has to be what
the command says. It is run where the Python package is installed, be the other program there or not.
"""

import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import warnings

import numpy as np

HERE = pathlib.Path(__file__).parent
DOCS = HERE.parent.parent / "docs"
# Page, package, robots.
PAGES = {
    "pinocchio": ("from-pinocchio.md", "pinocchio", ["arm.urdf", "walker.urdf"]),
    "mujoco": ("from-mujoco.md", "mujoco", ["arm.xml", "walker.xml"]),
    "rtb": ("from-rtb.md", "roboticstoolbox", ["dh.toml"]),
}
STATES = 3
TOLERANCE = 1e-9


class Jourdain:
    def __init__(self, *program):
        self.program = program
        listed = self.run("quantities")
        self.names = {name.removesuffix(":L") for entry in listed for name in [entry["name"], *entry["short"]]}

    def run(self, *arguments, text=None):
        ran = subprocess.run([*self.program, *arguments, "--json"], input=text, capture_output=True, text=True)
        result = json.loads(ran.stdout)
        if isinstance(result, dict) and "error" in result:
            raise SystemExit(f"jourdain {' '.join(arguments)}: {result['error']['message']}")
        return result

    def evaluate(self, robot, state, names):
        given = {name: values.tolist() for name, values in state.items() if name != "wrenches"}
        wrenches = [{"link": link, "force": list(force), "moment": list(moment)} for link, force, moment in state["wrenches"]]
        quantities = {}
        # Only what asks for them sees the wrenches, so that a torque is a torque in every row.
        for loaded in (False, True):
            some = [name for name in names if (name == "external_forces") == loaded]
            if some:
                text = json.dumps(given | ({"wrenches": wrenches} if loaded else {}))
                result = self.run("eval", robot, "--state", "-", "--quantity", ",".join(some), text=text)
                quantities |= {name: np.array(value) for name, value in result["quantities"].items()}
        return quantities

    def translated(self, expression):
        """The expression as Python over `Q`, and the quantities it reads."""
        used = set()

        def quantity(match):
            name = match[1] + (":tool" if match[2] else "")
            if match[1] not in self.names:
                return match[0]
            used.add(name)
            return f"Q[{name!r}]"

        return re.sub(r"(?<![\w.])([A-Za-z_]\w*)(:L)?(?!\w)", quantity, expression), used


def random_state(info, random):
    def number(coordinate):
        return random.normal() if coordinate["part"].startswith("q") else random.uniform(-1.2, 1.2)

    q = np.array([number(c) for c in info["coordinates"]])
    turn = [k for k, c in enumerate(info["coordinates"]) if c["part"].startswith("q")]
    if turn:
        q[turn] /= np.linalg.norm(q[turn])
    state = {name: random.normal(size=info["dof"]) for name in ["qd", "qdd", "tau"]}
    return {"q": q, **state, "wrenches": [("tool", random.normal(size=3), random.normal(size=3))]}


def rows(page):
    """Line, expressions of both columns, and remark of every row of every table whose second heading is jourdain."""
    inside = False
    for number, line in enumerate(page.splitlines(), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")] if line.startswith("|") else []
        if not cells:
            inside = False
        elif len(cells) > 1 and cells[1] == "jourdain":
            inside = True
        elif inside and not set(line) <= set("|-: "):
            code = [re.fullmatch(r"`(.+)`", cell) for cell in cells[:2]]
            if not all(code):
                raise SystemExit(f"line {number}: both columns are code: {line}")
            yield number, code[0][1], code[1][1], cells[2] if len(cells) > 2 else ""


def blocks(file):
    """What a reader runs: in the other program, and in Python with jourdain."""
    theirs, ours = re.findall(r"```python\n(.*?)```", (DOCS / file).read_text(), re.S)
    return theirs, ours


def compare_python(jourdain, file, robots):
    """What the Python of a page has otherwise than the command, as messages."""
    failures = []
    for robot in robots:
        path = str(HERE / robot)
        state = random_state(jourdain.run("info", path), np.random.default_rng(18))
        given = {"path": path, "state": state}
        # The robots have findings on purpose.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(blocks(file)[1], given)
        Q = jourdain.evaluate(path, state, [name.replace(":L", ":tool") for name in given["same"]])
        for name, ours in given["same"].items():
            expected = Q[name.replace(":L", ":tool")]
            if ours.shape != expected.shape or not np.abs(ours - expected).max() <= TOLERANCE * max(1.0, np.abs(expected).max()):
                failures.append(f"{file}: {name} of {robot} is not what the command says")
        if given["info"] != jourdain.run("info", path):
            failures.append(f"{file}: info of {robot} is not what the command says")
    return failures


def compare(jourdain, title, file, robots):
    page = (DOCS / file).read_text()
    block, _ = blocks(file)
    table = list(rows(page))
    translations = {right: jourdain.translated(right) for _, _, right, _ in table}
    names = sorted(set().union(*(used for _, used in translations.values())))
    worst, seen, failures = 0.0, set(), []
    for robot in robots:
        path = str(HERE / robot)
        info = jourdain.run("info", path)
        random = np.random.default_rng(17)
        for _ in range(STATES):
            state = random_state(info, random)
            Q = jourdain.evaluate(path, state, names)
            given = {"path": path, "info": info, "state": {name: np.copy(value) if name != "wrenches" else value for name, value in state.items()}}
            exec(block, given)
            iv, friction = given["iv"], bool(np.any(given["friction"]))
            for number, left, right, remark in table:
                if "without friction" in remark and friction:
                    continue
                seen.add(number)
                theirs = np.array(eval(left, given), dtype=float).squeeze()
                for axis in range(theirs.ndim):
                    if theirs.shape[axis] == info["dof"]:
                        theirs = np.take(theirs, iv, axis)
                ours = np.array(eval(translations[right][0], {**given, "Q": Q, **state}), dtype=float).squeeze()
                if theirs.shape != ours.shape:
                    failures.append(f"{file}:{number}: {left} has shape {theirs.shape}, {right} {ours.shape}, of {robot}")
                    continue
                error = np.abs(theirs - ours).max() / max(1.0, np.abs(ours).max())
                worst = max(worst, error)
                if not error <= TOLERANCE:
                    failures.append(f"{file}:{number}: {left} and {right} differ by {error:.1e} of {robot}")
    failures += [f"{file}:{number}: no robot to compare on" for number, *_ in table if number not in seen]
    for failure in dict.fromkeys(failures):
        print(failure)
    print(f"{title}: {len(table)} rows, {len(robots)} robots, {STATES} states each, largest difference {worst:.1e}")
    return not failures and len(table) > 0


def main():
    arguments = sys.argv[1:]
    program = arguments.pop(0) if arguments and arguments[0] not in PAGES else "jourdain"
    jourdain, good = Jourdain(program), True
    for title, (file, package, robots) in PAGES.items():
        if arguments and title not in arguments:
            continue
        if importlib.util.find_spec("jourdain") is not None:
            failures = compare_python(jourdain, file, robots)
            print("\n".join(failures) or f"{title}: Python says the same")
            good = good and not failures
        if importlib.util.find_spec(package) is None:
            print(f"{title}: the package {package} is not installed")
            good = good and not arguments
            continue
        good = compare(jourdain, title, file, robots) and good
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
