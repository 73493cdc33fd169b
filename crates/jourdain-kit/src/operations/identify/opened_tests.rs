//! Logs of all kinds give the same, and what is wrong with them is told with its place.

use crate::host::Files;
use crate::operation;
use parquet::data_type::{DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::sync::Arc;

const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/logs/planar2r.csv");
/// A time of day, ns: the digits of a nanosecond do not fit into floating point.
const BEGIN: i64 = 1_700_000_000_123_456_789;

fn rows() -> Vec<Vec<f64>> {
    let text = fs::read_to_string(SUITE).unwrap();
    let row = |line: &str| line.split(',').map(|cell| cell.parse().unwrap()).collect();
    text.lines().skip(1).take(900).map(row).collect()
}

/// Writes rows in groups of so many, their time as nanoseconds.
fn write_parquet(path: &Path, rows: &[Vec<f64>], group: usize) {
    let schema = "message log { required int64 t; required double q1; required double q2; required double tau1; \
                  required double tau2; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(WriterProperties::builder().build());
    let mut file = SerializedFileWriter::new(fs::File::create(path).unwrap(), schema, properties).unwrap();
    for rows in rows.chunks(group) {
        let mut writer = file.next_row_group().unwrap();
        let times: Vec<i64> = rows.iter().map(|row| BEGIN + (row[0] * 1e9).round() as i64).collect();
        let mut column = writer.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(&times, None, None).unwrap();
        column.close().unwrap();
        for k in 1..5 {
            let values: Vec<f64> = rows.iter().map(|row| row[k]).collect();
            let mut column = writer.next_column().unwrap().unwrap();
            column.typed::<DoubleType>().write_batch(&values, None, None).unwrap();
            column.close().unwrap();
        }
        writer.close().unwrap();
    }
    file.close().unwrap();
}

fn identify(log: &Path, more: Value) -> Result<Value, Value> {
    let mut request = json!({ "robot": "planar2r", "data": [log.to_str().unwrap()], "fit": "base", "cutoff": 12 });
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    match operation::handle("identify", request, &Files) {
        Ok(report) => Ok(report.to_json().unwrap()),
        Err(problem) => Err(problem.to_json()["error"].clone()),
    }
}

#[test]
fn a_parquet_file_gives_what_the_same_rows_give_as_text_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let (text, columns) = (folder.path().join("log.csv"), folder.path().join("log.parquet"));
    let all = fs::read_to_string(SUITE).unwrap();
    fs::write(&text, all.lines().take(901).collect::<Vec<_>>().join("\n")).unwrap();
    write_parquet(&columns, &rows(), 250);
    let (a, b) = (identify(&text, json!({ "threads": 1 })), identify(&columns, json!({ "threads": 3 })));
    let (a, b) = (a.unwrap(), b.unwrap());
    assert_eq!((&a["samples"], &a["logs"][0]["lines"]), (&b["samples"], &b["logs"][0]["lines"]));
    for (a, b) in a["parameters"].as_array().unwrap().iter().zip(b["parameters"].as_array().unwrap()) {
        let [a, b] = [a, b].map(|parameter| parameter["value"].as_f64().unwrap());
        assert!((a - b).abs() < 1e-7 * a.abs().max(0.1), "{a} and {b}");
    }
    let one = identify(&columns, json!({ "threads": 1 })).unwrap();
    assert_eq!(one, b);
    // Parts of it merge to the whole, too.
    let part = |number: usize| folder.path().join(format!("part{number}.jdf"));
    for number in 1..=3 {
        identify(&columns, json!({ "shard": format!("{number}/3"), "factors": part(number) })).unwrap();
    }
    let merged = json!({ "data": [], "merge": [part(3), part(1), part(2)] });
    let merged = identify(&columns, merged).unwrap();
    assert_eq!((&merged["samples"], &merged["warnings"]), (&one["samples"], &one["warnings"]));
    assert_eq!(identify(&columns, json!({ "threads": 0 })).unwrap_err()["kind"], "usage");
}

#[test]
fn what_is_wrong_with_a_file_of_columns_is_told_with_row_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.parquet");
    let mut bad = rows();
    bad[456][3] = f64::NAN;
    write_parquet(&path, &bad, 250);
    let error = identify(&path, json!({})).unwrap_err();
    assert_eq!((&error["kind"], &error["line"], &error["column"]), (&json!("not-finite"), &json!(457), &json!(4)));
    write_parquet(&path, &rows(), 250);
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 100]).unwrap();
    assert_eq!(identify(&path, json!({})).unwrap_err()["kind"], "bad-parquet");
    write_parquet(&path, &[], 250);
    assert_eq!(identify(&path, json!({})).unwrap_err()["kind"], "too-few-samples");
    write_parquet(&path, &rows(), 250);
    let error = identify(&path, json!({ "robot": "puma560" })).unwrap_err();
    assert_eq!(error["kind"], "missing-column");
}

#[test]
fn files_of_other_kinds_are_named_and_broken_texts_told_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.csv");
    let kind = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let error = identify(&path, json!({})).unwrap_err();
        assert!(error["file"].as_str().unwrap().ends_with("log.csv"), "{error}");
        (error["kind"].as_str().unwrap().to_owned(), error["line"].as_u64())
    };
    for other in [&b"SQLite format 3\0..."[..], b"#ROSBAG V2.0\n", b"\x1f\x8b\x08", b"PK\x03\x04"] {
        assert_eq!(kind(other).0, "unsupported-log");
    }
    assert_eq!(kind(b"").0, "too-few-samples");
    assert_eq!(kind(b"PAR1").0, "bad-parquet");
    assert_eq!(kind(b"\x89MCAP0\r\n").0, "bad-recording");
    let text = fs::read_to_string(SUITE).unwrap();
    // The last line ends behind a comma.
    let cut = &text[..=text[..20_000].rfind(',').unwrap()];
    let line = cut.lines().count() as u64;
    let (found, place) = kind(cut.as_bytes());
    assert!(["wrong-cells", "not-a-number"].contains(&found.as_str()) && place == Some(line), "{found}, {place:?}");
    let words = text.replacen("0.79135", "up", 1);
    assert_eq!(kind(words.as_bytes()), ("not-a-number".to_owned(), Some(3)));
    let holes = text.replacen("0.79135", "NaN", 1);
    assert_eq!(kind(holes.as_bytes()), ("not-finite".to_owned(), Some(3)));
}
