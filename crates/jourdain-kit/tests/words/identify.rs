//! Identification: what is wrong with a log, with an option, with a model.

use super::{Remarks, carried_out, file, refused, say_of, told, with};
use jourdain_kit::files::Memory;
use jourdain_kit::host::Files;
use jourdain_kit::operation;
use serde_json::{Value, json};
use std::f64::consts::PI;
use std::fmt::Write as _;

/// Torques of `planar2r`, two point masses at the ends of two rods, with a load at the tip, by Lagrange's equations.
fn torques(load: f64, [a, b]: [f64; 2], [va, vb]: [f64; 2], [aa, ab]: [f64; 2]) -> [f64; 2] {
    let (g, l, r, m, n) = (9.80665, 0.5, 0.4, 2.0, 1.5 + load);
    let cross = n * l * r;
    let far = n * r * r + cross * b.cos();
    let both = n * g * r * (a + b).cos();
    let first = (m + n) * l * l + n * r * r + 2.0 * cross * b.cos();
    [
        first * aa + far * ab - cross * b.sin() * vb * (2.0 * va + vb) + (m + n) * g * l * a.cos() + both,
        far * aa + n * r * r * ab + cross * b.sin() * va * va + both,
    ]
}

/// Rows of a log at so many hertz: t, two positions, velocities, accelerations and torques with friction and noise.
fn rows(count: u32, rate: f64) -> Vec<[f64; 9]> {
    loaded_rows(count, rate, 0.0)
}

/// The same with so many kilograms at the tip.
fn loaded_rows(count: u32, rate: f64, load: f64) -> Vec<[f64; 9]> {
    let row = |i: u32| {
        let t = f64::from(i) / rate;
        let at = |w: f64, p: f64| {
            let (sin, cos) = (2.0 * PI * w * t + p).sin_cos();
            let w = 2.0 * PI * w;
            [sin, w * cos, -w * w * sin]
        };
        let [x, y, u] = [at(0.31, 0.0), at(0.47, 1.0), at(0.83, 2.0)];
        let [q, v, a] = [0, 1, 2].map(|k| [x[k] + 0.3 * u[k], 0.9 * y[k] - 0.4 * u[k]]);
        let noise = (1e4 * (f64::from(i) * 12.9898).sin()).fract();
        let tau = torques(load, q, v, a);
        let [one, two] = [(0, 0.05), (1, 0.02)].map(|(j, size)| tau[j] + 0.4 * v[j] + size * noise);
        [t, q[0], q[1], v[0], v[1], a[0], a[1], one, two]
    };
    (0..count).map(row).collect()
}

/// All of the columns, or those that encoders and drives measure.
fn csv(rows: &[[f64; 9]], all: bool) -> String {
    let names = ["t", "q1", "q2", "qd1", "qd2", "qdd1", "qdd2", "tau1", "tau2"];
    let is_kept = |column: &usize| all || !(3..7).contains(column);
    let kept: Vec<usize> = (0..9).filter(is_kept).collect();
    let mut text = kept.iter().map(|k| names[*k]).collect::<Vec<_>>().join(",") + "\n";
    for row in rows {
        writeln!(text, "{}", kept.iter().map(|k| row[*k].to_string()).collect::<Vec<_>>().join(",")).unwrap();
    }
    text
}

/// A folder with the whole log, and one of what is measured of it.
fn folder() -> Memory {
    let memory = Memory::default();
    let rows = rows(1200, 100.0);
    memory.put("full.csv", csv(&rows, true).as_bytes());
    memory.put("measured.csv", csv(&rows, false).as_bytes());
    memory
}

fn base(log: &str) -> Value {
    json!({ "robot": "planar2r", "data": [log], "fit": "base" })
}

