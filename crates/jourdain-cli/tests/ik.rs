//! `jourdain ik` and `ik-path`: the forms of the contract, the published cases, statuses with exit codes, files, bad input.

mod support;
#[path = "support/parquet.rs"]
mod tables;

use serde_json::Value;
use support::{Scratch, flat, json, keys, run};

const VERTEX: &str = "[0.446004, 0.091514]";
const START: &str = "[-0.7068688, 2.4720983, 1.3686331]";

fn suite() -> Value {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/redundant_ik.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    let number = |x: &Value| x.as_f64().unwrap_or_else(|| x.as_str().unwrap().parse().unwrap());
    value.as_array().unwrap().iter().map(number).collect()
}

fn near(a: &[f64], b: &[f64], tolerance: f64) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < tolerance)
}

const FORM: [&str; 8] = ["status", "q", "pose_error", "stationarity", "criterion", "kind", "iterations", "starts"];

#[test]
fn the_paper_s_first_vertex_comes_out_in_the_form_of_the_contract() {
    let expected = numbers(&suite()["chang_1987"]["vertices_best_fit_command"][0]["theta_rad"]);
    let base =
        ["ik", "planar3r_chang", "--link", "tool", "--target", VERTEX, "--task", "position-xy", "--start", START];
    for method in ["newton", "chang", "extended-jacobian"] {
        let found = json(&[&base[..], &["--criterion", "manipulability", "--method", method]].concat());
        assert_eq!(keys(&found)[..8], FORM);
        assert!(near(&flat(&found["q"]), &expected, 1e-10), "{method}");
        assert_eq!((&found["status"], &found["kind"]), (&Value::from("solved"), &Value::from("minimum")));
        assert!(found["pose_error"].as_f64().unwrap() < 1e-10 && found["stationarity"].as_f64().unwrap() < 1e-10);
        assert!(method != "newton" || found["iterations"].as_u64().unwrap() <= 8);
    }
    let integrated = run(&[&base[..], &["--method", "resolved-motion", "--json"]].concat());
    assert_eq!(integrated.code, 1, "it does not meet the tolerance");
    assert!(near(&flat(&integrated.json()["q"]), &expected, 1e-5));
}

#[test]
fn all_eight_stationary_points_are_listed_with_or_without_limits() {
    let suite = suite();
    let expected = suite["chang_1987"]["all_stationary_points_at_446p004_91p514"].as_array().unwrap();
    for limits in [&[][..], &["--ignore-limits"]] {
        let found = json(&[&["ik", "planar3r_chang", "--target", VERTEX, "--all"], limits].concat());
        assert_eq!(keys(&found), ["solutions"]);
        let solutions = found["solutions"].as_array().unwrap();
        assert_eq!(solutions.len(), 8);
        for point in expected {
            let theta = numbers(&point["theta_rad"]);
            let kind = if point["kind"] == "max" { "minimum" } else { "maximum" };
            let same = |solution: &&Value| near(&flat(&solution["q"]), &theta, 1e-10) && solution["kind"] == kind;
            assert_eq!(solutions.iter().filter(same).count(), 1);
        }
    }
}

#[test]
fn seven_joint_cases_are_not_worse_than_the_best_known() {
    for case in suite()["seven_dof"].as_array().unwrap() {
        let robot = if case["robot"] == "panda" { "panda" } else { "suite/robots/iiwa14_dh.toml" };
        let criterion = match case["criterion"].as_str().unwrap() {
            "neg_log_manip" => "manipulability",
            "midrange_quadratic" => "mid-range",
            _ => "limit-barrier",
        };
        let target = case["target_pose"].to_string();
        let found = json(&["ik", robot, "--target", &target, "--criterion", criterion, "--ignore-limits"]);
        let best: f64 = case["best_minima"][0]["H"].as_str().unwrap().parse().unwrap();
        assert!(found["criterion"].as_f64().unwrap() <= best + 1e-10, "{}", case["id"]);
        assert!(found["pose_error"].as_f64().unwrap() <= 1e-10 && found["stationarity"].as_f64().unwrap() <= 1e-10);
    }
}

