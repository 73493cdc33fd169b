//! The JSON forms that other programs rely on.

mod support;

use serde_json::{Value, json};
use support::{command, flat, json, keys, run, run_with};

#[test]
fn robots_lists_name_dof_source_kind_and_quality() {
    let robots = json(&["robots"]);
    let robots = robots.as_array().unwrap();
    assert_eq!(robots.len(), 31);
    for robot in robots {
        assert_eq!(keys(robot), ["name", "dof", "source", "kind", "quality"]);
    }
    let puma = robots.iter().find(|robot| robot["name"] == "puma560").unwrap();
    assert_eq!((&puma["dof"], &puma["kind"], &puma["quality"]), (&json!(6), &json!("arm"), &json!("measured")));
}

#[test]
fn robots_of_one_kind_are_listed_alone() {
    let all = json(&["robots"]).as_array().unwrap().len();
    let each = ["arm", "legged", "humanoid", "test"].map(|kind| {
        let robots = json(&["robots", "--kind", kind]);
        let robots = robots.as_array().unwrap();
        assert!(robots.iter().all(|robot| robot["kind"] == kind), "{kind}");
        robots.len()
    });
    assert_eq!(each.iter().sum::<usize>(), all);
}

#[test]
fn info_lists_all_links_in_the_order_of_q() {
    let info = json(&["info", "puma560"]);
    assert_eq!(
        keys(&info),
        [
            "name",
            "dof",
            "nq",
            "links",
            "total_mass",
            "base_parameters",
            "coordinates",
            "velocities",
            "states",
            "origin"
        ]
    );
    assert_eq!((&info["dof"], &info["nq"]), (&json!(6), &json!(6)));
    assert_eq!(info["coordinates"][5], json!({ "joint": "link6", "part": "" }));
    let links = info["links"].as_array().unwrap();
    assert_eq!(links.len(), 7);
    for link in links {
        assert_eq!(keys(link), ["name", "parent", "joint", "dof", "nq", "mass", "com", "inertia"]);
        assert_eq!(keys(&link["joint"]), ["name", "type"]);
    }
    assert_eq!(links[0]["parent"], "base");
    assert_eq!(
        (&links[6]["name"], &links[6]["joint"]["type"], &links[6]["dof"]),
        (&json!("tool"), &json!("fixed"), &json!(0))
    );
}

