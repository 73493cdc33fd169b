//! `identify`, `excite`, `derive` and `base-parameters` as requests that are data: what the command line would refuse is refused
//! here too, files are the host's to permit, and a caller who has gone is not worked for.

use jourdain_kit::host::{Files, Host, NoFiles};
use jourdain_kit::operation::{self, Operation as _};
use jourdain_kit::operations::{base_parameters, derive, excite, identify};
use jourdain_kit::problem::{Class, Problem};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const LOG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/logs/planar2r.csv");

/// A caller who has gone.
struct Gone;

impl Host for Gone {
    fn is_cancelled(&self) -> bool {
        true
    }
}

fn request<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn refused(name: &str, value: &Value, host: &dyn Host) -> Problem {
    match operation::handle(name, value.clone(), host) {
        Ok(_) => panic!("{name} took {value}"),
        Err(problem) => problem,
    }
}

#[test]
fn what_does_not_go_together_is_bad_usage() {
    for (name, value) in [
        ("identify", json!({ "robot": "planar2r" })),
        ("identify", json!({ "robot": "planar2r", "data": [LOG], "shard": "1/3" })),
        ("identify", json!({ "robot": "planar2r", "data": [LOG], "shard": "4/3", "factors": "x.json" })),
        ("identify", json!({ "robot": "planar2r", "data": [LOG], "shard": "1/3", "factors": "x", "validate": LOG })),
        ("identify", json!({ "robot": "planar2r", "data": ["-"], "merge": ["-"] })),
        ("excite", json!({ "robot": "planar2r", "harmonics": 1 })),
        ("excite", json!({ "robot": "planar2r", "starts": 0 })),
        ("excite", json!({ "robot": "planar2r", "starts": 1001 })),
        ("derive", json!({ "robot": "planar2r", "quantity": ["gravity"], "target": "c", "simplify": 3 })),
        ("derive", json!({ "robot": "planar2r", "quantity": [], "target": "c" })),
    ] {
        assert_eq!(refused(name, &value, &Files).kind(), "usage", "{name} {value}");
    }
    let unknown = refused("identify", &json!({ "robot": "planar2r", "date": [LOG] }), &Files);
    assert_eq!((unknown.kind(), &unknown.to_json()["error"]["hint"]), ("bad-request", &json!("did you mean `data`?")));
}

#[test]
fn numbers_of_a_report_are_fields() {
    let report = request::<identify::Request>(json!({ "robot": "planar2r", "data": [LOG] })).run(&Files).unwrap();
    let identify::Report::Whole(report) = report else { panic!("a part of the log") };
    let load = report.parameters.iter().find(|parameter| parameter.name == "mX2").unwrap();
    // 1.8 kg at 0.4 m
    assert!((load.value - 0.72).abs() < 4.0 * load.deviation);
    assert_eq!((report.joints[0].unit.as_str(), report.logs[0].lines), ("N m", 2000));

    let report = request::<base_parameters::Request>(json!({ "robot": "planar2r" })).run(&Files).unwrap();
    assert_eq!((report.exact_rank, report.numeric_rank), (Some(report.count), Some(report.count)));
    assert_eq!((&*report.matrix.lengths, report.parameters.len()), (&[6, report.labels.len()][..], 6));
}

#[test]
fn parts_merge_from_the_request_itself() {
    let folder = tempfile::tempdir().unwrap();
    let part = |number: usize| {
        let file = folder.path().join(format!("{number}.json"));
        let value = json!({ "robot": "planar2r", "data": [LOG], "shard": format!("{number}/2"), "factors": file });
        operation::handle("identify", value, &Files).unwrap();
        std::fs::read_to_string(file).unwrap()
    };
    let merge = [part(1), part(2)];
    // No file is needed any more.
    let merged = operation::handle("identify", json!({ "robot": "planar2r", "merge": merge }), &NoFiles).unwrap();
    let whole = operation::handle("identify", json!({ "robot": "planar2r", "data": [LOG] }), &Files).unwrap();
    assert_eq!(merged.to_json().unwrap()["samples"], whole.to_json().unwrap()["samples"]);
}

#[test]
fn the_host_says_what_may_be_read_and_written() {
    let log = refused("identify", &json!({ "robot": "planar2r", "data": [LOG] }), &NoFiles);
    assert_eq!(log.kind(), "cannot-read");
    let folder = tempfile::tempdir().unwrap();
    let value = json!({ "robot": "planar2r", "quantity": ["gravity"], "target": "c", "out": folder.path() });
    assert_eq!(refused("derive", &value, &NoFiles).kind(), "cannot-write");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_caller_who_has_gone_is_not_worked_for() {
    for (name, value) in [
        ("identify", json!({ "robot": "planar2r", "data": [LOG] })),
        ("base-parameters", json!({ "robot": "planar2r" })),
        ("derive", json!({ "robot": "planar2r", "quantity": ["gravity"], "target": "c" })),
        (
            "ik",
            json!({ "robot": "planar2r", "link": "tool", "target": "[[0.5, 0.1], [0.5, 0.2]]", "criterion": "none" }),
        ),
        ("ik", json!({ "robot": "planar2r", "link": "tool", "target": "[[0.5, 0.1], [0.5, 0.2]]", "all": true })),
        ("ik-path", json!({ "robot": "planar3r_chang", "path": "[[0.5, 0.1], [0.5, 0.2]]", "method": "chang" })),
        ("elastic inverse", json!({ "robot": "planar2r_elastic", "samples": 3 })),
        ("flexible linearise", json!({ "arm": "two_link_flexible", "payload_scales": [1, 2] })),
        ("flexible eval", json!({ "arm": "two_link_flexible", "state": r#"{"q": [0, 0, 0, 0, 0, 0]}"# })),
    ] {
        let problem = refused(name, &value, &Gone);
        assert_eq!((problem.kind(), problem.class()), ("cancelled", Class::Unsolved), "{name}");
    }
    let problem = request::<identify::Request>(json!({ "robot": "planar2r", "data": [LOG] })).run(&Gone).unwrap_err();
    assert_eq!(problem.kind(), "cancelled");
}

#[test]
fn code_of_a_robot_given_as_text_says_so() {
    let robot = r#"{"name": "slider", "link": [{"name": "cart", "mass": 2, "joint": {"type": "prismatic", "limits": [-1, 1]}}]}"#;
    let value = json!({ "robot": robot, "quantity": ["gravity"], "target": "python" });
    let report = request::<derive::Request>(value).run(&NoFiles).unwrap();
    assert_eq!(report.quantities.get("gravity").unwrap().function, "gravity");
    let source = report.sources.unwrap();
    assert!(source.get("slider.py").unwrap().contains("jourdain derive - --quantity gravity --target python"));
}

#[test]
fn defaults_are_those_of_the_library() {
    let request = request::<excite::Request>(json!({ "robot": "planar2r" }));
    let library = jourdain::identify::excite::Options::default();
    let counts = (usize::from(request.harmonics), usize::from(request.starts), request.steps as usize, request.seed);
    assert_eq!(counts, (library.harmonics, library.starts, library.steps, library.seed));
    assert_eq!((request.period, request.share), (library.period, library.share));
    assert_eq!((request.limits.acceleration, request.limits.jerk), (library.acceleration, library.jerk));
    assert_eq!(Some(request.limits.effort_share), library.effort_share);
}
