//! Inverse kinematics: verdicts, the right link, many targets, paths, the best optimum.

use crate::Row;
use crate::support::{flat, run};
use serde_json::Value;

pub fn rows() -> Vec<Row> {
    vec![
        puma(),
        folded(),
        finer_than_rounding(),
        ends(),
        many(),
        leaves_the_workspace(),
        singular_path(),
        best(),
        all(),
    ]
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or("nothing").to_owned()
}

/// The events of a path, but for those of a kind.
fn events(found: &Value, kinds: &[&str]) -> String {
    let list = found["events"].as_array().cloned().unwrap_or_default();
    let named = list.iter().filter(|event| kinds.contains(&event["kind"].as_str().unwrap_or_default()));
    let told: Vec<String> =
        named.map(|event| format!("{} from {} to {}", text(&event["kind"]), event["from"], event["to"])).collect();
    if told.is_empty() { "no event".to_owned() } else { told.join(", ") }
}

/// Largest change of a joint from one point to the next.
fn largest_step(found: &Value) -> f64 {
    let points: Vec<Vec<f64>> =
        found["points"].as_array().into_iter().flatten().map(|point| flat(&point["q"])).collect();
    let step = |pair: &[Vec<f64>]| pair[0].iter().zip(&pair[1]).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
    points.windows(2).map(step).fold(0.0, f64::max)
}

fn puma() -> Row {
    let target = "suite/corners/puma_target_not_unreachable.json";
    let found = run(&["ik", "puma560", "--target", target, "-c", "none", "--json"]).json();
    // The pose by forward kinematics, which shares no code with the solver.
    let state = format!("{{\"q\": {}}}", found["q"]);
    let pose = run(&["eval", "puma560", "-s", &state, "-Q", "pose:tool", "--json"]).json();
    let wanted: Value =
        serde_json::from_str(include_str!("../../../../suite/corners/puma_target_not_unreachable.json"))
            .unwrap_or_default();
    let off = flat(&pose["quantities"]["pose:tool"])
        .iter()
        .zip(flat(&wanted))
        .fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
    Row {
        corner: "puma560, a pose that one start in fifty leads to",
        before: "unreachable, and limits blamed",
        now: format!("{}, {off:.0e} off by forward kinematics", text(&found["status"])),
        witness: "solved: forward kinematics of the answer, to the nine digits of the target",
        holds: found["status"] == "solved" && off < 1e-8,
    }
}

fn folded() -> Row {
    let target = "[0.1, 0, 0.36, 1, 0, 0, 0]";
    let found = run(&["ik", "iiwa14", "--target", target, "-c", "none", "--json"]).json();
    Row {
        corner: "iiwa14, a hand whose wrist would be nearer to the shoulder than the folded elbow allows",
        before: "unreachable, from starts that failed",
        now: text(&found["status"]),
        witness: "unreachable: the triangle of 420 and 400 mm with 120 degrees between has a third side of 410 mm",
        holds: found["status"] == "unreachable",
    }
}

fn finer_than_rounding() -> Row {
    let found = run(&["ik", "panda", "--target", "[0.4, 0, 0.4]", "--tolerance", "1e-17", "--json"]);
    Row {
        corner: "panda, `--tolerance 1e-17`",
        before: "unreachable",
        now: text(&found.error()["kind"]),
        witness: "refused: a double near 1 has steps of 2e-16",
        holds: found.code == 2,
    }
}

fn ends() -> Row {
    let found = run(&["ik", "humanoid25", "--target", "[0.3, 0.1, 0.4]", "--json"]);
    Row {
        corner: "humanoid25 without `--link`",
        before: "the last link of the file was placed",
        now: text(&found.error()["kind"]),
        witness: "refused: four limbs and a head end in different links",
        holds: found.code == 2,
    }
}

