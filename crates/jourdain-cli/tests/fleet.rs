//! `jourdain fleet`: the store, counts that add up, and refusals, as the command shows them.

mod support;
#[path = "support/parquet.rs"]
mod tables;

use std::fs;
use std::path::{Path, PathBuf};
use support::{json, run};
use tables::Column;

fn log(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/logs").join(name)
}

/// A folder with a robot `a` and a robot `b`, a log each.
fn fleet(folder: &Path) {
    for (robot, name) in [("a", "planar2r.csv"), ("b", "planar2r_validation.csv")] {
        fs::create_dir_all(folder.join("logs").join(robot)).unwrap();
        fs::copy(log(name), folder.join("logs").join(robot).join("monday.csv")).unwrap();
    }
}

#[test]
fn robots_are_told_apart_and_rows_add_up() {
    let folder = tempfile::tempdir().unwrap();
    fleet(folder.path());
    let (logs, store) = (folder.path().join("logs"), folder.path().join("store"));
    let words = ["fleet", "identify", "planar2r", logs.to_str().unwrap(), "--store", store.to_str().unwrap()];
    let first = json(&words);
    assert_eq!((first["logs"].as_u64(), first["stored"].as_u64()), (Some(2), Some(0)));
    let rows = &first["rows"];
    let count = |key: &str| rows[key].as_u64().unwrap();
    assert_eq!(count("read"), 2800);
    assert_eq!(count("read"), count("used") + count("dropped") + count("set_aside"));
    assert!(first["cutoff_from"].as_str().unwrap().ends_with("a/monday.csv"));
    let again = json(&words);
    assert_eq!(again["stored"].as_u64(), Some(2));
    assert_eq!(again["robots"], first["robots"]);
    let threads = json(&[&words[..4], &["--threads", "1"]].concat());
    assert_eq!(threads["robots"], first["robots"]);
    // From the store alone.
    let stored = json(&[&words[..3], &words[4..]].concat());
    assert_eq!(stored["robots"], first["robots"]);
}

#[test]
fn one_robot_is_what_identify_finds() {
    let folder = tempfile::tempdir().unwrap();
    fleet(folder.path());
    let (a, b) = (folder.path().join("logs/a/monday.csv"), folder.path().join("logs/b/monday.csv"));
    let (a, b) = (a.to_str().unwrap(), b.to_str().unwrap());
    let fleet = json(&["fleet", "identify", "planar2r", a, b, "--cutoff", "12", "--pool", "model"]);
    let whole =
        ["identify", "planar2r", "--data", a, "--data", b, "--cutoff", "12", "--fit", "base", "--outliers", "keep"];
    let whole = json(&whole);
    let values = |document: &serde_json::Value| -> Vec<f64> {
        document["parameters"].as_array().unwrap().iter().map(|own| own["value"].as_f64().unwrap()).collect()
    };
    for (own, value) in values(&fleet["robots"][0]).iter().zip(values(&whole)) {
        assert!((own - value).abs() <= 1e-9 * value.abs().max(1e-3), "{own} {value}");
    }
}

#[test]
fn a_damaged_log_stops_the_run_or_is_set_aside_with_its_row() {
    let folder = tempfile::tempdir().unwrap();
    fleet(folder.path());
    let bad = folder.path().join("logs/b/monday.csv");
    let text = fs::read_to_string(&bad).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let cut = &lines[100][..lines[100].len() / 3].to_owned();
    lines[100] = cut;
    fs::write(&bad, lines.join("\n")).unwrap();
    let logs = folder.path().join("logs");
    let words = ["fleet", "identify", "planar2r", logs.to_str().unwrap()];
    let refused = run(&[&words[..], &["--json"]].concat());
    assert_eq!(refused.code, 2);
    let error = refused.error();
    assert!(error["file"].as_str().unwrap().ends_with("b/monday.csv"));
    let collected = run(&[&words[..], &["--on-error", "collect", "--json"]].concat());
    assert_eq!(collected.code, 1, "a robot has no estimate");
    let report = collected.json();
    let aside = &report["set_aside"][0];
    assert_eq!(aside["row"], error["line"]);
    assert_eq!(aside["reason"], error["message"]);
    assert_eq!(report["rows"]["set_aside"], aside["rows"]);
    assert_eq!(report["robots"][1]["problem"]["kind"], "no-logs");
}

