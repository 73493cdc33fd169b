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

fn write_csv(mut out: impl std::io::Write, rows: usize) {
    let heading: Vec<_> = LETTERS.iter().flat_map(|letters| (1..=7).map(move |k| format!("{letters}{k}"))).collect();
    writeln!(out, "{}", heading.join(",")).unwrap();
    // A thousand different rows are as good as all different.
    let texts: Vec<String> = (0..1000)
        .map(|row| (0..21).map(|k| number(row * 21 + k).to_string()).collect::<Vec<_>>().join(",") + "\n")
        .collect();
    for row in 0..rows {
        out.write_all(texts[row % 1000].as_bytes()).unwrap();
    }
    out.flush().unwrap();
}

fn write_parquet(path: &str, rows: usize) {
    let column = |k: usize| Column::Double((0..rows).map(|row| number(row % 1000 * 21 + k)).collect());
    let columns: Vec<_> = (0..21).map(|k| (format!("{}{}", LETTERS[k / 7], k % 7 + 1), column(k))).collect();
    tables::write(path, &columns, rows, 100_000);
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
    write_csv(std::io::BufWriter::new(std::fs::File::create(csv.path()).unwrap()), ROWS);
    let parquet = Scratch::new("large.parquet");
    write_parquet(parquet.path(), ROWS);
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
    write_csv(std::io::BufWriter::new(&mut input), ROWS);
    let peak = peak(&child);
    drop(input);
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert!(child.wait().unwrap().success(), "{told}");
    assert!(peak < MOST, "{peak} kB");
    assert_eq!(tables::read(out.path())[6].1.len(), ROWS);
}

#[test]
#[ignore = "a measurement, for the release build"]
#[allow(clippy::print_stdout)]
fn rows_per_second_and_peak_memory_of_a_million_rows() {
    const MILLION: usize = 1_000_000;
    let files = ["csv", "jsonl", "parquet"].map(|format| (format, Scratch::new(&format!("million.{format}"))));
    write_csv(std::io::BufWriter::new(std::fs::File::create(files[0].1.path()).unwrap()), MILLION);
    let mut lines = std::io::BufWriter::new(std::fs::File::create(files[1].1.path()).unwrap());
    for row in 0..MILLION {
        let part = |at: usize| (0..7).map(|k| number(row % 1000 * 21 + 7 * at + k)).collect::<Vec<_>>();
        writeln!(lines, r#"{{"q": {:?}, "qd": {:?}, "qdd": {:?}}}"#, part(0), part(1), part(2)).unwrap();
    }
    drop(lines);
    write_parquet(files[2].1.path(), MILLION);
    for (from, file) in &files {
        for to in ["csv", "parquet"] {
            let out = Scratch::new(&format!("million_torques.{to}"));
            let arguments = ["eval", "iiwa14", "--state", file.path(), "--quantity", "inverse_dynamics"];
            let begin = std::time::Instant::now();
            let arguments = [&arguments[..], &["--format", to, "--out", out.path(), "--quiet"]].concat();
            let mut child = command(&arguments).spawn().unwrap();
            let mut most = 0;
            while child.try_wait().unwrap().is_none() {
                let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
                let line = status.lines().find(|line| line.starts_with("VmHWM"));
                most = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(most);
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
            assert!(child.wait().unwrap().success());
            let speed = MILLION as f64 / begin.elapsed().as_secs_f64();
            println!("{from} to {to}: {speed:.0} rows/s, {} MB", most / 1024);
        }
    }
}