#[test]
fn the_square_closes_in_both_directions_and_is_written_and_drawn() {
    let (csv, svg) = (Scratch::new("path.csv"), Scratch::new("path.svg"));
    let found =
        json(&["ik-path", "planar3r_chang", "--path", "chang", "--compare", "--out", csv.path(), "--plot", svg.path()]);
    assert_eq!(keys(&found)[..3], ["points", "closed", "closure_error"]);
    assert_eq!(found["points"].as_array().unwrap().len(), 401);
    assert_eq!(found["closed"], true);
    assert!(found["closure_error"].as_f64().unwrap() < 1e-12);
    assert!(found["resolved_motion"]["closure_error"].as_f64().unwrap() > 0.1);
    assert_eq!(csv.text().lines().count(), 402);
    assert!(csv.text().starts_with("point,q[link1],q[link2],q[link3],criterion,"));
    let drawing = svg.text();
    for word in [
        "<svg",
        "link3 against link1",
        "link2 against link1",
        "command (dots) and tips",
        "all 401 points reached",
        "grid 0.2 m",
    ] {
        assert!(drawing.contains(word), "{word}");
    }
    // The stored points as a file, backwards.
    let suite = suite();
    let stored = suite["chang_1987"]["square_path_24_points"]["command_446.004_91.514"].as_array().unwrap();
    let millimetres = |point: &Value| -> Vec<f64> {
        ["x_mm", "y_mm"].iter().map(|key| point[*key].as_str().unwrap().parse::<f64>().unwrap() / 1000.0).collect()
    };
    let mut targets: Vec<Vec<f64>> = stored.iter().map(millimetres).collect();
    targets.push(targets[0].clone());
    targets.reverse();
    let file = Scratch::new("targets.json");
    std::fs::write(&file.0, serde_json::json!({ "points": targets }).to_string()).unwrap();
    let back = json(&["ik-path", "planar3r_chang", "--path", file.path(), "--start", START]);
    assert!(back["closed"] == true && back["closure_error"].as_f64().unwrap() < 1e-12);
    for (point, expected) in back["points"].as_array().unwrap().iter().rev().zip(stored) {
        assert!(near(&flat(&point["q"]), &numbers(&expected["theta_rad"]), 1e-10));
    }
}

#[test]
fn every_status_has_its_exit_code() {
    let status = |arguments: &[&str]| {
        let run = run(&[&["ik"], arguments, &["--json"]].concat());
        (run.code, run.json()["status"].as_str().unwrap_or("error").to_owned())
    };
    let expect = |code: i32, name: &str| (code, name.to_owned());
    assert_eq!(status(&["panda", "--target", "[3, 0, 0]", "--starts", "5"]), expect(1, "unreachable"));
    let top = ["planar3r_chang", "--target", VERTEX, "--method", "chang", "--start", "[0.06, 2.36, 3.0]"];
    assert_eq!(status(&top), expect(1, "wrong-kind"));
    assert_eq!(status(&[&top[..], &["--goal", "maximum"]].concat()), expect(0, "solved"));
    let stretched = ["planar3r_chang", "--target", "[1.65, 0]", "--start", "[1, 0.3, 0.3]", "--starts", "1"];
    assert_eq!(status(&stretched).0, 1);
    let home = "[2, 1, 0, -1, 2.5, 1, 2]";
    let pulled = [
        "panda",
        "--target",
        "{\"position\": [0.4, 0.2, 0.5], \"rpy\": [3, 0, 0]}",
        "--criterion",
        "home",
        "--home",
        home,
    ];
    assert_eq!(status(&pulled).0, 0);
    assert_eq!(status(&["ur5", "--target", "[0.3, 0.2, 0.4, 1, 0, 0, 0]", "--criterion", "none"]), expect(0, "solved"));
    // A planar robot is asked for a whole pose: rows that cannot move are consistent or the target is out of reach.
    let flat_pose = "[[0.5403023058681398, 0.8414709848078965, 0, 0.8], [-0.8414709848078965, 0.5403023058681398, 0, 0.6], [0, 0, 1, 0]]";
    assert_eq!(status(&["planar3r_chang", "--target", flat_pose]), expect(0, "solved"));
}

