//! Large files of states pass through `jourdain eval` in constant memory.

#![cfg(target_os = "linux")]

mod support;
#[path = "support/parquet.rs"]
mod tables;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Stdio};
use support::{Scratch, command};
use tables::Column;

const ROWS: usize = 250_000;

/// Kilobytes that are enough for blocks, whatever the number of rows. The states alone of all rows take three times as much.
const MOST: u64 = 64 << 10;

const LETTERS: [&str; 3] = ["q", "qd", "qdd"];

fn number(k: usize) -> f64 {
    ((k as f64 + 1.0) * 12.9898).sin()
}

/// The largest memory so far of a process that is still there, kB.
fn peak(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).expect("a process that is still there");
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn write_csv(mut out: impl std::io::Write) {
    let heading: Vec<_> = LETTERS.iter().flat_map(|letters| (1..=7).map(move |k| format!("{letters}{k}"))).collect();
    writeln!(out, "{}", heading.join(",")).unwrap();
    // A thousand different rows are as good as all different.
    let rows: Vec<String> = (0..1000)
        .map(|row| (0..21).map(|k| number(row * 21 + k).to_string()).collect::<Vec<_>>().join(",") + "\n")
        .collect();
    for row in 0..ROWS {
        out.write_all(rows[row % 1000].as_bytes()).unwrap();
    }
    out.flush().unwrap();
}

/// Peak of a run that reads a file and writes CSV to a pipe, which is stopped short of its end.
fn peak_from(file: &str) -> u64 {
    let arguments = ["eval", "iiwa14", "--state", file, "--quantity", "inverse_dynamics", "--format", "csv"];
    let mut child = command(&arguments).stdin(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    // What is left does not fit into the pipe: the process has to wait.
    for _ in 0..ROWS - 5000 {
        lines.next().unwrap().unwrap();
    }
    let peak = peak(&child);
    assert_eq!(lines.count(), 5001);
    assert!(child.wait().unwrap().success());
    peak
}

#[test]
fn csv_and_parquet_files_are_read_in_constant_memory() {
    let csv = Scratch::new("large.csv");
    write_csv(std::io::BufWriter::new(std::fs::File::create(csv.path()).unwrap()));
    let parquet = Scratch::new("large.parquet");
    let column = |k: usize| Column::Double((0..ROWS).map(|row| number(row % 1000 * 21 + k)).collect());
    let columns: Vec<_> = (0..21).map(|k| (format!("{}{}", LETTERS[k / 7], k % 7 + 1), column(k))).collect();
    tables::write(parquet.path(), &columns, ROWS, 100_000);
    for file in [&csv, &parquet] {
        let peak = peak_from(file.path());
        assert!(peak < MOST, "{peak} kB from {}", file.path());
    }
}

#[test]
fn parquet_is_written_in_constant_memory() {
    let out = Scratch::new("large_torques.parquet");
    let arguments = ["eval", "iiwa14", "--state", "-", "--input-format", "csv", "--quantity", "inverse_dynamics"];
    let arguments = [&arguments[..], &["--format", "parquet", "--out", out.path()]].concat();
    let mut child = command(&arguments).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    write_csv(std::io::BufWriter::new(&mut input));
    let peak = peak(&child);
    drop(input);
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert!(child.wait().unwrap().success(), "{told}");
    assert!(peak < MOST, "{peak} kB");
    assert_eq!(tables::read(out.path())[6].1.len(), ROWS);
}
