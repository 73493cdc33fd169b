"""Compares jourdain with MuJoCo on random MJCF models that multiply features.

    python suite/peers/mjcf_random.py [--jourdain PATH] [--count N] [--seed N] [--keep FOLDER]

A model that one of the two refuses and the other does not is shown, and so is every one that disagrees; these are kept in FOLDER.
"""

import argparse
import collections
import pathlib
import random
import sys
import tempfile

import mujoco

from mjcf import compare

CLASSES = ["", "one", "two", "three"]


class Model:
    """Writes one model; every choice comes from its seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = {"body": 0, "joint": 0}
        self.joints = []

    def number(self, low=-1.0, high=1.0):
        return f"{self.random.uniform(low, high):.4g}"

    def numbers(self, count, low=-1.0, high=1.0):
        return " ".join(self.number(low, high) for _ in range(count))

    def chance(self, share):
        return self.random.random() < share

    def orientation(self):
        kind = self.random.choice(["", "", "quat", "euler", "axisangle", "xyaxes", "zaxis"])
        angle = 180 if self.degrees else 3
        if kind == "euler":
            return f' euler="{self.numbers(3, -angle, angle)}"'
        if kind == "axisangle":
            return f' axisangle="{self.numbers(3)} {self.number(-angle, angle)}"'
        counts = {"quat": 4, "xyaxes": 6, "zaxis": 3}
        return f' {kind}="{self.numbers(counts[kind])}"' if kind else ""

    def place(self):
        return (f' pos="{self.numbers(3, -0.3, 0.3)}"' if self.chance(0.7) else "") + self.orientation()

    def of_class(self, name="class", share=0.3):
        chosen = self.random.choice(CLASSES)
        return f' {name}="{chosen}"' if chosen and self.chance(share) else ""

    def shape(self, shell=True):
        kind = self.random.choice(["sphere", "capsule", "cylinder", "box", "ellipsoid"])
        text = f' type="{kind}" size="{self.numbers(3, 0.02, 0.2)}"'
        if kind != "sphere" and self.chance(0.3):
            return text + f' fromto="{self.numbers(6, -0.3, 0.3)}"', False
        return text, True

    def weight(self):
        text = ""
        if self.chance(0.3):
            text += f' density="{self.number(1, 3000)}"'
        if self.chance(0.3):
            text += f' mass="{self.number(0.1, 5)}"'
        if self.chance(0.2):
            text += ' shellinertia="true"'
        return text + (f' group="{self.random.randint(0, 4)}"' if self.chance(0.2) else "")

    def geom(self):
        shape, is_free = self.shape()
        return f"<geom{shape}{self.place() if is_free else ''}{self.weight()}{self.of_class()}/>"

    def joint(self, kinds):
        kind = self.random.choice(kinds)
        self.names["joint"] += 1
        name = f"j{self.names['joint']}x"
        text = f'<joint type="{kind}"{self.of_class()}'
        if self.chance(0.9):
            text += f' name="{name}"'
            if kind in ("hinge", "slide"):
                self.joints.append(name)
        if kind != "free":
            text += f' axis="{self.numbers(3)}" pos="{self.numbers(3, -0.2, 0.2)}"'
        if kind in ("hinge", "slide") and self.chance(0.4):
            text += f' ref="{self.number(-40, 40) if kind == "hinge" and self.degrees else self.number()}"'
        if kind in ("hinge", "slide") and self.chance(0.4):
            text += f' range="{self.number(-2, -1)} {self.number(1, 2)}"'
        if self.chance(0.3):
            text += f' armature="{self.number(0, 0.5)}"'
        return text + "/>", kind

    def inertial(self):
        if self.chance(0.5):
            moments = [self.random.uniform(0.1, 0.2) for _ in range(3)]
            return f'<inertial pos="{self.numbers(3)}" mass="{self.number(0.5, 3)}" diaginertia="{" ".join(f"{m:.4g}" for m in moments)}"{self.orientation()}/>'
        return f'<inertial pos="{self.numbers(3)}" mass="{self.number(0.5, 3)}" fullinertia="{self.numbers(3, 0.2, 0.3)} {self.numbers(3, -0.02, 0.02)}"/>'

    def body(self, depth, at_top):
        self.names["body"] += 1
        name = f' name="b{self.names["body"]}x"' if self.chance(0.9) else ""
        parts = []
        if at_top and self.chance(0.25):
            parts.append("<freejoint/>" if self.chance(0.5) else self.joint(["free"])[0])
        else:
            had_ball = False
            for _ in range(self.random.choice([0, 1, 1, 1, 2, 3])):
                text, kind = self.joint(["slide"] if had_ball else ["hinge", "hinge", "slide", "ball"])
                had_ball |= kind == "ball"
                parts.append(self.framed(text) if self.chance(0.2) else text)
        for _ in range(self.random.randint(1, 3)):
            parts.append(self.framed(self.geom()) if self.chance(0.3) else self.geom())
        if self.chance(0.3):
            parts.append(self.inertial())
        for _ in range(self.random.choice([0, 1, 1, 2]) if depth else 0):
            text = self.body(depth - 1, False)
            if self.chance(0.15):
                text = self.replicated(text)
            parts.append(self.framed(text) if self.chance(0.3) else text)
        if self.chance(0.5):
            self.random.shuffle(parts)
        return f"<body{name}{self.of_class('childclass', 0.5)}{self.place()}>{''.join(parts)}</body>"

    def framed(self, text):
        return f"<frame{self.place()}{self.of_class('childclass', 0.3)}>{text}</frame>"

    def replicated(self, text):
        turn = self.number(-90, 90) if self.degrees else self.number()
        return f'<replicate count="{self.random.randint(1, 3)}" offset="{self.numbers(3)}" euler="0 {turn} 0">{text}</replicate>'

    def default(self, name, inside=""):
        joint = f'<joint armature="{self.number(0, 0.1)}" axis="{self.numbers(3)}"/>' if self.chance(0.7) else ""
        geom = f'<geom{self.orientation()}{self.weight()}/>' if self.chance(0.7) else ""
        return f'<default{name}>{inside}{joint}{geom}</default>'

    def text(self):
        self.degrees = self.chance(0.5)
        settings = "" if self.degrees and self.chance(0.5) else f' angle="{"degree" if self.degrees else "radian"}"'
        if self.chance(0.5):
            settings += ' eulerseq="' + "".join(self.random.choice(pair) for pair in self.random.sample(["xX", "yY", "zZ"], 3)) + '"'
        for name, value in [
            ("inertiafromgeom", self.random.choice(["true", "auto"])),
            ("boundmass", self.number(0.1, 2)),
            ("boundinertia", self.number(0.001, 0.1)),
            ("settotalmass", self.number(1, 20)),
            ("inertiagrouprange", f"0 {self.random.randint(2, 5)}"),
            ("balanceinertia", "true"),
        ]:
            settings += f' {name}="{value}"' if self.chance(0.2) else ""
        nested = self.default(' class="one"', self.default(' class="two"')) + self.default(' class="three"')
        bodies = "".join(self.body(self.random.randint(0, 3), True) for _ in range(self.random.randint(1, 3)))
        world = self.framed(bodies) if self.chance(0.3) else bodies
        equalities = ""
        if len(self.joints) > 1 and self.chance(0.4):
            first, second = self.random.sample(self.joints, 2)
            equalities = f'<equality><joint joint1="{first}" joint2="{second}" polycoef="{self.numbers(2)} 0 0 0"/></equality>'
        drives = "".join(f'<motor joint="{joint}" gear="{self.number(1, 5)}" armature="{self.number(0, 0.1)}"/>' for joint in self.joints if self.chance(0.3))
        gravity = f'<option gravity="{self.numbers(3, -10, 10)}"/>' if self.chance(0.5) else ""
        return f"<mujoco><compiler{settings}/>{gravity}{self.default('', nested)}<worldbody>{world}</worldbody>{equalities}<actuator>{drives}</actuator></mujoco>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jourdain", default="target/release/jourdain")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", default=tempfile.mkdtemp())
    arguments = parser.parse_args()
    mujoco.set_mju_user_warning(lambda message: None)
    counts, folder = collections.Counter(), pathlib.Path(arguments.keep)
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        file = folder / f"random_{seed}.xml"
        file.write_text(Model(seed).text())
        verdict, error, reason = compare(arguments.jourdain, file, 1, seed)
        counts[verdict] += 1
        if verdict in ("agree", "warned", "neither reads it"):
            file.unlink()
        else:
            print(f"{verdict:16} {error:8.1e}  {file} {reason[:300]}", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    return 1 if counts["DISAGREE"] + counts["REFUSED"] else 0


if __name__ == "__main__":
    sys.exit(main())
