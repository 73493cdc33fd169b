//! `jourdain eval` from files of states to files of results.

mod support;
#[path = "support/parquet.rs"]
mod tables;

use serde_json::json;
use std::fmt::Write as _;
use std::io::Read as _;
use std::process::Stdio;
use support::{Scratch, command, run, run_with};
use tables::Column;

/// Numbers between −1 and 1 that look random and have all their digits.
fn number(k: usize) -> f64 {
    ((k as f64 + 1.0) * 12.9898).sin()
}

/// States of a robot as q, qd and qdd.
struct States {
    nq: usize,
    nv: usize,
    rows: usize,
}

impl States {
    fn heading(&self) -> Vec<String> {
        let names = |letters: &str, count: usize| (1..=count).map(move |k| format!("{letters}{k}")).collect::<Vec<_>>();
        [names("q", self.nq), names("qd", self.nv), names("qdd", self.nv)].concat()
    }

    fn row(&self, row: usize) -> Vec<f64> {
        (0..self.nq + 2 * self.nv).map(|k| number(row * 100 + k)).collect()
    }

    fn csv(&self) -> String {
        let mut text = self.heading().join(",") + "\n";
        for row in 0..self.rows {
            let cells: Vec<_> = self.row(row).iter().map(f64::to_string).collect();
            writeln!(text, "{}", cells.join(",")).unwrap();
        }
        text
    }

    fn json(&self, row: usize) -> serde_json::Value {
        let all = self.row(row);
        let (q, rest) = all.split_at(self.nq);
        let (qd, qdd) = rest.split_at(self.nv);
        json!({ "q": q, "qd": qd, "qdd": qdd })
    }

    fn columns(&self) -> Vec<(String, Column)> {
        let column = |(k, name): (usize, String)| {
            (name, Column::Double((0..self.rows).map(|row| number(row * 100 + k)).collect()))
        };
        self.heading().into_iter().enumerate().map(column).collect()
    }
}

/// Standard output of a run that succeeds.
fn shown(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.stdout
}

fn numbers(csv: &str) -> Vec<Vec<f64>> {
    csv.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect()
}

#[test]
fn csv_jsonl_parquet_and_json_give_identical_numbers() {
    // The first runs as machine code, the others by the formulas.
    for (robot, nq, nv, rows) in [("iiwa14", 7, 7, 5003), ("planar2r", 2, 2, 11), ("floating_humanoid25", 32, 31, 9)] {
        let states = States { nq, nv, rows };
        let csv = Scratch::with(&format!("{robot}.csv"), &states.csv());
        let lines: String = (0..rows).map(|row| format!("{}\n", states.json(row))).collect();
        let jsonl = Scratch::with(&format!("{robot}.jsonl"), &lines);
        let list: Vec<_> = (0..rows).map(|row| states.json(row)).collect();
        let json = Scratch::with(&format!("{robot}.json"), &json!(list).to_string());
        let parquet = Scratch::new(&format!("{robot}.parquet"));
        tables::write(parquet.path(), &states.columns(), rows, 1000);
        let quantities = "inverse_dynamics,kinetic_energy";
        let eval = |file: &str| shown(&["eval", robot, "--state", file, "-Q", quantities, "--format", "csv"]);
        let expected = eval(csv.path());
        assert_eq!(expected.lines().count(), rows + 1);
        assert!(expected.starts_with("inverse_dynamics[") && expected.contains(",kinetic_energy\n"));
        for file in [jsonl.path(), json.path(), parquet.path()] {
            assert_eq!(eval(file), expected, "{file}");
        }
        // JSON output is the same, number by number.
        for file in [csv.path(), parquet.path()] {
            let document = support::json(&["eval", robot, "--state", file, "-Q", quantities]);
            let flat: Vec<f64> = document
                .as_array()
                .unwrap()
                .iter()
                .flat_map(|result| result["quantities"].as_object().unwrap().values().flat_map(support::flat))
                .collect();
            // The parser of this test may be off by a last digit.
            let alike = |(a, b): (&f64, &f64)| (a - b).abs() <= 4.0 * f64::EPSILON * b.abs();
            assert!(flat.iter().zip(&numbers(&expected).concat()).all(alike), "{file}");
        }
    }
}