#[test]
fn tasks_criteria_and_obstacles_are_taken_from_options() {
    let solved = |arguments: &[&str]| {
        let found = json(&[&["ik"], arguments].concat());
        assert!(found["status"] == "solved" || found["status"] == "limit-active", "{arguments:?}: {found}");
        found
    };
    solved(&["iiwa14", "--target", "{\"direction\": [0, 1, 0.2]}"]);
    solved(&["iiwa14", "--target", "{\"position\": [0.4, 0.1, 0.1], \"direction\": [0, 0, -1]}", "--axis", "0,0,1"]);
    solved(&["iiwa14", "--target", "[0.4, 0.1, 0.5]", "--rows", "x,z=2,ry=0.5", "--point", "0,0,0.1"]);
    let sum = solved(&["panda", "--target", "[0.4, 0.1, 0.5]", "--criterion", "manipulability=1,mid-range=0.5"]);
    assert_eq!(sum["redundancy"], 4);
    let obstacles = r#"[{"center": [0.25, 0.75, 0], "radii": 0.15, "exponent": 4}]"#;
    let away =
        solved(&["planar3r_chang", "--target", "[0.7, 0.5]", "--criterion", "obstacles", "--obstacles", obstacles]);
    assert!(away["criterion"].as_f64().unwrap() > 0.0);
    solved(&["stanford", "--target", "[0.3, 0.3, 0.4]", "--criterion", "home"]);
    solved(&["floating_humanoid25", "--link", "pelvis", "--target", "[0.3, 0.3, 0.4]", "--criterion", "home"]);
}

#[test]
fn bad_problems_are_named() {
    let kind = |arguments: &[&str]| {
        let run = run(&[arguments, &["--json"]].concat());
        (run.code, run.error()["kind"].as_str().unwrap().to_owned())
    };
    let expect = |name: &str| (2, name.to_owned());
    assert_eq!(kind(&["ik", "panda", "--target", "[1, \"NaN\", 0]"]), expect("bad-target"));
    assert_eq!(kind(&["ik", "panda", "--target", "[1, NaN, 0]"]), expect("bad-json"));
    assert_eq!(kind(&["ik", "panda", "--target", "[[1, 0, 0, 0], [0, 2, 0, 0], [0, 0, 1, 0]]"]), expect("bad-target"));
    assert_eq!(kind(&["ik", "panda", "--target", "no-such-file.json"]), expect("cannot-read"));
    assert_eq!(kind(&["ik", "panda", "--target", "[1, 0, 0]", "--link", "tol"]), expect("unknown-link"));
    assert_eq!(kind(&["ik", "panda", "--target", "[1, 0, 0]", "--start", "[0, 0]"]), expect("wrong-length"));
    assert_eq!(kind(&["ik", "panda", "--target", "[1, 0, 0]", "--criterion", "manipulabilty"]), expect("usage"));
    assert_eq!(kind(&["ik", "panda", "--target", "[1, 0, 0]", "--criterion", "obstacles"]), expect("usage"));
    assert_eq!(
        kind(&["ik", "panda", "--target", "[1, 0, 0]", "--criterion", "home", "--home", "[0]"]),
        expect("wrong-length")
    );
    assert_eq!(kind(&["ik", "panda", "--target", "[1, 0, 0]", "--rows", "x,w"]), expect("usage"));
    assert_eq!(kind(&["ik", "panda", "--target", "[1, 0, 0]", "--tolerance", "0"]), expect("usage"));
    assert_eq!(kind(&["ik", "panda", "--target", "[1, 0, 0]", "--length", "-1"]), expect("usage"));
    assert_eq!(
        kind(&["ik", "panda", "--target", "[0.4, 0, 0.4]", "--criterion", "none", "--all"]),
        expect("bad-method")
    );
    assert_eq!(
        kind(&["ik", "panda", "--target", "[0.4, 0, 0.4]", "--method", "extended-jacobian"]),
        expect("bad-method")
    );
    let pose = "[[1, 0, 0, 0.5], [0, 1, 0, 0.5], [0, 0, 1, 0]]";
    assert_eq!(
        kind(&["ik", "planar3r_chang", "--target", pose, "--criterion", "manipulability"]),
        expect("dependent-rows")
    );
    assert_eq!(kind(&["ik-path", "panda", "--path", "[]"]), expect("bad-target"));
    assert_eq!(kind(&["ik-path", "panda", "--path", "[[0, 1], [0, 1, 2]]"]), expect("bad-target"));
}

