//! Trajectories as files and tables: what they say is the motion, and what is wrong with them is told with its place.

use jourdain::formats::table::{Table, TableError};
use jourdain::prescribed::{PrescribedError, PrescribedMotion, Reference, Smoothed};
use jourdain::{Model, robots};

fn planar() -> Model {
    robots::load("planar2r").unwrap()
}

fn table(columns: &[(&str, &[f64])]) -> Table {
    Table::new(columns.iter().map(|(name, numbers)| ((*name).to_owned(), numbers.to_vec())).collect()).unwrap()
}

/// Line, column and message.
fn told(error: &PrescribedError) -> (usize, usize, String) {
    let PrescribedError::Syntax { line, column, .. } = error else { return (0, 0, error.to_string()) };
    (*line, *column, error.to_string())
}

/// Straight lines stay straight when they are smoothed.
#[test]
fn a_table_in_memory_a_table_as_text_and_bare_samples_are_one_motion() {
    let model = planar();
    let (times, turn) = ([0.0, 0.5, 1.0, 1.5], [1.0, 2.0, 3.0, 4.0]);
    let in_memory = table(&[("q2", &[0.0; 4]), ("t", &times), ("q1", &turn)]);
    let from_table = PrescribedMotion::from_table(&in_memory, 0.01, &model).unwrap();
    assert_eq!((from_table.start, from_table.end), (0.0, 1.5));
    let headed = "t,q1,q2\n0,1,0\n0.5,2,0\n1,3,0\n1.5,4,0\n";
    let bare = "\n0 1 0\n0.5; 2; 0\n1,\t3, 0\n\n1.5 4 0\n";
    for text in [headed, bare] {
        assert_eq!(PrescribedMotion::from_csv(text, 0.01, &model).unwrap(), from_table, "{text}");
    }
    let [q, qd, qdd] = Reference::Motion(&from_table).orders(0.75);
    for (found, expected) in [(q, [2.5, 0.0]), (qd, [2.0, 0.0]), (qdd, [0.0, 0.0])] {
        let off = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-12, "{found:?} for {expected:?}");
    }
}

#[test]
fn tables_in_memory_that_are_wrong_are_refused_with_the_row() {
    let model = planar();
    for (columns, line, column, message) in [
        (
            table(&[("t", &[0.0, 1.0]), ("q1", &[0.0, f64::NAN]), ("q2", &[0.0; 2])]),
            2,
            2,
            "row 2, column 2 (`q1`): `NaN` is not a finite number",
        ),
        (table(&[("q1", &[0.0]), ("q2", &[0.0])]), 0, 0, "there is no column of time: `t` or `time`"),
        (
            table(&[("t", &[0.0, 1.0]), ("q1", &[0.0, 1.0])]),
            0,
            0,
            "there is no column for positions: `q[link2]` or `q2`",
        ),
    ] {
        let error = PrescribedMotion::from_table(&columns, 0.01, &model).unwrap_err();
        assert_eq!(told(&error), (line, column, message.to_owned()));
    }
    let still = table(&[("t", &[0.0, 0.0]), ("q1", &[0.0, 1.0]), ("q2", &[0.0; 2])]);
    assert!(matches!(PrescribedMotion::from_table(&still, 0.01, &model), Err(PrescribedError::Points(_))));
}

#[test]
fn samples_that_are_wrong_are_refused_with_the_line() {
    let model = planar();
    for (text, line, message) in [
        ("0 1 0\n1 x 0\n", 2, "line 2 of the samples is no list of numbers"),
        ("0 1 0\n\n1 inf 0\n", 3, "line 3 of the samples is no list of numbers"),
        ("0 1\n1 2\n", 0, "the trajectory has 1 joints, but planar2r has 2"),
    ] {
        let error = PrescribedMotion::from_csv(text, 0.01, &model).unwrap_err();
        assert_eq!(told(&error), (line, usize::from(line > 0), message.to_owned()), "{text}");
    }
    let error = PrescribedMotion::from_csv("0 1 0\n1 2 0\n", -0.5, &model).unwrap_err();
    assert_eq!(error, PrescribedError::Points("the smoothing must be a positive time, not -0.5 s".to_owned()));
    let error = Smoothed::through(&[0.0, 1.0], &[0.0; 3], 0.1).unwrap_err();
    assert_eq!(error, PrescribedError::Points("2 times cannot have 3 values".to_owned()));
}

#[test]
fn trajectories_in_json_that_are_wrong_are_refused() {
    let model = planar();
    let either = "a trajectory has either `joints` or `points`";
    for (text, message) in [
        ("{}", either),
        (r#"{"joints": [0, 0], "points": {"times": [0, 1], "q": [[0, 0], [1, 1]]}, "duration": 1}"#, either),
        (r#"{"joints": [0, 0]}"#, "a trajectory of curves needs its `duration`, s"),
        (r#"{"joints": [0], "duration": 1}"#, "the trajectory has 1 joints, but planar2r has 2"),
        (r#"{"points": {"times": [0, 1], "q": [[0, 0], [1]]}}"#, "the trajectory has 1 joints, but planar2r has 2"),
        (r#"{"joints": [0, 0], "duration": -1}"#, "a trajectory cannot run from 0 s to -1 s"),
        (r#"{"joints": [0, 0], "duration": 1, "wrenches": [{"link": "hand"}]}"#, "robot `planar2r` has no link `hand`"),
    ] {
        let error = PrescribedMotion::from_json(text, &model).unwrap_err();
        assert_eq!(told(&error), (0, 0, message.to_owned()), "{text}");
    }
    let error = PrescribedMotion::from_json("{\n\"joint\": []}", &model).unwrap_err();
    let (line, column, message) = told(&error);
    assert_eq!((line, column), (2, 7));
    assert!(message.starts_with("unknown field `joint`, expected one of `start`, `duration`"), "{message}");
}

#[test]
fn columns_that_make_no_table_are_refused() {
    let column = |name: &str, length: usize| (name.to_owned(), vec![0.0; length]);
    let found: [(TableError, &str, &str, &str); 2] = [
        (
            Table::new(Vec::new()).unwrap_err(),
            "no-heading",
            "the table has no columns",
            "columns are named as in a file: t, q1, q2, …",
        ),
        (
            Table::new(vec![column("t", 3), column("q1", 2)]).unwrap_err(),
            "wrong-length",
            "column `q1` has 2 numbers, but `t` has 3",
            "every column has a number for each row",
        ),
    ];
    for (error, kind, message, hint) in found {
        assert_eq!((error.kind(), error.to_string().as_str()), (kind, message));
        assert_eq!(error.hint().as_deref(), Some(hint));
    }
}