#[test]
fn lines_with_wrenches_run_as_machine_code_and_agree_with_the_closed_forms() {
    let states = States { nq: 7, nv: 7, rows: 4200 };
    let line = |row: usize| {
        let mut state = states.json(row);
        let link = ["tool", "link4"][row % 2];
        state["wrenches"] =
            json!([{ "link": link, "force": [1, number(row), 0], "moment": [0, 0.5, number(row + 1)] }]);
        format!("{state}\n")
    };
    let file = Scratch::with("loaded.jsonl", &(0..states.rows).map(line).collect::<String>());
    let eval = ["eval", "iiwa14", "-s", file.path(), "-Q", "inverse_dynamics", "-f", "csv"];
    let (fast, closed) = (shown(&eval), shown(&[&eval[..], &["--method", "closed"]].concat()));
    let (fast, closed) = (numbers(&fast).concat(), numbers(&closed).concat());
    assert_eq!(fast.len(), 7 * states.rows);
    assert!(fast.iter().zip(&closed).all(|(a, b)| (a - b).abs() <= 1e-10));
}

#[test]
fn what_comes_from_parquet_goes_to_parquet_with_its_time() {
    let states = States { nq: 7, nv: 7, rows: 70_001 };
    let mut columns = states.columns();
    let stamps: Vec<i64> = (0..states.rows as i64).map(|row| 1_700_000_000_000_000_000 + row * 1_000_000).collect();
    columns.insert(3, ("time".to_owned(), Column::Stamp(stamps.clone())));
    let (file, out) = (Scratch::new("stamped.parquet"), Scratch::new("torques.parquet"));
    tables::write(file.path(), &columns, states.rows, 30_000);
    let arguments = ["eval", "iiwa14", "-s", file.path(), "-Q", "inverse_dynamics"];
    let document = support::json(&[&arguments[..], &["--format", "parquet", "--out", out.path()]].concat());
    assert_eq!(support::keys(&document), ["robot", "states", "columns", "file"]);
    assert_eq!((&document["states"], &document["file"]), (&json!(70_001), &json!(out.path())));
    let written = tables::read(out.path());
    let names: Vec<_> = written.iter().map(|(name, _, _)| name.as_str()).collect();
    assert_eq!(document["columns"], json!(names));
    assert!(names[0] == "time" && names[1].starts_with("inverse_dynamics[") && written[0].2);
    assert!(written[0].1.iter().zip(&stamps).all(|(a, b)| *a == *b as f64));
    let csv = shown(&[&arguments[..], &["--format", "csv"]].concat());
    assert!(csv.lines().nth(1).unwrap().starts_with("1700000000000000000,"));
    for (row, values) in numbers(&csv).iter().enumerate() {
        for (column, value) in values.iter().enumerate().skip(1) {
            assert_eq!(written[column].1[row], *value, "row {row}");
        }
    }
}

#[test]
fn time_goes_through_a_csv_as_it_is() {
    let text = "note;q2;time;q1\nx;1;0.10;2\n# remark\ny;1;0.20;2\n";
    let out = run_with(
        &["eval", "planar2r", "--state", "-", "--input-format", "csv", "-Q", "potential_energy,com", "--format", "csv"],
        text,
    );
    assert_eq!(out.code, 0, "{}", out.stderr);
    let lines: Vec<_> = out.stdout.lines().collect();
    assert_eq!(lines[0], "time,potential_energy,com[x],com[y],com[z]");
    assert!(lines[1].starts_with("0.10,") && lines[2].starts_with("0.20,") && lines.len() == 3);
}

#[test]
fn times_that_are_no_stamps_are_doubles_in_parquet() {
    let out = Scratch::new("timed.parquet");
    let text = Scratch::with("timed.csv", "q1,q2,t\n0.1,0.2,0.10\n0.3,0.4,1e-3\n0.5,0.6,-2\n");
    let file = Scratch::new("floats.parquet");
    let columns = [("q1", vec![0.1, 0.3, 0.5]), ("q2", vec![0.2, 0.4, 0.6]), ("t", vec![0.1, 1e-3, -2.0])];
    let columns = columns.map(|(name, numbers)| (name.to_owned(), Column::Double(numbers)));
    tables::write(file.path(), &columns, 3, 2);
    for from in [text.path(), file.path()] {
        support::json(&["eval", "planar2r", "-s", from, "-Q", "gravity", "--format", "parquet", "--out", out.path()]);
        let written = tables::read(out.path());
        assert_eq!(written[0], ("t".to_owned(), vec![0.1, 1e-3, -2.0], false), "{from}");
        // 1.5 kg at 0.4 m.
        let torque = |q: f64| 1.5 * 9.80665 * 0.4 * q.cos();
        for (found, q) in written[2].1.iter().zip([0.3, 0.7, 1.1]) {
            assert!((found - torque(q)).abs() < 1e-12, "{from}: {found}");
        }
    }
}