#[test]
fn a_path_that_breaks_off_is_a_failure_that_says_where() {
    let run = run(&["ik-path", "planar3r_chang", "--path", "[[1.2, 0.1], [1.5, 0.1], [1.8, 0.1]]", "--json"]);
    assert_eq!(run.code, 1);
    let found = run.json();
    assert_eq!(found["events"], serde_json::json!([{ "kind": "unreachable", "from": 2, "to": 2 }]));
    assert!(flat(&found["branch_jumps"]).is_empty());
    assert_eq!((&found["closed"], &found["closure_error"]), (&Value::from(false), &Value::Null));
    assert_eq!((&found["points"][2]["status"], &found["link"]), (&Value::from("unreachable"), &Value::from("tool")));
    // The points of a method that only integrates count as well.
    let lagging = self::run(&["ik-path", "planar3r_chang", "--path", "chang", "--method", "resolved-motion", "--json"]);
    assert_eq!(lagging.code, 1);
}

#[test]
fn verdicts_are_proved_and_limits_blamed_only_if_they_are_to_blame() {
    let puma =
        run(&["ik", "puma560", "--target", "suite/corners/puma_target_not_unreachable.json", "-c", "none", "--json"]);
    assert_eq!((puma.code, &puma.json()["status"]), (0, &Value::from("solved")));
    let few = run(&[
        "ik",
        "puma560",
        "--target",
        "suite/corners/puma_target_not_unreachable.json",
        "-c",
        "none",
        "--starts",
        "1",
        "--iterations",
        "1",
    ]);
    assert_eq!(few.code, 1);
    assert!(few.stdout.contains("not-found") && !few.stderr.contains("limits"), "{}{}", few.stdout, few.stderr);
    // The elbow of iiwa14 folds to 120 degrees: the wrist is never that near to the shoulder.
    let near = ["ik", "iiwa14", "--target", "[0.1, 0, 0.36, 1, 0, 0, 0]", "-c", "none"];
    let found = run(&near);
    assert!(found.stdout.contains("unreachable"), "{}", found.stdout);
    let free = run(&[&near[..], &["--ignore-limits", "--json"]].concat());
    assert_eq!(found.stderr.contains("limits exclude"), free.json()["status"] == "solved", "{}", found.stderr);
    let fine = run(&["ik", "iiwa14", "--target", "[0.4, 0, 0.5]", "--tolerance", "1e-17", "--json"]);
    assert_eq!((fine.code, fine.error()["kind"].as_str()), (2, Some("bad-tolerance")));
    let singular =
        run(&["ik", "planar3r_chang", "--target", "[1.65, 0]", "--start", "[1.5707963, 0, 0]", "--json"]).json();
    assert_eq!((&singular["status"], &singular["kind"]), (&Value::from("rank-deficient"), &Value::from("degenerate")));
}

#[test]
fn a_robot_with_several_ends_asks_which() {
    let run = run(&["ik", "humanoid25", "--target", "[0.3, 0.1, 0.4]", "--json"]);
    let error = run.error();
    assert_eq!((run.code, error["kind"].as_str()), (2, Some("ambiguous-link")));
    assert!(error["hint"].as_str().unwrap().contains("--link"));
    let text = self::run(&["ik", "iiwa14", "--target", "[0.4, 0, 0.5]", "-c", "none"]).stdout;
    assert!(text.starts_with("iiwa14, tool: solved"), "{text}");
}