#[test]
fn info_counts_seven_numbers_for_a_free_joint() {
    let info = json(&["info", "floating_humanoid25"]);
    assert_eq!((&info["dof"], &info["nq"]), (&json!(31), &json!(32)));
    assert_eq!((&info["links"][0]["dof"], &info["links"][0]["nq"]), (&json!(6), &json!(7)));
    let parts = |key: &str| -> Vec<String> {
        info[key].as_array().unwrap().iter().map(|one| one["part"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(parts("coordinates")[..8], ["x", "y", "z", "qw", "qx", "qy", "qz", ""]);
    assert_eq!(parts("velocities")[..7], ["vx", "vy", "vz", "wx", "wy", "wz", ""]);
}

#[test]
fn check_of_a_good_robot_is_ok_even_with_warnings() {
    let check = json(&["check", "puma560"]);
    assert_eq!(keys(&check), ["ok", "diagnostics"]);
    assert_eq!(check["ok"], true);
    let warning = &check["diagnostics"][0];
    assert_eq!(keys(warning), ["severity", "code", "link", "joint", "line", "column", "message", "hint"]);
    assert_eq!((&warning["severity"], &warning["code"]), (&json!("warning"), &json!("inertia-triangle")));
    assert_eq!(json(&["check", "iiwa14"])["ok"], true);
}

#[test]
fn check_of_a_bad_robot_lists_the_errors_and_exits_with_one() {
    let robot =
        r#"{"name": "bad", "link": [{"name": "a", "mass": -1, "joint": {"type": "revolute", "limits": [-1, 1]}}]}"#;
    let run = run_with(&["check", "-", "--json"], robot);
    assert_eq!(run.code, 1);
    let check = run.json();
    assert_eq!(check["ok"], false);
    let errors: Vec<_> =
        check["diagnostics"].as_array().unwrap().iter().filter(|found| found["severity"] == "error").collect();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0]["link"], "a");
    assert_eq!(errors[0]["line"], 1);
}

#[test]
fn eval_gives_numbers_vectors_and_matrices_under_the_names_asked_for() {
    let state = r#"{"q": [0.1, 0.2], "qd": [1, 2]}"#;
    let result = json(&[
        "eval",
        "planar2r",
        "--state",
        state,
        "--quantity",
        "kinetic_energy,gravity,mass_matrix",
        "--quantity",
        "pose:tool",
    ]);
    assert_eq!(keys(&result), ["robot", "quantities"]);
    let quantities = &result["quantities"];
    assert_eq!(keys(quantities), ["kinetic_energy", "gravity", "mass_matrix", "pose:tool"]);
    assert!(quantities["kinetic_energy"].is_f64());
    assert_eq!(quantities["gravity"].as_array().unwrap().len(), 2);
    assert_eq!(quantities["mass_matrix"][0].as_array().unwrap().len(), 2);
    assert_eq!(quantities["pose:tool"][3], json!([0.0, 0.0, 0.0, 1.0]));
    // T = ½ q̇ᵀ M q̇
    let m = flat(&quantities["mass_matrix"]);
    let energy = 0.5 * (m[0] + 2.0 * (m[1] + m[2]) + 4.0 * m[3]);
    assert!((quantities["kinetic_energy"].as_f64().unwrap() - energy).abs() < 1e-14);
}

#[test]
fn regressors_come_with_the_labels_of_their_columns() {
    let result = json(&["eval", "planar2r", "--state", r#"{"q": [0, 0]}"#, "--quantity", "regressor"]);
    let labels = result["parameters"].as_array().unwrap();
    assert_eq!(labels.len(), result["quantities"]["regressor"][0].as_array().unwrap().len());
    assert_eq!((&labels[0], &labels[5]), (&json!("m_link1"), &json!("XY_link1")));
}

#[test]
fn robot_and_state_can_come_from_standard_input() {
    let robot = r#"{"name": "slider", "link": [{"name": "cart", "mass": 2, "joint": {"type": "prismatic", "axis": [1, 0, 0], "limits": [-1, 1]}}]}"#;
    let arguments = ["eval", "-", "--state", r#"{"q": [0.5], "tau": [3]}"#, "--quantity", "forward_dynamics", "--json"];
    let run = run_with(&arguments, robot);
    let acceleration = flat(&run.json()["quantities"]["forward_dynamics"]);
    assert!((acceleration[0] - 1.5).abs() < 1e-15, "{}", run.stdout);
    let run = run_with(&["eval", "planar2r", "--state", "-", "--quantity", "com", "--json"], r#"{"q": [0, 0]}"#);
    assert_eq!(run.code, 0, "{}", run.stdout);
}

#[test]
fn numbers_read_back_as_they_were() {
    let q: [f64; 2] = [0.1 + 0.2, 1.0 / 3.0];
    let result = json(&[
        "eval",
        "planar3r_chang",
        "--state",
        &json!({ "q": [q[0], q[1], 0.0] }).to_string(),
        "--quantity",
        "pose:link1",
    ]);
    let pose = flat(&result["quantities"]["pose:link1"]);
    assert_eq!(pose[0].to_bits(), q[0].cos().to_bits());
}

#[test]
fn quantities_lists_the_registry() {
    let quantities = json(&["quantities"]);
    for quantity in quantities.as_array().unwrap() {
        assert_eq!(keys(quantity), ["name", "short", "family", "about", "shape", "inputs", "unit", "equation"]);
    }
    let names: Vec<_> = quantities.as_array().unwrap().iter().filter_map(|entry| entry["name"].as_str()).collect();
    assert!(names.contains(&"mass_matrix") && names.contains(&"pose:L"));
    let place = |name: &str| names.iter().position(|other| *other == name).unwrap();
    let unit = |name: &str| quantities[place(name)]["unit"].clone();
    assert_eq!((unit("mass_matrix"), unit("mass_matrix_d3")), (json!("kg m²"), json!("kg m²/s³")));
}

#[test]
fn bench_times_every_way_of_computing_a_quantity() {
    let bench = json(&["bench", "planar2r", "--quantity", "gravity,pose:tool", "--rounds", "1"]);
    assert_eq!(keys(&bench), ["machine", "robots"]);
    assert!(bench["machine"].is_string());
    let quantities = &bench["robots"]["planar2r"];
    assert_eq!(keys(quantities), ["gravity", "pose:tool"]);
    for times in quantities.as_object().unwrap().values() {
        assert_eq!(keys(times), ["generic_ns", "lanes_ns", "tape_ns", "jit_ns", "jit_batch_ns", "compile_ms"]);
        for time in ["generic_ns", "tape_ns", "compile_ms"] {
            assert!(times[time].as_f64().is_some_and(|time| time > 0.0), "{time} of {times}");
        }
        // Four states at once are timed where that pays.
        assert_eq!(times["lanes_ns"].is_null(), std::ptr::eq(times, &quantities["pose:tool"]));
        // Both or none: a machine without AVX2 has none.
        assert_eq!(times["jit_ns"].is_null(), times["jit_batch_ns"].is_null());
    }
}

#[test]
fn bench_leaves_machine_code_out_where_it_is_not_wanted() {
    let arguments = ["bench", "planar2r", "--quantity", "gravity", "--rounds", "1", "--json"];
    let output = command(&arguments).env("JOURDAIN_NO_JIT", "1").output().unwrap();
    assert!(output.status.success());
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let times = &document["robots"]["planar2r"]["gravity"];
    assert!(times["jit_ns"].is_null() && times["jit_batch_ns"].is_null() && times["tape_ns"].is_number());
}

#[test]
fn help_version_completions_and_manual_are_json_too() {
    for arguments in
        [&["--help", "--json"][..], &["--json", "--version"], &["completions", "bash", "--json"], &["man", "--json"]]
    {
        let run = run(arguments);
        assert_eq!(run.code, 0);
        assert!(matches!(run.json(), Value::Object(_)));
    }
}

#[test]
fn both_methods_agree_on_a_builtin_robot() {
    let state = r#"{"q": [0.3, -0.5, 0.7, -1.1, 0.9, -0.2, 0.4], "qd": [1, -1, 0.5, 0.3, -0.7, 0.2, 0.9], "qdd": [0.2, 0.1, -0.4, 0.6, 0.3, -0.5, 0.7]}"#;
    let names = "mass_matrix,coriolis_matrix,gravity,inverse_dynamics,com_jacobian,regressor";
    let evaluate = |method| json(&["eval", "panda", "--state", state, "--quantity", names, "--method", method]);
    let (fast, closed) = (evaluate("recursive"), evaluate("closed"));
    for name in names.split(',') {
        for (a, b) in flat(&fast["quantities"][name]).iter().zip(flat(&closed["quantities"][name])) {
            assert!((a - b).abs() <= 1e-12 * b.abs().max(1.0), "{name}: {a} and {b}");
        }
    }
}