#[test]
fn parquet_columns_that_hold_no_states_are_refused_with_their_place() {
    let numbers = |numbers: &[f64]| Column::Double(numbers.to_vec());
    let file = Scratch::new("refused.parquet");
    let refused = |robot: &str, columns: &[(String, Column)], rows: usize| {
        tables::write(file.path(), columns, rows, 1);
        let error = run(&["eval", robot, "-s", file.path(), "-Q", "gravity", "--json"]).error();
        assert_eq!(error["file"], file.path());
        error
    };
    let words = Column::Text(["a", "b"].map(str::to_owned).to_vec());
    let named = vec![("q1".to_owned(), numbers(&[0.1, 0.2])), ("q2".to_owned(), words)];
    let error = refused("planar2r", &named, 2);
    assert_eq!(
        (&error["kind"], &error["hint"]),
        (&json!("wrong-type"), &json!("columns are DOUBLE, FLOAT, INT32 or INT64"))
    );
    assert_eq!(error["message"], "column 2 (`q2`) holds BYTE_ARRAY values, not numbers");
    let ball = Scratch::with(
        "ball.toml",
        "name = \"ball\"\n[[link]]\nname = \"bob\"\nmass = 1\ninertia = [1, 0, 0, 1, 0, 1]\njoint = { type = \"spherical\" }\n",
    );
    let turned: Vec<(String, Column)> = (1..5).map(|k| (format!("q{k}"), numbers(&[f64::from(k == 1), 0.0]))).collect();
    let error = refused(ball.path(), &turned, 2);
    assert_eq!((&error["kind"], &error["line"]), (&json!("zero-quaternion"), &json!(2)), "{error}");
}

#[test]
fn columns_are_named_by_quantity_and_coordinates() {
    let csv = shown(&[
        "eval",
        "planar2r",
        "-s",
        r#"{"q": [0, 0]}"#,
        "-Q",
        "mass_matrix,mass_matrix_dq,pose:tool",
        "-f",
        "csv",
    ]);
    let names: Vec<_> = csv.lines().next().unwrap().split(',').collect();
    assert_eq!(
        names[..5],
        [
            "mass_matrix[link1][link1]",
            "mass_matrix[link1][link2]",
            "mass_matrix[link2][link1]",
            "mass_matrix[link2][link2]",
            "mass_matrix_dq[link1][link1][link1]"
        ]
    );
    assert_eq!(
        (names[5], names[11], names[12], names.len()),
        ("mass_matrix_dq[link1][link1][link2]", "mass_matrix_dq[link2][link2][link2]", "pose:tool[1][1]", 28)
    );
}

#[test]
fn parquet_columns_may_be_floats_integers_and_optional() {
    let columns = vec![
        ("q_link1".to_owned(), Column::Float(vec![0.5, 1.0, 1.5])),
        ("q2".to_owned(), Column::Int32(vec![1, -2, 3])),
        ("qd1".to_owned(), Column::Optional(vec![Some(1.0), Some(2.0), Some(3.0)])),
        ("qd2".to_owned(), Column::Double(vec![0.0; 3])),
        ("t".to_owned(), Column::Float(vec![0.0, 0.5, 1.0])),
    ];
    let file = Scratch::new("mixed.parquet");
    tables::write(file.path(), &columns, 3, 2);
    let from_parquet = shown(&["eval", "planar2r", "-s", file.path(), "-Q", "inverse_dynamics", "--format", "csv"]);
    let text = "t,q1,q2,qd1,qd2\n0.0,0.5,1,1,0\n0.5,1,-2,2,0\n1.0,1.5,3,3,0\n";
    let arguments = ["eval", "planar2r", "-s", "-", "--input-format", "csv", "-Q", "inverse_dynamics", "-f", "csv"];
    assert_eq!(run_with(&arguments, text).stdout, from_parquet);
}

/// The error of a run whose result must not be left behind.
fn refused(file: &str, format: &str) -> serde_json::Value {
    let folder = std::path::PathBuf::from(format!("{file}.results"));
    std::fs::create_dir_all(&folder).unwrap();
    let out = folder.join("out");
    std::fs::write(&out, "before").unwrap();
    let path = out.to_str().unwrap();
    let arguments = ["eval", "planar2r", "-s", file, "-Q", "inverse_dynamics", "--format", format, "--out", path];
    let plain = run(&arguments);
    assert!(plain.code == 2 && plain.stdout.is_empty() && plain.stderr.contains(file), "{}", plain.stderr);
    let run = run(&[&arguments[..], &["--json"]].concat());
    assert_eq!(run.code, 2);
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "before");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "something is left behind");
    std::fs::remove_dir_all(&folder).unwrap();
    run.error()
}

