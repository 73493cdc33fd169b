//! Whatever is asked and wherever it comes from: an answer or an error in bounded time and memory.

#![cfg(target_os = "linux")]

mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{Run, command, run};

/// Memory that is enough for any refusal, kB.
const MOST: u64 = 200 << 10;

/// Longest time for a refusal, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs the command and looks at its memory all the while: the peak, kB.
fn measured(arguments: &[&str]) -> (Run, u64) {
    let mut child = command(arguments).stdin(Stdio::null()).spawn().unwrap();
    let (status, begun, mut peak) = (format!("/proc/{}/status", child.id()), Instant::now(), 0);
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let high = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok());
        peak = peak.max(high.unwrap_or(0));
        if begun.elapsed() > PATIENCE || peak > 10 * MOST {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let output = child.wait_with_output().unwrap();
    let code = output.status.code().unwrap_or_else(|| panic!("{arguments:?} does not end: {peak} kB"));
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (Run { code, stdout, stderr }, peak)
}

/// Each of these inputs was once read until memory was full, or to a gigabyte.
#[test]
fn links_to_endless_devices_are_refused_in_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let link = |ending: &str, device: &str| {
        let path = folder.path().join(format!("{}.{ending}", Path::new(device).file_name().unwrap().to_str().unwrap()));
        if !path.is_symlink() {
            std::os::unix::fs::symlink(device, &path).unwrap();
        }
        path.to_str().unwrap().to_owned()
    };
    let cases: [(&str, &[&str]); 22] = [
        ("urdf", &["info", "@"]),
        ("toml", &["info", "@"]),
        ("xacro", &["expand", "@"]),
        ("json", &["eval", "planar2r", "-Q", "gravity", "-s", "@"]),
        ("csv", &["eval", "planar2r", "-Q", "gravity", "-s", "@"]),
        ("jsonl", &["eval", "planar2r", "-Q", "gravity", "-s", "@"]),
        ("parquet", &["eval", "planar2r", "-Q", "gravity", "-s", "@"]),
        ("csv", &["identify", "planar2r", "-d", "@"]),
        ("mcap", &["identify", "planar2r", "-d", "@"]),
        ("parquet", &["identify", "planar2r", "-d", "@"]),
        ("jdf", &["identify", "planar2r", "--merge", "@"]),
        ("json", &["identify", "planar2r", "--merge", "@"]),
        ("toml", &["flexible", "modes", "@"]),
        ("json", &["flexible", "simulate", "two_link_flexible", "-s", "@"]),
        ("json", &["flexible", "eval", "two_link_flexible", "-s", "@"]),
        ("json", &["ik", "panda", "--target", "@"]),
        ("csv", &["ik", "panda", "--target", "@"]),
        ("json", &["ik-path", "ur5", "--path", "@"]),
        ("json", &["trajectory", "planar2r", "-Q", "gravity", "--trajectory", "@"]),
        ("json", &["simulate", "planar2r", "-d", "1", "-s", "@"]),
        ("csv", &["simulate", "planar2r", "-d", "1", "--torque", "table", "@"]),
        ("json", &["elastic", "inverse", "planar2r_elastic", "--trajectory", "@"]),
    ];
    for device in ["/dev/zero", "/dev/urandom"] {
        for (ending, arguments) in &cases {
            let file = link(ending, device);
            let arguments: Vec<&str> = arguments
                .iter()
                .map(|word| if *word == "@" { file.as_str() } else { *word })
                .chain(["--json"])
                .collect();
            let (run, peak) = measured(&arguments);
            assert_eq!(run.code, 2, "{arguments:?}: {}", run.stdout);
            assert!(peak < MOST, "{arguments:?}: {peak} kB");
            // They are read, and not refused for another reason.
            let kind = run.error()["kind"].clone();
            assert!(kind != "internal" && (kind != "usage" || *ending == "parquet"), "{arguments:?}: {}", run.stdout);
        }
    }
}

#[test]
fn files_that_include_endless_devices_are_refused_in_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::os::unix::fs::symlink("/dev/zero", path("zero.xml")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", path("zero.stl")).unwrap();
    let include = r#"<mujoco><include file="zero.xml"/></mujoco>"#;
    let mesh = r#"<mujoco><asset><mesh name="m" file="zero.stl"/></asset><worldbody><body><joint/>
        <geom type="mesh" mesh="m"/></body></worldbody></mujoco>"#;
    let xacro = r#"<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="zero.xml"/></robot>"#;
    for (name, text) in [("include.xml", include), ("mesh.xml", mesh), ("include.xacro", xacro)] {
        fs::write(path(name), text).unwrap();
        let (run, peak) = measured(&["info", &path(name), "--json"]);
        assert_eq!(run.code, 2, "{name}: {}", run.stdout);
        assert!(peak < MOST, "{name}: {peak} kB");
    }
}

