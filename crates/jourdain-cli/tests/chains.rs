//! What one command writes another reads: tables, states and names of joints.

mod support;

use serde_json::json;
use support::{Scratch, flat, json, run};

/// Runs a command that must succeed.
fn works(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!(run.code, 0, "{arguments:?}: {} {}", run.stdout, run.stderr);
    run.stdout
}

fn heading(file: &Scratch) -> String {
    file.text().lines().next().unwrap_or_default().to_owned()
}

/// The planar arm with friction, its joints called `first`, and `second` with all that a table could stumble over.
fn robot(name: &str, second: &str) -> Scratch {
    let link = |name: &str, joint: &str, mass: f64, tip: f64, origin: f64, friction: f64| {
        json!({ "name": name, "mass": mass, "com": [tip, 0, 0], "origin": { "xyz": [origin, 0, 0] },
            "joint": { "type": "revolute", "name": joint },
            "motor": { "viscous": friction, "coulomb": 2.0 * friction } })
    };
    let robot = json!({ "name": "chain", "gravity": [0, -9.80665, 0], "link": [
        link("upper", "first", 2.0, 0.5, 0.0, 0.3), link("fore", second, 1.5, 0.4, 0.5, 0.1)] });
    Scratch::with(name, &robot.to_string())
}

#[test]
fn a_simulation_is_a_log() {
    for (name, joint) in [("log1.json", "second"), ("log2.json", "r1, \"left\" [2]; é.x")] {
        let (robot, table) = (robot(name, joint), Scratch::new(&format!("{name}.csv")));
        let torque = Scratch::with(
            &format!("{name}.torque"),
            &(0..60).fold(String::new(), |text, k| {
                let t = 0.05 * f64::from(k);
                text + &format!("{t} {} {}\n", 25.0 * (2.1 * t).sin() + 10.0, 8.0 * (3.7 * t).cos())
            }),
        );
        let (robot, out) = (robot.path(), table.path());
        works(&["simulate", robot, "-d", "3", "--torque", "table", torque.path(), "--out", out]);
        let report = json(&["identify", robot, "--data", out]);
        let parameters = report["parameters"].as_array().unwrap();
        let value = |name: &str| {
            let found = parameters.iter().find(|parameter| parameter["name"] == name);
            found.unwrap_or_else(|| panic!("{name}"))["value"].as_f64().unwrap()
        };
        for (name, expected) in [("Fv1", 0.3), ("Fv2", 0.1), ("Fc1", 0.6), ("Fc2", 0.2), ("ZZ2", 0.24)] {
            let found = parameters.iter().any(|parameter| parameter["name"] == name);
            assert!(
                !found || (value(name) - expected).abs() < 0.05,
                "{joint}: {name} is {}, not {expected}",
                value(name)
            );
        }
        assert!((value("Fv1") - 0.3).abs() < 0.05);
    }
}

#[test]
fn a_path_is_a_table_of_states() {
    let table = Scratch::new("path.csv");
    works(&["ik-path", "planar3r_chang", "--path", "chang", "--out", table.path()]);
    assert!(heading(&table).starts_with("point,q[link1],q[link2],q[link3],criterion"), "{}", heading(&table));
    let states = json(&["eval", "planar3r_chang", "--state", table.path(), "--quantity", "pose:tool"]);
    let points = table.text().lines().count() - 1;
    assert_eq!(states.as_array().unwrap().len(), points);
    // The path begins and ends at the same place.
    let tip = |k: usize| flat(&states[k]["quantities"]["pose:tool"]);
    let (first, last) = (tip(0), tip(points - 1));
    assert!((first[3] - last[3]).abs() < 1e-6 && (first[7] - last[7]).abs() < 1e-6);
}

