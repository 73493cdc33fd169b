//! Dynamics: singular mass matrices, large angles, large trees, absurd numbers.

use crate::Row;
use crate::support::{Scratch, flat, json, run, run_with};
use std::fmt::Write as _;

const CORNERS: &str = "suite/corners/";

pub fn rows() -> Vec<Row> {
    vec![
        singular_eval(),
        singular_simulation(),
        singular_check(),
        indefinite(),
        one_large_angle(),
        two_large_angles(),
        long_chain(),
        longest_chain(),
        long_axis(),
        far_centre_of_mass(),
    ]
}

fn corner(name: &str) -> String {
    format!("{CORNERS}{name}")
}

/// The numbers of a quantity.
fn eval(robot: &str, state: &str, quantity: &str, more: &[&str]) -> Vec<f64> {
    let report = json(&[&["eval", robot, "--state", state, "--quantity", quantity], more].concat());
    flat(&report["quantities"][quantity])
}

fn singular_eval() -> Row {
    let robot = corner("massless_between_coaxial.json");
    let said: Vec<String> = ["recursive", "closed"]
        .iter()
        .map(|method| {
            let state = r#"{"q": [0.1, 0.2], "tau": [1, 2]}"#;
            let run = run(&["eval", &robot, "-s", state, "-Q", "forward_dynamics", "--method", method, "--json"]);
            let error = run.error();
            format!("{} {} {}", run.code, error["kind"], error["message"])
        })
        .collect();
    let holds = said[0] == said[1] && said[0].starts_with("2 \"singular-mass-matrix\"") && said[0].contains("`a`");
    Row {
        corner: "`forward_dynamics` of a massless link between two coaxial joints",
        before: "±3.7e16 rad/s², exit 0",
        now: if holds { "error, joint `a` named, by both methods".to_owned() } else { said.join("; ") },
        witness: "det M = 0: both joints turn the same inertia",
        holds,
    }
}

fn singular_simulation() -> Row {
    let robot = corner("massless_between_coaxial.json");
    let state = r#"{"q": [0.1, 0.2], "tau": [1, 2]}"#;
    let said: Vec<_> = ["rk4", "adaptive", "implicit"]
        .iter()
        .map(|method| {
            let run = run(&["simulate", &robot, "-s", state, "-d", "0.01", "--method", method, "--json"]);
            (run.code, run.error()["kind"].as_str().unwrap_or_default().to_owned())
        })
        .collect();
    let holds = said.iter().all(|(code, kind)| *code == 1 && kind == "singular-mass-matrix");
    Row {
        corner: "the same robot simulated",
        before: "a drift of 1.9e12 J, exit 0",
        now: if holds { "error by three integrators".to_owned() } else { format!("{said:?}") },
        witness: "no acceleration fulfils the equation of motion",
        holds,
    }
}

fn singular_check() -> Row {
    let report = run(&["check", &corner("massless_between_coaxial.json"), "--json"]).stdout;
    let holds = report.contains("no-inertia") && report.contains("`a`, `b`");
    Row {
        corner: "`check` of the same robot",
        before: "no finding",
        now: if holds { "`no-inertia`, joints `a` and `b`".to_owned() } else { report },
        witness: "rank of Σ Jᵀ Λ J at random positions, 1 of 2",
        holds,
    }
}