fn many() -> Row {
    let targets = "[[0.4, 0.1, 0.3], [3, 0, 0], [0.5, 0.1, 0.3]]";
    let found = run(&["ik", "panda", "--target", targets, "-c", "none", "--json"]);
    let statuses: Vec<String> =
        found.json()["results"].as_array().into_iter().flatten().map(|result| text(&result["status"])).collect();
    Row {
        corner: "panda, three targets in one call, the second 3 m away",
        before: "refused",
        now: statuses.join(", "),
        witness: "in their order; the arm is 1.2 m long",
        holds: statuses == ["solved", "unreachable", "solved"] && found.code == 1,
    }
}

fn leaves_the_workspace() -> Row {
    let found =
        run(&["ik-path", "iiwa14", "--path", "suite/corners/iiwa14_path_leaves_workspace.json", "--json"]).json();
    let told = events(&found, &["unreachable", "jump"]);
    let step = largest_step(&found);
    let path: Value = serde_json::from_str(include_str!("../../../../suite/corners/iiwa14_path_leaves_workspace.json"))
        .unwrap_or_default();
    // The wrist is 126 mm behind the flange along its z axis, the shoulder at the origin.
    let wrist = |pose: &Value| -> f64 {
        let rows: Vec<Vec<f64>> = (0..3).map(|i| flat(&pose[i])).collect();
        rows.iter().map(|row| (row[3] - 0.126 * row[2]).powi(2)).sum::<f64>().sqrt()
    };
    let poses = path.as_array().cloned().unwrap_or_default();
    let far: Vec<usize> = (0..poses.len()).filter(|&k| wrist(&poses[k]) > 0.82).collect();
    let (first, last) = (far.first().copied().unwrap_or(0), far.last().copied().unwrap_or(0));
    Row {
        corner: "iiwa14 along a path that leaves its workspace and comes back",
        before: "39 jumps of up to 5.85 rad, 23 s",
        now: format!("{told}; steps of at most {step:.1} rad"),
        witness: "unreachable exactly where the wrist of the target is more than 420 + 400 mm from the shoulder: from 88 to 126",
        holds: told == format!("unreachable from {first} to {last}") && step < 0.6,
    }
}

fn singular_path() -> Row {
    let path = "suite/corners/ur5_path_singular.json";
    let start = "[0.2,-1,1.4,0.3,0.5,0.1]";
    let found = run(&["ik-path", "ur5", "--path", path, "-c", "none", "--start", start, "--json"]);
    let (report, step) = (found.json(), largest_step(&found.json()));
    Row {
        corner: "ur5 along a path through a singularity",
        before: "jumps at 50 and 51",
        now: format!("{}; steps of at most {step:.2} rad", events(&report, &["unreachable", "jump"])),
        witness: "continuous: the path was made from joint angles that move by 0.01 rad",
        holds: found.code == 0 && step < 0.05,
    }
}

fn best() -> Row {
    let target = "{\"position\": [0.45, 0.1, 0.4], \"rpy\": [3.1, 0.1, 0.3]}";
    let value = |more: &[&str]| -> (f64, Value) {
        let found = run(&[&["ik", "panda", "--target", target, "--json"], more].concat()).json();
        (found["criterion"].as_f64().unwrap_or(f64::NAN), found["chance_of_better"].clone())
    };
    let ((found, chance), (thorough, _)) =
        (value(&[]), value(&["--seed", "9", "--chance", "0.002", "--starts", "20000"]));
    Row {
        corner: "panda, the best manipulability at a pose",
        before: "the best of 100 starts, one in 360 poses missed it",
        now: format!("{found:.6}, chance of a better one {:.3}", chance.as_f64().unwrap_or(1.0)),
        witness: "no better one among five times as many starts from another seed",
        holds: found <= thorough + 1e-9 && chance.as_f64().is_some_and(|chance| chance <= 0.01),
    }
}

fn all() -> Row {
    let found = run(&["ik", "planar3r_chang", "--target", "[0.446004, 0.091514]", "--all", "--json"]).json();
    let count = found["solutions"].as_array().map_or(0, Vec::len);
    Row {
        corner: "planar3r_chang, all stationary points of Chang's first vertex",
        before: "8, of the curves that 100 starts led to",
        now: count.to_string(),
        witness: "8, by sampling both curves of the closed form at 40 000 points",
        holds: count == 8,
    }
}