#[test]
fn a_bad_table_is_told_with_its_line_and_column_and_leaves_nothing_behind() {
    let good = "0,0\n".repeat(5000);
    for (text, kind, line, column) in [
        (String::new(), "no-heading", None, None),
        ("1,2\n3,4\n".to_owned(), "no-heading", None, None),
        ("q1,qd1\n1,2\n".to_owned(), "missing-column", None, None),
        ("q1,q2,q_link1\n1,2,3\n".to_owned(), "duplicate-column", Some(1), Some(3)),
        (format!("q1,q2\n{good}0,nan\n"), "not-finite", Some(5002), Some(2)),
        (format!("q1,q2\n{good}0,-inf\n"), "not-finite", Some(5002), Some(2)),
        (format!("q1,q2\n{good}0,1e999\n"), "not-finite", Some(5002), Some(2)),
        (format!("q1,q2\n{good}\n0,zero\n"), "not-a-number", Some(5003), Some(2)),
        (format!("q1,q2\n{good}0\n"), "wrong-cells", Some(5002), Some(1)),
        (format!("q1,q2\n{good}0,0,0\n"), "wrong-cells", Some(5002), Some(1)),
        ("q1,q2,qd1,qd2\n0,0,1,1\n0,1,1e200,1e200\n".to_owned(), "not-finite", Some(3), Some(1)),
    ] {
        let file = Scratch::with("bad.csv", &text);
        for format in ["csv", "parquet"] {
            let error = refused(file.path(), format);
            assert_eq!(error["kind"], kind, "{error}");
            assert_eq!((&error["line"], &error["column"]), (&json!(line), &json!(column)), "{error}");
            assert_eq!(error["file"], file.path());
        }
    }
}

#[test]
fn a_bad_line_of_json_is_told_with_its_line_and_column() {
    for (text, kind, line, column) in [
        ("{\"q\": [0, 0]}\n{\"q\": [0]}\n", "wrong-length", 2, Some(7)),
        ("{\"q\": [0, 0]}\n\n{\"q\": [0, 0], \"qdot\": 1}\n", "unknown-key", 3, Some(15)),
        ("{\"q\": [0, 0]}\n{\"q\": [0, NaN]}\n", "syntax-error", 2, Some(11)),
        ("{\"q\": [0, 0]}\n[{\"q\": [0, 0]}]\n", "wrong-type", 2, Some(1)),
        ("{\"q\": [0, 0]}\n{}\n", "missing-position", 2, Some(1)),
    ] {
        let file = Scratch::with("bad.jsonl", text);
        let error = refused(file.path(), "csv");
        assert_eq!(error["kind"], kind, "{error}");
        assert_eq!((&error["line"], &error["column"]), (&json!(line), &json!(column)), "{error}");
    }
}

#[test]
fn a_bad_parquet_file_is_told_with_its_row_and_column() {
    let file = Scratch::new("bad.parquet");
    let q1 = || ("q1".to_owned(), Column::Double(vec![0.0; 4]));
    let cases = [
        (
            vec![q1(), ("q2".to_owned(), Column::Optional(vec![Some(0.0), Some(1.0), None, Some(2.0)]))],
            "missing-value",
            Some(3),
            Some(2),
        ),
        (vec![q1(), ("q2".to_owned(), Column::Double(vec![0.0, f64::NAN, 0.0, 0.0]))], "not-finite", Some(2), Some(2)),
        (vec![q1(), ("p2".to_owned(), Column::Double(vec![0.0; 4]))], "missing-column", None, None),
        (vec![q1(), ("q2".to_owned(), Column::Double(vec![0.0; 4])), q1()], "duplicate-column", None, None),
    ];
    for (columns, kind, line, column) in cases {
        tables::write(file.path(), &columns, 4, 3);
        let error = refused(file.path(), "parquet");
        assert_eq!(error["kind"], kind, "{error}");
        assert_eq!((&error["line"], &error["column"]), (&json!(line), &json!(column)), "{error}");
    }
    std::fs::write(file.path(), "no parquet").unwrap();
    assert_eq!(refused(file.path(), "csv")["kind"], "bad-parquet");
}