#[test]
fn many_targets_come_back_in_their_order_from_every_kind_of_file() {
    let targets = "[[0.4, 0.1, 0.3, 0, 1, 0, 0], [0.5, 0.1, 0.3, 0, 1, 0, 0], [0.45, -0.2, 0.4, 0, 1, 0, 0]]";
    let solve =
        |target: &str| json(&["ik", "panda", "--target", target, "--criterion", "mid-range", "--chance", "0.1"]);
    let many = solve(targets);
    assert_eq!(keys(&many), ["results"]);
    let list: Vec<Value> = serde_json::from_str(targets).unwrap();
    for (alone, found) in list.iter().zip(many["results"].as_array().unwrap()) {
        assert_eq!(&solve(&alone.to_string()), found);
        assert_eq!(found["link"], "tool");
    }
    let lines = Scratch::with("targets.jsonl", &list.iter().map(|x| format!("{x}\n")).collect::<String>());
    assert_eq!(solve(lines.path()), many);
    let row = |x: &Value| x.as_array().unwrap().iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let rows: String = list.iter().map(|x| format!("left,{}\n", row(x))).collect();
    let table = Scratch::with("targets.csv", &format!("name,x,y,z,qw,qx,qy,qz\n{rows}"));
    assert_eq!(solve(table.path()), many);
    let columns = ["x", "y", "z", "qw", "qx", "qy", "qz"].into_iter().enumerate();
    let column = |(k, name): (usize, &str)| {
        (name.to_owned(), tables::Column::Double(list.iter().map(|target| target[k].as_f64().unwrap()).collect()))
    };
    let columns: Vec<_> = columns.map(column).collect();
    let file = Scratch::new("targets.parquet");
    tables::write(file.path(), &columns, 3, 2);
    assert_eq!(solve(file.path()), many);
    let zeros: Vec<_> = columns.iter().map(|(name, _)| (name.clone(), tables::Column::Double(vec![0.0]))).collect();
    tables::write(file.path(), &zeros, 1, 1);
    let error = run(&["ik", "panda", "--target", file.path(), "--json"]).error();
    assert_eq!(
        (&error["message"], &error["line"]),
        (&Value::from("row 1: `quaternion` has no length"), &Value::from(1))
    );
    let broken = Scratch::with("broken.jsonl", "[0.4, 0.1, 0.3]\n[0.4, 0.1\n");
    let error = run(&["ik", "panda", "--target", broken.path(), "--json"]).error();
    assert_eq!((&error["kind"], &error["line"]), (&Value::from("bad-json"), &Value::from(2)));
    // A path written as Parquet has no targets, and says what is missing.
    let parquet = Scratch::new("points.parquet");
    run(&["ik-path", "planar3r_chang", "--path", "chang", "--out", parquet.path()]);
    let refused = run(&["ik", "panda", "--target", parquet.path(), "--json"]);
    assert_eq!((refused.code, refused.error()["kind"].as_str()), (2, Some("missing-column")));
    let failed = run(&["ik", "panda", "--target", "[[0.4, 0.1, 0.3], [3, 0, 0]]", "-c", "none", "--json"]);
    assert_eq!((failed.code, &failed.json()["results"][1]["status"]), (1, &Value::from("unreachable")));
    let all = json(&["ik", "planar3r_chang", "--target", "[[0.446004, 0.091514], [0.5, 0.1]]", "--all"]);
    assert_eq!(all["results"][0]["solutions"].as_array().unwrap().len(), 8);
    let mixed = run(&["ik", "panda", "--target", "[[0.4, 0.1, 0.3], [0.4, 0.1]]", "--json"]);
    assert_eq!((mixed.code, mixed.error()["kind"].as_str()), (2, Some("bad-target")));
}

#[test]
fn events_of_a_path_are_told_and_drawn() {
    let svg = Scratch::new("events.svg");
    let run = run(&[
        "ik-path",
        "iiwa14",
        "--path",
        "suite/corners/iiwa14_path_leaves_workspace.json",
        "--plot",
        svg.path(),
        "--json",
    ]);
    assert_eq!(run.code, 1);
    let events = run.json()["events"].as_array().unwrap().clone();
    let missed: Vec<&Value> = events.iter().filter(|event| event["kind"] == "unreachable").collect();
    assert_eq!(missed, [&serde_json::json!({ "kind": "unreachable", "from": 88, "to": 126 })]);
    assert!(!events.iter().any(|event| event["kind"] == "jump"), "{events:?}");
    assert!(svg.text().contains("unreachable"));
}

#[test]
fn the_same_command_prints_the_same_bytes() {
    let arguments = ["ik", "iiwa14", "--target", "[0.4, 0.2, 0.5]", "--json"];
    assert_eq!(run(&arguments).stdout, run(&arguments).stdout);
}