/// Logs of two robots in one file, line by line in turn, with their names in a column.
fn mixed(folder: &Path) -> PathBuf {
    let texts = ["planar2r.csv", "planar2r_validation.csv"].map(|name| fs::read_to_string(log(name)).unwrap());
    let [a, b] = &texts;
    assert_eq!(a.lines().next(), b.lines().next());
    let mut lines = vec![format!("robot,{}", a.lines().next().unwrap())];
    let (mut a, mut b) = (a.lines().skip(1), b.lines().skip(1));
    loop {
        let pair = [a.next().map(|line| format!("a,{line}")), b.next().map(|line| format!("b,{line}"))];
        if pair.iter().all(Option::is_none) {
            break;
        }
        lines.extend(pair.into_iter().flatten());
    }
    let file = folder.join("monday.csv");
    fs::write(&file, lines.join("\n")).unwrap();
    file
}

#[test]
fn a_column_names_the_robot_of_each_row() {
    let folder = tempfile::tempdir().unwrap();
    fleet(folder.path());
    let (logs, file, store) = (folder.path().join("logs"), mixed(folder.path()), folder.path().join("store"));
    let apart = json(&["fleet", "identify", "planar2r", logs.to_str().unwrap()]);
    let words = ["fleet", "identify", "planar2r", file.to_str().unwrap(), "--column", "robot"];
    let together = json(&words);
    assert_eq!((&together["robots"], &together["rows"]), (&apart["robots"], &apart["rows"]));
    assert_eq!(together["logs"].as_u64(), Some(1));
    let stored = [&words[..], &["--store", store.to_str().unwrap()]].concat();
    assert_eq!(json(&stored)["stored"].as_u64(), Some(0));
    let again = json(&stored);
    assert_eq!((&again["robots"], again["stored"].as_u64()), (&apart["robots"], Some(2)));
}

#[test]
fn a_column_of_a_parquet_file_names_robots_too() {
    let folder = tempfile::tempdir().unwrap();
    let csv = mixed(folder.path());
    let text = fs::read_to_string(&csv).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let column = |(k, name): (usize, &&str)| {
        let cells = rows[1..].iter().map(|row| row[k]);
        let column = match *name {
            "robot" => Column::Text(cells.map(str::to_owned).collect()),
            _ => Column::Double(cells.map(|cell| cell.parse().unwrap()).collect()),
        };
        ((*name).to_owned(), column)
    };
    let columns: Vec<(String, Column)> = rows[0].iter().enumerate().map(column).collect();
    let parquet = folder.path().join("monday.parquet");
    tables::write(parquet.to_str().unwrap(), &columns, rows.len() - 1, 700);
    let found = |file: &Path| json(&["fleet", "identify", "planar2r", file.to_str().unwrap(), "--column", "robot"]);
    let (from_text, from_parquet) = (found(&csv), found(&parquet));
    assert_eq!(from_text["rows"], from_parquet["rows"]);
    assert_eq!((&from_text["robots"], from_text["robots"].as_array().unwrap().len()), (&from_parquet["robots"], 2));
}

#[test]
fn runs_without_logs_and_logs_that_are_there_twice_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fleet(folder.path());
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::create_dir_all(path("empty/.hidden")).unwrap();
    fs::write(path("empty/.hidden/a.csv"), "t,q1\n").unwrap();
    fs::write(path("rows.csv"), "t,q1,q2,tau1,tau2\n").unwrap();
    let (monday, empty, rows, store) = (path("logs/a/monday.csv"), path("empty"), path("rows.csv"), path("store"));
    json(&["fleet", "identify", "planar2r", &path("logs"), "--store", &store]);
    let nothing = path("nothing");
    let cases: [(&[&str], &str, &str, &str); 3] = [
        (&[&empty], "no-logs", "the folder has no logs: no file ends in .csv, .parquet or .mcap", ""),
        (&[&monday, &monday], "same-samples", "the log is given twice", "take every log once"),
        (
            &["--store", &nothing],
            "usage",
            "there are no logs",
            "name logs or folders of them, or a --store that has some",
        ),
    ];
    for (words, kind, message, hint) in cases {
        let error = run(&[&["fleet", "identify", "planar2r", "--json"], words].concat()).error();
        assert_eq!((&error["kind"], &error["message"]), (&kind.into(), &message.into()), "{words:?}");
        assert_eq!(error["hint"].as_str().unwrap_or_default(), hint);
    }
    let error = run(&["fleet", "identify", "planar2r", "--column", "robot", "--json", &rows]).error();
    assert_eq!(error["kind"], "missing-column", "{error}");
    let given = run(&["fleet", "identify", "planar2r", &monday, "--cutoff", "12"]).stdout;
    assert!(given.contains("\nmotion   smoothed, cut-off 12 Hz for all logs, as given\n"), "{given}");
    // Kept factors that are damaged are no factors.
    let inside = |folder: &Path| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    let shards = inside(Path::new(&store))[0].join("shards");
    let note = inside(&shards).into_iter().find(|path| path.extension().is_some_and(|end| end == "json"));
    fs::write(note.unwrap(), "{").unwrap();
    let told = run(&["fleet", "identify", "planar2r", "--store", &store]);
    assert!(told.stderr.contains(".json is damaged: run once more with its log"), "{}", told.stderr);
}