#[test]
fn a_long_list_of_states_takes_little_memory_and_gives_what_its_lines_give() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let states: Vec<String> =
        (0..600_000).map(|k| format!("{{\"q\": [{}, {}], \"qd\": [1.5, {k}]}}", 1e-5 * f64::from(k), 0.25)).collect();
    let list = format!("[{}]", states.join(",\n"));
    fs::write(path("states.json"), &list).unwrap();
    fs::write(path("states.jsonl"), states.join("\n")).unwrap();
    let [from, lines, out, other] = ["states.json", "states.jsonl", "a.csv", "b.csv"].map(path);
    let (done, peak) = measured(&["eval", "planar2r", "-s", &from, "-Q", "inverse_dynamics", "-o", &out]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(peak < 3 * (list.len() as u64 >> 10), "{peak} kB for {} bytes", list.len());
    assert_eq!(run(&["eval", "planar2r", "-s", &lines, "-Q", "inverse_dynamics", "-o", &other]).code, 0);
    assert!(fs::read(&out).unwrap() == fs::read(&other).unwrap());
    let broken = list.replacen("\"q\": [1.9", "\"q\": [1.9,", 1);
    fs::write(path("states.json"), broken).unwrap();
    let refused = run(&["eval", "planar2r", "-s", &from, "-Q", "gravity", "-o", &out, "--json"]);
    assert_eq!((refused.code, refused.error()["line"].as_u64()), (2, Some(190_001)), "{}", refused.stdout);
    let start = run(&["simulate", "planar2r", "-s", &from, "-d", "1", "--json"]);
    assert_eq!(start.error()["kind"], "many-states");
}

#[test]
fn broken_parquet_files_are_bad_input() {
    for file in ["suite/trust/flipped_bit_1.parquet", "suite/trust/flipped_bit_2.parquet"] {
        let run = run(&["eval", "planar2r", "-s", file, "-Q", "gravity", "--json"]);
        assert_eq!((run.code, run.error()["kind"].as_str()), (2, Some("bad-parquet")), "{file}: {}", run.stdout);
        assert_eq!(run.stderr, "", "{file}");
    }
}

#[test]
fn a_step_longer_than_the_motion_is_one_step() {
    for step in ["2", "1e16", "1e308"] {
        let report = support::json(&["simulate", "planar2r", "-d", "0.01", "--step", step]);
        assert_eq!(report["steps"], 1, "{step}");
    }
}

#[test]
fn motions_that_need_too_many_steps_say_how_far_they_came() {
    let run = run(&["simulate", "planar2r", "-d", "1e9", "--step", "1e-3", "--every", "1000000000", "--json"]);
    assert_eq!(run.code, 2, "{}", run.stdout);
    assert!(run.error()["message"].as_str().unwrap().contains("at most 1e9"), "{}", run.stdout);
}

#[test]
fn a_time_limit_ends_work_with_what_was_reached() {
    let absurd = r#"{"q": [0, 0], "tau": [1e12, 1e12]}"#;
    let works: [&[&str]; 4] = [
        &["simulate", "planar2r", "-s", absurd, "-d", "10", "--method", "adaptive"],
        &["simulate", "planar2r", "-d", "100000", "--every", "100000"],
        &["elastic", "robustness", "planar2r_elastic", "--samples", "1000000"],
        &["excite", "iiwa14", "--starts", "1000"],
    ];
    for work in works {
        let begun = Instant::now();
        let run = run(&[work, &["--time-limit", "1", "--json"]].concat());
        assert!(begun.elapsed() < Duration::from_secs(4), "{work:?}: {:?}", begun.elapsed());
        assert_eq!((run.code, run.error()["kind"].as_str()), (1, Some("time-limit")), "{work:?}: {}", run.stdout);
        let message = run.error()["message"].as_str().unwrap().to_owned();
        assert!(message.contains("stopped after 1 s") && message.contains("% of the work"), "{message}");
    }
    let starts = ["ik", "panda", "--target", r#"{"position": [0.5, 0.2, 0.5]}"#, "--starts", "4294967296", "--json"];
    assert_eq!(run(&starts).error()["kind"], "too-large");
    for bad in ["0", "-1", "nan", "inf", "1e10", "soon"] {
        assert_eq!(run(&["robots", &format!("--time-limit={bad}")]).code, 2, "{bad}");
    }
    assert_eq!(run(&["info", "puma560", "--time-limit", "60"]).code, 0);
}

/// `ulimit -u` binds those who are not root: as root, the command is run as nobody.
#[test]
fn without_threads_one_state_is_evaluated_and_many_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let states = "q1,q2\n".to_owned() + &"0.1,0.2\n".repeat(50_000);
    fs::write(path("states.csv"), states).unwrap();
    let program = path("jourdain");
    fs::copy(env!("CARGO_BIN_EXE_jourdain"), &program).unwrap();
    for (file, mode) in [(folder.path().to_str().unwrap(), 0o755), (&*program, 0o755)] {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(file, fs::Permissions::from_mode(mode)).unwrap();
    }
    let is_root = String::from_utf8(Command::new("id").arg("-u").output().unwrap().stdout).unwrap().trim() == "0";
    let limited = |arguments: &[&str]| {
        let mut shell = if is_root {
            let mut shell = Command::new("setpriv");
            shell.args(["--reuid=65534", "--regid=65534", "--clear-groups", "sh"]);
            shell
        } else {
            Command::new("sh")
        };
        shell
            .args(["-c", "ulimit -u 1 2>/dev/null || ulimit -p 1; exec \"$@\"", "sh", &program])
            .args(arguments)
            .current_dir("/");
        let output = shell.output().unwrap();
        let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        Run { code: output.status.code().unwrap_or(-1), stdout, stderr }
    };
    let one = limited(&["eval", "planar2r", "-s", r#"{"q": [0.1, 0.2]}"#, "-Q", "gravity", "--json"]);
    assert_eq!(one.code, 0, "{}{}", one.stdout, one.stderr);
    let states = path("states.csv");
    let many = ["eval", "planar2r", "-s", &states, "-Q", "gravity", "--format", "csv", "-o", "/dev/null", "--json"];
    let many = limited(&many);
    assert_eq!((many.code, many.error()["kind"].as_str()), (2, Some("no-threads")), "{}{}", many.stdout, many.stderr);
}
