//! Files survive whatever happens while they are written, and no input is lost to an output.

#![cfg(unix)]

mod support;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use support::{command, run};

/// Longest time for anything here, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// An `eval` that has begun to write and waits for more states.
fn in_the_middle(folder: &Path) -> Child {
    let out = folder.join("out.csv");
    fs::write(&out, "old").unwrap();
    let arguments =
        ["eval", "planar2r", "--state", "-", "--input-format", "csv", "-Q", "gravity", "--out", out.to_str().unwrap()];
    let mut child = command(&arguments).stdin(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.as_mut().unwrap();
    let rows = "0.1,0.2\n".repeat(10_000);
    write!(stdin, "q1,q2\n{rows}").unwrap();
    wait_until("it begins to write", || names(folder).len() == 2);
    child
}

#[test]
fn a_killed_command_leaves_the_old_file_whole() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = in_the_middle(folder.path());
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(fs::read_to_string(folder.path().join("out.csv")).unwrap(), "old");
}

#[test]
fn interrupted_and_terminated_commands_leave_nothing_behind_within_a_second() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = in_the_middle(folder.path());
        let begun = Instant::now();
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let status = child.wait().unwrap();
        assert!(begun.elapsed() < Duration::from_secs(1), "{signal}: {:?}", begun.elapsed());
        assert_eq!(status.code(), Some(130), "{signal}");
        assert_eq!(names(folder.path()), ["out.csv"], "{signal}");
        assert_eq!(fs::read_to_string(folder.path().join("out.csv")).unwrap(), "old", "{signal}");
    }
}

/// Work of every kind that takes long hears of it at once.
#[test]
fn long_work_stops_within_a_second_of_an_interrupt() {
    let works: [&[&str]; 5] = [
        &["simulate", "planar2r", "--duration", "1000000", "--every", "100000"],
        &["simulate", "planar2r", "-s", r#"{"q": [0, 0], "tau": [1e6, 0]}"#, "-d", "10", "--method", "adaptive"],
        &["elastic", "robustness", "planar2r_elastic", "--samples", "1000000"],
        &["excite", "iiwa14", "--starts", "1000"],
        &["bench", "iiwa14", "--rounds", "1000000"],
    ];
    for work in works {
        let mut child = command(work).stdin(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(700));
        assert!(child.try_wait().unwrap().is_none(), "{work:?} is over already");
        let begun = Instant::now();
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{work:?}");
        assert!(begun.elapsed() < Duration::from_secs(1), "{work:?}: {:?}", begun.elapsed());
    }
}

#[test]
fn devices_are_written_as_they_are() {
    let done =
        run(&["eval", "planar2r", "-s", r#"{"q": [0, 0]}"#, "-Q", "gravity", "--format", "csv", "-o", "/dev/null"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    let done = run(&["simulate", "planar2r", "-d", "0.01", "--out", "/dev/null", "--plot", "/dev/null"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
}

/// The error of a run that is refused before anything was written.
fn refused(arguments: &[&str], folder: &Path) -> String {
    let before = names(folder);
    let run = run(&[arguments, &["--json"]].concat());
    assert_eq!(run.code, 2, "{arguments:?}: {}{}", run.stdout, run.stderr);
    assert_eq!(run.error()["kind"], "usage", "{arguments:?}: {}", run.stdout);
    assert_eq!(names(folder), before, "{arguments:?}");
    run.error()["message"].as_str().unwrap().to_owned()
}

#[test]
fn two_outputs_of_one_name_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::create_dir(folder.path().join("sub")).unwrap();
    std::os::unix::fs::symlink("a.svg", folder.path().join("link.svg")).unwrap();
    for other in [path("a.svg"), path("./a.svg"), path("sub/../a.svg"), path("link.svg")] {
        let plot = path("a.svg");
        let arguments = ["simulate", "planar2r", "-d", "0.01", "--plot", &plot, "--animate", &other];
        let message = refused(&arguments, folder.path());
        assert!(message.contains("--plot and --animate are the same file"), "{message}");
    }
}

#[test]
fn an_output_that_is_an_input_is_refused_and_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let robot = run(&["convert", "planar2r", "--to", "urdf"]).stdout;
    fs::write(path("arm.urdf"), &robot).unwrap();
    fs::write(path("states.csv"), "q1,q2\n0.1,0.2\n").unwrap();
    fs::write(path("states.json"), r#"[{"q": [0.1, 0.2]}]"#).unwrap();
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/logs/planar2r.csv"), path("log.csv")).unwrap();
    std::os::unix::fs::symlink("states.csv", folder.path().join("link.csv")).unwrap();
    let motion = r#"{"duration": 1, "joints": [{"polynomial": [0, 1]}, {"polynomial": [0]}]}"#;
    fs::write(path("motion.json"), motion).unwrap();
    fs::write(path("factors.json"), "{}").unwrap();
    let [arm, states, list, log, link, motion, factors] =
        ["arm.urdf", "states.csv", "states.json", "log.csv", "link.csv", "motion.json", "factors.json"].map(path);
    let cases: [&[&str]; 8] = [
        &["convert", &arm, "--out", &arm],
        &["eval", "planar2r", "-s", &states, "-Q", "gravity", "--out", &states],
        &["eval", "planar2r", "-s", &states, "-Q", "gravity", "--out", &link],
        &["eval", "planar2r", "-s", &link, "-Q", "gravity", "--out", &states],
        &["simulate", "planar2r", "-s", &list, "-d", "0.01", "--out", &states, "--torque", "table", &states],
        &["identify", "planar2r", "--merge", &factors, "--factors", &factors],
        &["identify", &arm, "--data", &log, "--out", &arm],
        &["excite", "planar2r", "--starts", "1", "--steps", "5", "--from", &motion, "--trajectory", &motion],
    ];
    let contents = || names(folder.path()).iter().map(|name| fs::read(path(name)).unwrap()).collect::<Vec<_>>();
    let before = contents();
    for case in cases {
        let message = refused(case, folder.path());
        assert!(message.contains("would replace") && message.contains("which is read"), "{case:?}: {message}");
        assert!(contents() == before, "{case:?}");
    }
}