#[test]
fn options_that_cannot_be_are_refused_with_their_name() {
    let folder = tempfile::tempdir().unwrap();
    fleet(folder.path());
    let logs = folder.path().join("logs").to_str().unwrap().to_owned();
    let cases: [(&[&str], &str, &str); 7] = [
        (&["--rate", "0"], "--rate is a number of samples per second above zero", ""),
        (&["--decimate", "0"], "--decimate takes every N-th sample, N at least 1", ""),
        (&["--delay", "2"], "--delay is at most a second to either side", "--delay 0.004"),
        (&["--individual", "friction"], "--individual says what robots of a pool have for themselves", "--pool model"),
        (&["--pool", "model", "--individual", "payload:hand"], "--individual: there is no link `hand`", ""),
        (
            &["--pool", "model", "--individual", "friktion"],
            "--individual: `friktion` is none of friction, offset and payload:LINK",
            "",
        ),
        (
            &["--pool", "model", "--individual", "offset"],
            "--individual: the parameters that are identified have none of these",
            "offsets are identified with --offset, friction unless --friction none",
        ),
    ];
    for (words, message, hint) in cases {
        let error = run(&[&["fleet", "identify", "planar2r", "--json", &logs], words].concat()).error();
        assert_eq!((&error["kind"], &error["message"]), (&"usage".into(), &message.into()), "{words:?}");
        assert_eq!(error["hint"].as_str().unwrap_or_default(), hint, "{words:?}");
    }
}

#[test]
fn faults_of_a_column_have_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = mixed(folder.path());
    let text = fs::read_to_string(&file).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines[400] = lines[400].replacen("b,", ",", 1);
    lines[502] = format!("{},7", lines[502]);
    fs::write(&file, lines.join("\n")).unwrap();
    let words = ["fleet", "identify", "planar2r", file.to_str().unwrap(), "--column", "robot", "--json"];
    let error = run(&words).error();
    assert_eq!((error["kind"].as_str(), error["line"].as_u64()), (Some("unnamed-robot"), Some(401)));
    let report = run(&[&words[..], &["--on-error", "collect"]].concat()).json();
    let aside = report["set_aside"].as_array().unwrap();
    let fault = |robot: &str| aside.iter().find(|fault| fault["robot"] == robot).unwrap();
    assert_eq!(fault("")["rows"].as_u64(), Some(1));
    assert_eq!(fault("b")["row"].as_u64(), Some(503));
    let count = |key: &str| report["rows"][key].as_u64().unwrap();
    assert_eq!(count("read"), 2800);
    assert_eq!(count("read"), count("used") + count("dropped") + count("set_aside"));
    for (word, value, kind) in [("--column", "arm", "missing-column"), ("--pattern", "{robot}.csv", "usage")] {
        let mut words = words.to_vec();
        words.extend([word, value]);
        if word == "--column" {
            words.drain(4..6);
        }
        assert_eq!(run(&words).error()["kind"], kind);
    }
}

#[test]
fn factors_of_a_fleet_are_what_identify_merges() {
    let folder = tempfile::tempdir().unwrap();
    fleet(folder.path());
    let (logs, factors) = (folder.path().join("logs"), folder.path().join("factors"));
    let words = ["fleet", "identify", "planar2r", logs.to_str().unwrap(), "--factors", factors.to_str().unwrap()];
    let report = json(&words);
    for (own, name) in report["robots"].as_array().unwrap().iter().zip(["a", "b"]) {
        let file = factors.join(format!("{name}.jdf"));
        let merged = json(&["identify", "planar2r", "--merge", file.to_str().unwrap()]);
        let values = |document: &serde_json::Value| -> Vec<f64> {
            document["parameters"].as_array().unwrap().iter().map(|own| own["value"].as_f64().unwrap()).collect()
        };
        for (found, expected) in values(&merged).iter().zip(values(own)) {
            assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{found} {expected}");
        }
        assert!(merged["consistent"].is_object(), "parameters that a robot can have, from factors alone");
    }
}