#[test]
fn gaps_repeated_lines_and_slow_sampling_of_a_log_are_told() {
    let memory = folder();
    let put = |name: &str, rows: &[[f64; 9]]| memory.put(name, csv(rows, false).as_bytes());
    let all = rows(1200, 100.0);
    put("gap.csv", &[&all[..400], &all[450..]].concat());
    put("gaps.csv", &[&all[..400], &all[450..800], &all[850..]].concat());
    put("once.csv", &[&all[..300], &all[299..]].concat());
    put("twice.csv", &all.iter().flat_map(|row| [*row, *row]).collect::<Vec<_>>());
    put("slow.csv", &rows(400, 8.0));
    let cases: [(&str, &[&str]); 5] = [
        (
            "gap.csv",
            &[
                "log      gap.csv: 1150 lines, 1130 samples used, one gap\n",
                "\n         uneven stamps: samples stand on ticks of 10 ms, which the motion shows\n",
            ],
        ),
        ("gaps.csv", &["log      gaps.csv: 1100 lines, 1068 samples used, 2 gaps\n"]),
        ("once.csv", &["log      once.csv: 1201 lines, 1180 samples used, one line sent twice\n"]),
        ("twice.csv", &["log      twice.csv: 2400 lines, 1180 samples used, 1200 lines sent twice\n"]),
        ("slow.csv", &[" at 8 samples/s; velocities and accelerations by differentiation\n"]),
    ];
    for (log, says) in cases {
        say_of(&told("identify", &base(log), &memory), says);
    }
    let page = |request: Value| {
        carried_out("identify", &with(request, &json!({ "report": "r.html" })), &memory);
        file(&memory, "r.html")
    };
    say_of(&page(base("twice.csv")), &["Many lines were sent twice: the recorder is faster than the device."]);
    let slow = json!({ "robot": "planar2r", "data": ["slow.csv"] });
    say_of(&told("identify", &slow, &memory), &["(torques are met best, limited by the sampling rate) at 8 samples/s"]);
    say_of(
        &page(slow),
        &[
            "torques are met best, limited by the sampling rate",
            "The smoothing is limited by the sampling rate: record more samples a second.",
        ],
    );
    let both = json!({ "robot": "planar2r", "data": ["measured.csv", "gap.csv"], "fit": "base" });
    say_of(&page(both), &["2 logs"]);
}

#[test]
fn torques_that_are_left_out_are_told_with_their_times_unless_there_are_too_many() {
    let memory = Memory::default();
    let spoilt = |spikes: &dyn Fn(usize) -> f64| {
        let mut rows = rows(1200, 100.0);
        rows.iter_mut().enumerate().for_each(|(i, row)| row[8] += spikes(i));
        memory.put("log.csv", csv(&rows, true).as_bytes());
        told("identify", &base("log.csv"), &memory)
    };
    let few = spoilt(&|i| if [200, 201, 202, 500, 700, 900, 1000, 1050, 1100].contains(&i) { 8.0 } else { 0.0 });
    say_of(
        &few,
        &[
            "\noutliers 9 torques beyond 5 deviations are left out: 9 of link2\n",
            "\n         at 2–2.02 s (link2), 5 s (link2), 7 s (link2), 9 s (link2), 10 s (link2), 10.5 s (link2), …\n",
        ],
    );
    let many = spoilt(&|i| if i % 6 == 0 { 20.0 - 40.0 * f64::from(u8::from(i % 12 == 0)) } else { 0.0 });
    say_of(
        &many,
        &[
            "more than a tenth of the torques of joint `link2` are further than 5 standard deviations from the estimate: it is the \
             model that does not fit, none of them is left out",
        ],
    );
    assert!(!many.contains("outliers"), "{many}");
}

/// Torques that come one sample after the motion.
#[test]
fn a_delay_between_torques_and_motion_is_found_and_told() {
    let memory = Memory::default();
    let all = rows(1200, 100.0);
    let late = |by: usize| -> Vec<[f64; 9]> {
        let mut rows = all[by..].to_vec();
        rows.iter_mut().zip(&all).for_each(|(row, before)| row[7..].copy_from_slice(&before[7..]));
        rows
    };
    memory.put("late.csv", csv(&late(1), false).as_bytes());
    let request = json!({ "robot": "planar2r", "data": ["late.csv"], "report": "r.html", "delay": "auto" });
    let found = carried_out("identify", &request, &memory).to_json().unwrap();
    let delay = found["logs"][0]["delay"].as_f64().unwrap();
    assert!((delay.abs() - 0.01).abs() < 1e-3, "{delay}");
    say_of(&file(&memory, "r.html"), &[if delay > 0.0 { " ms ahead of the motion" } else { " ms behind the motion" }]);
    let given = with(base("late.csv"), &json!({ "delay": delay.to_string() }));
    let report = carried_out("identify", &given, &memory).to_json().unwrap();
    let residual = |report: &Value| report["joints"][0]["relative_error"].as_f64().unwrap();
    let untold = carried_out("identify", &with(base("late.csv"), &json!({ "delay": "0" })), &memory).to_json().unwrap();
    assert!(residual(&report) < 0.2 * residual(&untold), "{report}");
}