#[test]
fn an_exciting_motion_is_a_trajectory_and_its_torques_drive_a_simulation() {
    let (motion, torques, simulated) =
        (Scratch::new("motion.csv"), Scratch::new("torques.csv"), Scratch::new("simulated.csv"));
    works(&["excite", "planar2r", "--period", "4", "--rate", "500", "--out", motion.path()]);
    assert_eq!(
        heading(&motion),
        "t,q[link1],q[link2],qd[link1],qd[link2],qdd[link1],qdd[link2],qddd[link1],qddd[link2]"
    );
    let along = ["trajectory", "planar2r", "-t", motion.path(), "--smoothing", "0.004", "-s", "2001"];
    works(&[&along[..], &["-Q", "kinetic_energy,inverse_dynamics", "--out", torques.path()]].concat());
    assert_eq!(heading(&torques), "t,kinetic_energy,inverse_dynamics[link1],inverse_dynamics[link2]");
    // Driven by the torques of the motion, the arm makes the motion.
    let row = |file: &Scratch, k: usize| -> Vec<f64> {
        file.text().lines().nth(k).unwrap().split(',').map(|cell| cell.parse().unwrap()).collect()
    };
    let start = row(&motion, 1);
    let state = json!({ "q": &start[1..3], "qd": &start[3..5] }).to_string();
    let drive = ["simulate", "planar2r", "-s", &state, "-d", "0.5", "--torque", "table", torques.path()];
    works(&[&drive[..], &["--out", simulated.path()]].concat());
    let (end, expected) = (row(&simulated, 501), row(&motion, 251));
    assert!((end[0] - 0.5).abs() < 1e-9 && (expected[0] - 0.5).abs() < 1e-9);
    for (found, expected) in end[1..3].iter().zip(&expected[1..3]) {
        assert!((found - expected).abs() < 0.02, "{found} instead of {expected}");
    }
    // A simulation has torques too.
    works(&["simulate", "planar2r", "-d", "0.1", "--torque", "table", simulated.path()]);
}

#[test]
fn an_elastic_simulation_is_a_table_of_states() {
    let table = Scratch::new("elastic.csv");
    works(&["elastic", "simulate", "planar2r_elastic", "--every", "100", "--out", table.path()]);
    works(&["eval", "planar2r_elastic", "--state", table.path(), "--quantity", "gravity", "--format", "csv"]);
}

#[test]
fn states_name_joints_or_are_their_position() {
    let gravity =
        |state: &str| flat(&json(&["eval", "planar2r", "-s", state, "-Q", "gravity"])["quantities"]["gravity"]);
    let expected = gravity(r#"{"q": [0, 0.4]}"#);
    assert_eq!(gravity("[0, 0.4]"), expected);
    assert_eq!(gravity(r#"{"q": {"link2": 0.4}}"#), expected);
    let lines = Scratch::with("states.jsonl", "[0, 0.4]\n{\"q\": {\"link2\": 0.4}}\n");
    let states = json(&["eval", "planar2r", "-s", lines.path(), "-Q", "gravity"]);
    assert_eq!(flat(&states[0]["quantities"]["gravity"]), expected);
    assert_eq!(flat(&states[1]["quantities"]["gravity"]), expected);
    let list = json(&["eval", "planar2r", "-s", "[[0, 0.4], [0, 0]]", "-Q", "gravity"]);
    assert_eq!((list.as_array().unwrap().len(), flat(&list[0]["quantities"]["gravity"])), (2, expected));

    let end = |state: &str| json(&["simulate", "planar2r", "-d", "0.01", "-s", state])["final"]["q"].clone();
    assert_eq!(end("[0.1, 0]"), end(r#"{"q": {"link1": 0.1}}"#));
    let ik = |start: &str| json(&["ik", "planar2r", "--target", "[0.5, 0.3, 0]", "--start", start])["q"].clone();
    assert_eq!(ik("[0, 1]"), ik(r#"{"q": {"link2": 1}}"#));

    let error = run(&["eval", "planar2r", "-s", r#"{"q": {"link": 1}}"#, "-Q", "gravity", "--json"]).error();
    assert_eq!((error["kind"].as_str(), error["column"].as_u64()), (Some("unknown-joint"), Some(8)));
    let error =
        run(&["ik", "planar2r", "--target", "[0.5, 0.3, 0]", "--start", r#"{"q": {"lonk2": 1}}"#, "--json"]).error();
    assert_eq!(
        (error["kind"].as_str(), error["hint"].as_str()),
        (Some("unknown-joint"), Some("did you mean `link2`?"))
    );
}

#[test]
fn a_robot_tells_its_coordinates() {
    let info = json(&["info", "floating_humanoid25"]);
    let parts = |key: &str, count: usize| -> Vec<String> {
        let all = info[key].as_array().unwrap();
        all[..count]
            .iter()
            .map(|one| format!("{}.{}", one["joint"].as_str().unwrap(), one["part"].as_str().unwrap()))
            .collect()
    };
    let of = |parts: &[&str]| -> Vec<String> { parts.iter().map(|part| format!("pelvis.{part}")).collect() };
    assert_eq!(parts("coordinates", 7), of(&["x", "y", "z", "qw", "qx", "qy", "qz"]));
    assert_eq!(parts("velocities", 6), of(&["vx", "vy", "vz", "wx", "wy", "wz"]));
    assert_eq!(info["coordinates"][7], json!({ "joint": "torso", "part": "" }));
    assert_eq!(info["coordinates"].as_array().unwrap().len(), info["nq"].as_u64().unwrap() as usize);
    assert_eq!(info["velocities"].as_array().unwrap().len(), info["dof"].as_u64().unwrap() as usize);
}