#[test]
fn no_damage_to_a_parquet_file_makes_the_command_panic() {
    let file = Scratch::new("damaged.parquet");
    let columns =
        [("q1".to_owned(), Column::Double(vec![0.5; 40])), ("q2".to_owned(), Column::Optional(vec![Some(1.0); 40]))];
    tables::write(file.path(), &columns, 40, 25);
    let good = std::fs::read(file.path()).unwrap();
    let seed = 5_u64;
    let mut state = seed;
    for round in 0..120 {
        let mut bytes = good.clone();
        for _ in 0..1 + round % 3 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = (state >> 33) as usize % bytes.len();
            bytes[at] ^= 1 << (state >> 20 & 7);
        }
        if round % 10 == 9 {
            bytes.truncate((state >> 33) as usize % bytes.len());
        }
        std::fs::write(file.path(), &bytes).unwrap();
        let run = run(&["eval", "planar2r", "-s", file.path(), "-Q", "gravity", "--format", "csv"]);
        assert!(matches!(run.code, 0 | 2), "seed {seed}, round {round}: {} {}", run.code, run.stderr);
    }
}

#[test]
fn a_table_without_rows_gives_a_table_without_rows() {
    let (file, out) = (Scratch::with("heading.csv", "q1,q2\n"), Scratch::new("empty.parquet"));
    let arguments = ["eval", "planar2r", "-s", file.path(), "-Q", "gravity"];
    assert_eq!(shown(&[&arguments[..], &["--format", "csv"]].concat()), "gravity[link1],gravity[link2]\n");
    assert_eq!(shown(&[&arguments[..], &["--json"]].concat()), "[]\n");
    shown(&[&arguments[..], &["--format", "parquet", "--out", out.path()]].concat());
    assert_eq!(tables::read(out.path())[0], ("gravity[link1]".to_owned(), vec![], false));
}

#[test]
fn what_does_not_go_together_is_bad_usage() {
    let eval = ["eval", "planar2r", "-Q", "gravity", "--json", "-s"];
    for more in [
        &[r#"{"q": [0, 0]}"#, "--format", "csv"][..],
        &[r#"{"q": [0, 0]}"#, "--format", "parquet"],
        &[r#"{"q": [0, 0]}"#, "--out", "x.json"],
        &[r#"{"q": [0, 0]}"#, "--out", "x"],
        &[r#"{"q": [0, 0]}"#, "--format", "csv", "--out", "x.parquet"],
        &[r#"{"q": [0, 0]}"#, "--format", "json", "--out", "x.json"],
        &["-", "--input-format", "parquet"],
        &["/dev/stdin", "--input-format", "parquet"],
    ] {
        let run = run_with(&[&eval[..], more].concat(), "q1,q2\n");
        assert_eq!((run.code, run.error()["kind"].as_str()), (2, Some("usage")), "{more:?}");
    }
}

#[test]
fn the_format_json_is_what_the_option_prints() {
    let state = ["eval", "planar2r", "-s", r#"[{"q": [0, 0]}, {"q": [0, 1]}]"#, "-Q", "gravity"];
    assert_eq!(shown(&[&state[..], &["--format", "json"]].concat()), shown(&[&state[..], &["--json"]].concat()));
}

#[test]
fn a_result_file_that_cannot_be_written_is_named() {
    let out = std::env::temp_dir().join("no-such-folder").join("x.csv");
    let arguments = ["eval", "planar2r", "-s", r#"{"q": [0, 0]}"#, "-Q", "gravity", "-f", "csv", "--json", "--out"];
    for path in [out.to_str().unwrap(), std::env::temp_dir().to_str().unwrap()] {
        let run = run(&[&arguments[..], &[path]].concat());
        assert_eq!((run.code, run.error()["kind"].as_str()), (2, Some("cannot-write")));
    }
    let null = run(&[&arguments[..], &["/dev/null"]].concat());
    assert_eq!(null.json()["states"], 1);
    assert!(!std::path::Path::new("/dev/null").metadata().unwrap().is_file());
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    let states = States { nq: 7, nv: 7, rows: 20_000 };
    let file = Scratch::with("long.csv", &states.csv());
    let arguments = ["eval", "iiwa14", "-s", file.path(), "-Q", "inverse_dynamics", "--format", "csv"];
    let mut child = command(&arguments).stdin(Stdio::null()).spawn().unwrap();
    let mut begin = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut begin).unwrap();
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!((child.wait().unwrap().code(), stderr.as_str()), (Some(0), ""));
}