const BOUNDS: &str = r#"{"link2": {"mass": [1, 3], "com": [[-0.1, 0.1], [-0.1, 0.1], [0, 0.3]]}}"#;

#[test]
fn options_that_a_log_cannot_be_read_with_are_refused() {
    let memory = folder();
    memory.put("short.csv", csv(&rows(4, 100.0), false).as_bytes());
    let fit = |extra: Value| with(json!({ "robot": "planar2r", "data": ["full.csv"] }), &extra);
    for (request, kind, message, hint) in [
        (
            fit(json!({ "bounds": r#"{"link9": {"mass": [1, 3]}}"# })),
            "bad-bounds",
            "the robot has no link `link9`",
            "its links are link1, link2, tool",
        ),
        (
            fit(json!({ "bounds": "[1]" })),
            "bad-bounds",
            "these are no limits of links: invalid type: sequence, expected a map at line 1 column 0",
            BOUNDS,
        ),
        (
            fit(json!({ "data": ["-"], "shard": "1/2", "factors": "f.json" })),
            "usage",
            "standard input cannot be shared out",
            "--shard needs a file",
        ),
        (
            fit(json!({ "fit": "base", "total_mass": 3.5 })),
            "usage",
            "--total-mass and --bounds are of the consistent estimate, which --fit base leaves out",
            "",
        ),
        (fit(json!({ "decimate": 0 })), "usage", "--decimate takes every N-th sample, N at least 1", ""),
        (
            fit(json!({ "coupling": "[1]" })),
            "bad-coupling",
            "the coupling is no matrix of numbers: invalid type: integer `1`, expected a sequence at line 1 column 2",
            "",
        ),
        (
            fit(json!({ "payload": ["tool"], "total_mass": 4.0 })),
            "usage",
            "--bounds and --total-mass are limits of the robot alone, without --payload LINK",
            "",
        ),
        (
            json!({ "robot": "planar2r", "payload": ["tool"] }),
            "usage",
            "there is no log to find the load from",
            "--data LOG.csv with the load; or --data without and --loaded with it; --poses N says what to record",
        ),
        (
            json!({ "robot": "planar2r", "gains": true, "robot_mass": 3.5 }),
            "usage",
            "there is no log to find gains from",
            "--data LOG.csv",
        ),
    ] {
        assert_eq!(refused("identify", &request, &memory), [kind, message, hint], "{request}");
    }
}

#[test]
fn limits_of_links_hold_in_the_consistent_estimate() {
    let memory = folder();
    let bounds = r#"{"link2": {"mass": [1.6, 3], "com": [[0.1, 0.3], [-0.1, 0.1], [-0.1, 0.1]]}}"#;
    memory.put("bounds.json", bounds.as_bytes());
    let request = json!({ "robot": "planar2r", "data": ["full.csv"], "bounds": "bounds.json" });
    let report = carried_out("identify", &request, &memory).to_json().unwrap();
    let value = |name: &str| {
        let all = report["consistent"]["parameters"].as_array().unwrap();
        all.iter().find(|one| one["link"] == "link2" && one["name"] == name).unwrap()["value"].as_f64().unwrap()
    };
    let (mass, first) = (value("m"), value("mX"));
    // The rod itself has 1.5 kg at 0.4 m, which is outside of both.
    assert!((1.6 - 1e-6..3.0).contains(&mass) && first / mass < 0.3 + 1e-6, "{mass} {first}");
    memory.put("bad.json", b"{".as_slice());
    let Err(problem) = operation::handle("identify", with(request, &json!({ "bounds": "bad.json" })), &memory) else {
        panic!("half a file was taken")
    };
    let error = problem.to_json();
    assert_eq!((&error["error"]["kind"], &error["error"]["file"]), (&json!("bad-bounds"), &json!("bad.json")));
}

#[test]
fn parts_of_a_log_and_kept_factors_say_what_they_are() {
    let memory = folder();
    let request = json!({ "robot": "planar2r", "data": ["full.csv"], "shard": "1/2", "factors": "half.json" });
    let text = told("identify", &request, &memory);
    say_of(
        &text,
        &[
            "planar2r: factors of 25 parameters from 600 samples\n",
            "\nlog      full.csv: 600 lines, 600 samples used\n",
        ],
    );
    assert!(text.ends_with("\nfactors  half.json"), "{text}");
    let merged = json!({ "robot": "planar2r", "merge": ["half.json"], "report": "r.html" });
    say_of(&told("identify", &merged, &memory), &["warning: part 2 of 2 of full.csv is missing\n"]);
    let page = file(&memory, "r.html");
    say_of(&page, &["kept factors", "The estimates are from factors that were kept of earlier logs; no log was read."]);
}

#[test]
fn a_load_is_told_with_what_is_taken_as_known() {
    let memory = folder();
    let request =
        |extra: &Value| with(json!({ "robot": "planar2r", "data": ["full.csv"], "payload": ["tool"] }), extra);
    say_of(
        &told("identify", &request(&json!({})), &memory),
        &[
            "planar2r: what link `tool` carries, from 1200 samples\n",
            "taken as known: links and rotors are those of the robot file, friction is found anew\n",
            "warning: the mass is within two deviations of zero: nothing may be there\n",
        ],
    );
    for (extra, says) in [
        (json!({}), "robot    found from both logs, with its friction\n"),
        (json!({ "friction": "none" }), "robot    found from both logs, with the friction of the robot file\n"),
    ] {
        let both = with(request(&json!({ "loaded": ["full.csv"] })), &extra);
        say_of(
            &told("identify", &both, &memory),
            &["\nwithout the load\nlog      full.csv: 1200 lines, 1200 samples used\n", says],
        );
    }
    // As a page it is these words.
    carried_out("identify", &request(&json!({ "report": "r.html" })), &memory);
    let page = file(&memory, "r.html");
    say_of(&page, &["<section id=\"report\">", "what link `tool` carries, from 1200 samples", "<title>Identification"]);
    let turned: Vec<[f64; 9]> = rows(1200, 100.0)
        .into_iter()
        .map(|mut row| {
            row[7] = -row[7];
            row
        })
        .collect();
    memory.put("turned.csv", csv(&turned, true).as_bytes());
    let wrong = told("identify", &request(&json!({ "data": ["turned.csv"] })), &memory);
    say_of(&wrong, &[" % of the torque of joint `link1` unexplained: is the robot file right?"]);
}

#[test]
fn gains_name_the_load_that_sets_their_scale() {
    let memory = folder();
    memory.put("loaded.csv", csv(&loaded_rows(1200, 100.0, 1.0), true).as_bytes());
    let request = json!({ "robot": "planar2r", "data": ["full.csv"], "gains": true, "payload": ["tool"], "payload_mass": 1.0,
        "loaded": ["loaded.csv"] });
    let report = carried_out("identify", &request, &memory).to_json().unwrap();
    for gain in report["gains"].as_array().unwrap() {
        assert!((gain["value"].as_f64().unwrap() - 1.0).abs() < 0.01, "{gain}");
    }
    say_of(
        &told("identify", &request, &memory),
        &[
            "\nwithout the load\nlog      full.csv: 1200 lines",
            "\nscale    1 kg at link `tool`",
            "\ncentre of mass of the load ",
        ],
    );
    // A gram is hardly seen above the noise.
    memory.put("loaded.csv", csv(&loaded_rows(1200, 100.0, 0.001), true).as_bytes());
    let request = with(request, &json!({ "payload_mass": 0.001 }));
    let doubt = " only: the logs hardly fix its scale";
    say_of(&told("identify", &request, &memory), &["the gain of joint `link2` is known to ", doubt]);
}

#[test]
fn shafts_that_turn_with_several_joints_belong_to_the_consistent_estimate() {
    let memory = folder();
    let request = json!({ "robot": "planar2r", "data": ["full.csv"], "coupling": "[[1, 0], [-1, 1]]", "out": "coupled.toml",
        "report": "r.html" });
    carried_out("identify", &request, &memory);
    say_of(&file(&memory, "r.html"), &["Motors that turn with several joints: link1+link2."]);
    let alone = json!({ "robot": "coupled.toml", "data": ["full.csv"], "fit": "base" });
    let expected = [
        "usage",
        "the shaft of `link2` turns with several joints: it is part of the model of the drives, which --fit base, --friction and \
         quaternions leave out",
        "take the shaft out of the robot file, or leave these options out",
    ];
    assert_eq!(refused("identify", &alone, &memory), expected);
}

/// What `elastic simulate` writes, with one column changed.
fn sprung(memory: &Memory, column: &str, change: &dyn Fn(usize, f64) -> f64) {
    let text = file(memory, "elastic.csv");
    let (heading, body) = text.split_once('\n').unwrap();
    let place = heading.split(',').position(|name| name == column).unwrap();
    let mut changed = format!("{heading}\n");
    for (i, line) in body.lines().enumerate() {
        let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
        cells[place] = change(i, cells[place].parse().unwrap()).to_string();
        writeln!(changed, "{}", cells.join(",")).unwrap();
    }
    memory.put("changed.csv", changed.as_bytes());
}

#[test]
fn springs_that_motor_and_links_see_differently_are_doubted() {
    let memory = Memory::default();
    let motion = r#"{"duration": 12, "joints": [
        {"cosines": [{"amplitude": 0.6, "frequency": 1.9, "phase": 0.3}, {"amplitude": 0.2, "frequency": 7.1, "phase": 1}]},
        {"cosines": [{"amplitude": 0.7, "frequency": 2.7, "phase": 1.3}, {"amplitude": 0.2, "frequency": 9.3, "phase": 2}]}]}"#;
    let simulation = json!({ "robot": "planar2r_elastic", "trajectory": motion, "controller": "feedforward", "damping": 30,
        "duration": 4, "ignore_effort": true, "every": 4, "out": "elastic.csv" });
    carried_out("elastic simulate", &simulation, &memory);
    let found = |extra: &Value| {
        told(
            "identify",
            &with(json!({ "robot": "planar2r", "elastic": true, "data": ["changed.csv"] }), extra),
            &memory,
        )
    };
    sprung(&memory, "tau[link1]", &|_, x| x);
    say_of(&found(&json!({ "cutoff": 20 })), &["\nmotion   smoothed, cut-off 20 Hz (as given) at 250 samples/s\n"]);
    assert!(!found(&json!({})).contains("warning"));
    sprung(&memory, "tau[link1]", &|_, x| 2.0 * x);
    // 9000 N m/rad in the robot file.
    say_of(
        &found(&json!({})),
        &[
            "the motor torque of joint `link1` says 18000, the links of the robot file say 90",
            "masses, are not right\n",
        ],
    );
    sprung(&memory, "tau[link2]", &|_, x| -x);
    say_of(
        &found(&json!({})),
        &[
            "the motor torque of joint `link2` says -3840, ",
            "the rotor inertia of joint `link2` came out negative and is put to zero: a robot file needs it above zero; move faster\n",
            " % of the motor torque of joint `link2` is left: wrong column, sign or gear?\n",
        ],
    );
    sprung(&memory, "theta[link1]", &|i, x| x + 0.05 * (1e4 * (i as f64 * 12.9898).sin()).fract());
    say_of(&found(&json!({})), &["the spring of joint `link1` is hardly shown: load it more, or use finer encoders\n"]);
    sprung(&memory, "theta[link1]", &|i, x| x + 2e-4 * (1e4 * (i as f64 * 12.9898).sin()).fract());
    say_of(&found(&json!({})), &["(torques are met best) at 250 samples/s\n"]);
}

/// The same two rods in frames that are turned by an eighth of a turn, so that no parameter is close to zero.
#[test]
fn a_log_that_shows_all_parameters_asks_for_more_of_the_same() {
    let memory = Memory::default();
    let side = |length: f64| length / 2.0_f64.sqrt();
    let (l, r) = (side(0.5), side(0.4));
    let robot = format!(
        "name = \"turned\"\ngravity = [0, -9.80665, 0]\n\
         [[link]]\nname = \"one\"\nmass = 2\ncom = [{l}, {l}, 0]\njoint = {{ type = \"revolute\" }}\n\
         [[link]]\nname = \"two\"\nmass = 1.5\ncom = [{r}, {r}, 0]\norigin = {{ xyz = [{l}, {l}, 0] }}\njoint = {{ type = \"revolute\" }}\n"
    );
    memory.put("turned.toml", robot.as_bytes());
    let turned: Vec<[f64; 9]> = rows(1200, 100.0)
        .into_iter()
        .map(|mut row| {
            row[1] -= PI / 4.0;
            row
        })
        .collect();
    memory.put("log.csv", csv(&turned, true).as_bytes());
    let request = json!({ "robot": "turned.toml", "data": ["log.csv"], "fit": "base", "friction": "viscous", "report": "r.html" });
    let report = carried_out("identify", &request, &memory).to_json().unwrap();
    for (name, exact) in [("mX2", 1.5 * r), ("mY2", 1.5 * r), ("Fv2", 0.4)] {
        let one = report["parameters"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap();
        let [value, deviation] = ["value", "deviation"].map(|key| one[key].as_f64().unwrap());
        assert!((value - exact).abs() < 4.0 * deviation, "{name}: {value} ± {deviation}");
    }
    say_of(
        &file(&memory, "r.html"),
        &[
            "Every parameter is known to better than 30 %. A longer log of the same motion makes deviations smaller",
            "jourdain excite turned.toml --period 20 --out motion.csv",
        ],
    );
}

#[test]
fn springs_are_written_with_simple_friction_and_that_is_said() {
    let memory = folder();
    let remarks = Remarks { memory: Some(memory), ..Remarks::default() };
    let request = json!({ "robot": "planar2r_elastic", "data": ["full.csv"], "out": "found.toml" });
    operation::handle("identify", request, &remarks).unwrap_or_else(|problem| panic!("{problem}"));
    let heard = remarks.heard();
    let words = "a robot with springs has no hysteresis: viscous and Coulomb friction are written";
    assert!(heard.iter().any(|said| said == words), "{heard:?}");
}

/// The recording was written by other programs: see `suite/logs/make_recording.py`.
#[test]
fn recordings_are_read_in_parts_and_refused_where_they_have_no_place() {
    let folder = tempfile::tempdir().unwrap();
    let log = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/logs/planar2r.mcap");
    let part = |number: usize| {
        let file = folder.path().join(format!("{number}.json"));
        let request = json!({ "robot": "planar2r", "data": [log], "topic": "/joint_states", "shard": format!("{number}/2"),
            "factors": file });
        operation::handle("identify", request, &Files).unwrap_or_else(|problem| panic!("{problem}"));
        file
    };
    let merge = [part(1), part(2)];
    let values = |request: Value| {
        let report = operation::handle("identify", request, &Files).unwrap_or_else(|problem| panic!("{problem}"));
        let report = report.to_json().unwrap();
        report["parameters"].as_array().unwrap().iter().map(|one| one["value"].as_f64().unwrap()).collect::<Vec<_>>()
    };
    let merged = values(json!({ "robot": "planar2r", "merge": merge }));
    let whole = values(json!({ "robot": "planar2r", "data": [log], "topic": "/joint_states" }));
    for (one, other) in merged.iter().zip(&whole) {
        assert!((one - other).abs() < 1e-9 * other.abs().max(1.0), "{merged:?} {whole:?}");
    }
    let refused = |name: &str, request: Value| {
        let Err(problem) = operation::handle(name, request, &Files) else { panic!("{name} took it") };
        let error = problem.to_json();
        [&error["error"]["kind"], &error["error"]["message"]].map(|text| text.as_str().unwrap().to_owned())
    };
    assert_eq!(
        refused("identify", json!({ "robot": "planar2r", "data": [log], "elastic": true })),
        ["unsupported-log", "positions of motors are read from CSV alone"]
    );
    assert_eq!(
        refused("fleet identify", json!({ "robot": "planar2r", "logs": [log], "column": "robot" })),
        ["unsupported-log", "a recording has topics, and no column that could name the robot of each row"]
    );
    let ball = "name = \"ball\"\n[[link]]\nname = \"bob\"\nmass = 1\njoint = { type = \"spherical\" }\n";
    assert_eq!(
        refused("identify", json!({ "robot": ball, "data": [log], "topic": "/joint_states" })),
        ["unsupported-joint", "joint `bob` has several numbers, and joint states have one per joint"]
    );
}