fn indefinite() -> Row {
    let (robot, state) = (corner("indefinite_mass_matrix.json"), r#"{"q": [0.1, 0.2], "tau": [1, 2]}"#);
    // Cramer's rule; there is no gravity, and nothing moves.
    let m = eval(&robot, state, "mass_matrix", &["--method", "closed"]);
    let determinant = m[0] * m[3] - m[1] * m[2];
    let expected = [(m[3] - 2.0 * m[1]) / determinant, (2.0 * m[0] - m[2]) / determinant];
    let off = ["recursive", "closed"]
        .iter()
        .flat_map(|method| eval(&robot, state, "forward_dynamics", &["--method", method]))
        .zip(expected.iter().cycle())
        .fold(0.0_f64, |most, (found, expected)| most.max((found / expected - 1.0).abs()));
    Row {
        corner: "`forward_dynamics` of a robot with a negative mass",
        before: "not finite; the closed form answers",
        now: format!("{off:.0e} off by either method"),
        witness: "Cramer's rule",
        holds: off < 1e-13,
    }
}

/// ∂V/∂q of a kilogram at (0.1, 0.2) m in the plane of a joint.
fn pendulum(q: f64) -> f64 {
    -9.806_65 * (0.1 * q.cos() + 0.2 * q.sin())
}

fn one_large_angle() -> Row {
    let off = ["recursive", "closed"]
        .map(|method| eval(&corner("large_angle.json"), r#"{"q": [1e16]}"#, "gravity", &["--method", method])[0])
        .map(|found| (found - pendulum(1e16)).abs());
    let most = off[0].max(off[1]);
    Row {
        corner: "`gravity` of a pendulum at 1e16 rad",
        before: "−1.66 and −0.915 by two methods",
        now: format!("{most:.0e} off −0.915"),
        witness: "the derivative of the potential by hand, the library's sine",
        holds: most < 4e-15,
    }
}

fn two_large_angles() -> Row {
    let robot = corner("large_angle_two_links.json");
    let state = |q: f64| format!(r#"{{"q": [{q:?}, {:?}], "qd": [0.3, -0.4], "qdd": [1, 2], "tau": [1, 2]}}"#, -q);
    let unwound = |q: f64| q.sin().atan2(q.cos());
    let mut most = 0.0_f64;
    for q in [1e5, 1e8, 1e16] {
        for quantity in ["gravity", "mass_matrix", "inverse_dynamics", "forward_dynamics", "coriolis_matrix"] {
            let large = eval(&robot, &state(q), quantity, &[]);
            let small = eval(&robot, &state(unwound(q)), quantity, &[]);
            let scale = small.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
            most = large.iter().zip(&small).fold(most, |most, (a, b)| most.max((a - b).abs() / scale));
        }
    }
    Row {
        corner: "five quantities of two links at 1e5, 1e8, 1e16 rad",
        before: "2e-12, 7e-9 and 1 off",
        now: format!("{most:.0e} off"),
        witness: "the same angles without their whole turns, by the library's sine and cosine",
        holds: most < 1e-14,
    }
}

/// A chain of equal links, axes in turn.
fn chain(joints: usize) -> String {
    let mut text = "name = \"chain\"\n".to_owned();
    for i in 0..joints {
        let parent = i.checked_sub(1).map_or("base".to_owned(), |parent| format!("l{parent}"));
        let axis = ["[0, 0, 1]", "[0, 1, 0]", "[1, 0, 0]"][i % 3];
        write!(
            text,
            "[[link]]\nname = \"l{i}\"\nparent = \"{parent}\"\nmass = 1.0\ncom = [0.05, 0.01, 0.02]\n\
             inertia = [0.01, 0, 0, 0.01, 0, 0.01]\norigin = {{ xyz = [0.1, 0, 0.02] }}\njoint = {{ type = \"continuous\", axis = {axis} }}\n"
        )
        .unwrap();
    }
    text
}

/// What is left of the equation of motion if the accelerations are put back into it, over the largest torque that carries the
/// robot in its motion.
fn residual(joints: usize) -> f64 {
    let robot = Scratch::with(&format!("chain{joints}.toml"), &chain(joints));
    let numbers = |f: &dyn Fn(f64) -> f64| -> Vec<f64> { (0..joints).map(|i| f(i as f64)).collect() };
    let (q, qd) = (numbers(&|i| (1.7 * i).sin()), numbers(&|i| 0.3 * (2.3 * i).cos()));
    let state = |name: &str, values: &[f64]| format!(r#"{{"q": {q:?}, "qd": {qd:?}, "{name}": {values:?}}}"#);
    let solve = |quantity: &str, state: String| {
        let file = Scratch::with(&format!("state{joints}.json"), &state);
        eval(robot.path(), file.path(), quantity, &[])
    };
    let tau = numbers(&|i| (0.9 * i).sin());
    let found = solve("forward_dynamics", state("tau", &tau));
    let back = solve("inverse_dynamics", state("qdd", &found));
    let carried = solve("inverse_dynamics", state("qdd", &vec![0.0; joints]));
    let largest = carried.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    back.iter().zip(&tau).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())) / largest
}

fn long_chain() -> Row {
    let residual = residual(400);
    Row {
        corner: "`forward_dynamics` of 400 joints in a row",
        before: "accelerations 6e-9 off, 3e-13 of the torque left",
        now: format!("{residual:.0e} of the torque left"),
        witness: "inverse dynamics at the accelerations found; in the library's tests numbers of twice the precision",
        holds: residual < 1e-13,
    }
}

fn longest_chain() -> Row {
    let residual = residual(10_000);
    Row {
        corner: "`forward_dynamics` of 10 000 joints in a row",
        before: "refused above 1000",
        now: format!("{residual:.0e} of the torque left"),
        witness: "inverse dynamics at the accelerations found",
        holds: residual < 1e-12,
    }
}

fn long_axis() -> Row {
    let run = run(&["derive", &corner("axis_1e200.toml"), "-Q", "gravity", "-t", "c"]);
    let found = eval(&corner("axis_1e200.toml"), r#"{"q": [0.3]}"#, "gravity", &[])[0];
    let off = (found + 0.980_665 * 0.3_f64.cos()).abs();
    let holds =
        run.code == 0 && !run.stdout.to_lowercase().contains("nan(") && !run.stdout.contains("NaN,") && off < 1e-15;
    Row {
        corner: "an axis of length 1e200",
        before: "`NaN` in the generated C",
        now: format!("a direction; g is {off:.0e} off"),
        witness: "the derivative of the potential by hand",
        holds,
    }
}

fn far_centre_of_mass() -> Row {
    let robot = r#"{"name": "far", "link": [{"name": "a", "mass": 1, "com": [1e200, 0, 0], "inertia": [1, 0, 0, 1, 0, 1], "joint": {"type": "continuous"}}]}"#;
    let run = run_with(&["check", "-", "--json"], robot);
    let holds = run.code == 1 && run.stdout.contains("number-too-large");
    Row {
        corner: "a centre of mass at 1e200 m",
        before: "`check` says ok",
        now: if holds { "`number-too-large`".to_owned() } else { run.stdout },
        witness: "its square is no number",
        holds,
    }
}
