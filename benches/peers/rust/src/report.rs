//! The table as text, Markdown or JSON.

use crate::compare::{Comparison, Effort, Times};
use crate::rows::Row;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// What the numbers were measured on and with.
pub struct Setting {
    pub machine: String,
    pub rust: String,
    pub compiler: String,
    pub pinocchio: String,
}

impl Setting {
    pub fn read(directory: &Path) -> Self {
        let text = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
        let info = text(Path::new("/proc/cpuinfo"));
        let field = |name: &str| {
            let line = info.lines().find(|line| line.starts_with(name)).unwrap_or_default();
            line.split_once(':').map_or("", |(_, value)| value.trim()).to_owned()
        };
        let cores = info.lines().filter(|line| line.starts_with("processor")).count();
        let flags = field("flags");
        let extensions: Vec<&str> =
            ["avx2", "fma", "avx512f"].into_iter().filter(|f| flags.split(' ').any(|g| g == *f)).collect();
        let version = std::process::Command::new("rustc").arg("--version").output();
        let version = version.map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).into_owned());
        Self {
            machine: format!("{}, {cores} cores, {}", field("model name"), extensions.join(", ")),
            rust: version.split_whitespace().take(2).collect::<Vec<_>>().join(" "),
            compiler: text(&directory.join("compiler")).trim().to_owned(),
            pinocchio: text(&directory.join("pinocchio-version")).trim().to_owned(),
        }
    }
}

const DYNIBO: &str = "0.5";

fn ratio(times: &Times) -> f64 {
    times.pinocchio / times.jourdain
}

/// The goal of machine code on one state: another for large trees, whose code is longer than the caches.
fn compiled_target(nv: usize, row: &Row) -> Option<f64> {
    row.compiled_target.map(|[arm, tree]| if nv < 15 { arm } else { tree })
}

/// How many goals are missed: against Pinocchio, with four states at once, against dynibo.
fn missed(nv: usize, times: &Times) -> usize {
    let below = |ratio: f64, target: Option<f64>| usize::from(target.is_some_and(|target| ratio < target));
    below(ratio(times), times.row.target)
        + below(times.pinocchio / times.lanes, times.row.lanes_target)
        + below(times.pinocchio / times.compiled, compiled_target(nv, times.row))
        + below(times.pinocchio / times.batch, times.row.batch_target)
        + usize::from(times.dynibo.is_some_and(|dynibo| dynibo < times.jourdain))
}

/// Columns of the table, and the one with jourdain's time that matters most.
const COLUMNS: usize = 12;

fn cells(nv: usize, times: &Times) -> [String; COLUMNS] {
    let ns = |ns: f64| if ns < 100.0 { format!("{ns:.1}") } else { format!("{ns:.0}") };
    let goal = |ratio: f64, target: Option<f64>| match target {
        Some(target) => format!("{ratio:.2} ({target})"),
        None => format!("{ratio:.2}"),
    };
    let row = times.row;
    [
        row.name.replace('_', " "),
        ns(times.pinocchio),
        times.dynibo.map_or("–".to_owned(), ns),
        ns(times.jourdain),
        goal(ratio(times), row.target),
        ns(times.lanes),
        goal(times.pinocchio / times.lanes, row.lanes_target),
        ns(times.compiled),
        goal(times.pinocchio / times.compiled, compiled_target(nv, row)),
        ns(times.batch),
        goal(times.pinocchio / times.batch, row.batch_target),
        format!("{:.2}", times.compile_ms),
    ]
}

const HEADER: [&str; COLUMNS] = [
    "quantity", "Pinocchio", "dynibo", "jourdain", "ratio", "four at once", "ratio", "compiled", "ratio", "batch",
    "ratio", "compile ms"
];

/// For a terminal; rows that miss a goal end in `<`.
pub fn text(comparisons: &[Comparison]) -> String {
    let mut out = String::new();
    for comparison in comparisons {
        let rows: Vec<_> = comparison.times.iter().map(|times| (cells(comparison.nv, times), missed(comparison.nv, times))).collect();
        let width = |column: usize| {
            let cells = rows.iter().map(|(row, _)| row[column].chars().count());
            cells.chain([HEADER[column].len()]).max().unwrap_or(0)
        };
        let line = |cells: &[String; COLUMNS]| {
            let mut line = format!("{:<w$}", cells[0], w = width(0));
            for column in 1..COLUMNS {
                let _ = write!(line, "  {:>w$}", cells[column], w = width(column));
            }
            line
        };
        let Comparison { robot, nv, difference, .. } = comparison;
        let _ = writeln!(out, "{robot}, {nv} velocities: ns per state; values agree to {difference:.0e}");
        let _ = writeln!(out, "{}", line(&HEADER.map(str::to_owned)));
        for (row, missed) in &rows {
            let _ = writeln!(out, "{}{}", line(row), if *missed > 0 { "  <" } else { "" });
        }
        if let Some(why) = &comparison.no_dynibo {
            let _ = writeln!(out, "dynibo: {why}");
        }
        let _ = writeln!(out, "goals missed: {}\n", rows.iter().map(|(_, missed)| missed).sum::<usize>());
    }
    out
}

/// The tables of `docs/benchmarks.md`, with what they were measured on.
pub fn markdown(comparisons: &[Comparison], setting: &Setting, effort: Effort) -> String {
    let Setting { machine, rust, compiler, pinocchio } = setting;
    let mut out = format!(
        "Machine: {machine}.\nPinocchio {pinocchio}, headers only, {compiler} `-O3 -march=native -DNDEBUG`; dynibo \
         {DYNIBO}; {rust}, release profile, `target-cpu=native`.\nEach number is the minimum over {} turns of {} \
         batches.\n",
        effort.rounds, effort.batches
    );
    for comparison in comparisons {
        let Comparison { robot, nv, difference, .. } = comparison;
        let _ = write!(
            out,
            "\n### {robot} ({nv} velocities)\n\nNanoseconds per state; ratio = Pinocchio / jourdain. Values agree to \
             {difference:.0e}.\n\n| {} |\n|---|{}\n",
            HEADER.join(" | "),
            "---:|".repeat(COLUMNS - 1)
        );
        for times in &comparison.times {
            let mut cells = cells(*nv, times);
            [3, 5, 7, 9].into_iter().for_each(|place| cells[place] = format!("**{}**", cells[place]));
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
        if let Some(why) = &comparison.no_dynibo {
            let _ = writeln!(out, "\ndynibo is missing here: {why}.");
        }
    }
    out
}

/// For programs.
pub fn json(comparisons: &[Comparison], setting: &Setting, effort: Effort) -> Value {
    let row = |nv: usize, times: &Times| {
        json!({
            "quantity": times.row.name,
            "pinocchio_calls": times.row.calls,
            "pinocchio_ns": times.pinocchio,
            "dynibo_ns": times.dynibo,
            "jourdain_ns": times.jourdain,
            "jourdain_lanes4_ns": times.lanes,
            "ratio": ratio(times),
            "target": times.row.target,
            "lanes4_ratio": times.pinocchio / times.lanes,
            "lanes4_target": times.row.lanes_target,
            "dynibo_ratio": times.dynibo.map(|dynibo| dynibo / times.jourdain),
            "compiled_ns": times.compiled,
            "compiled_ratio": times.pinocchio / times.compiled,
            "compiled_target": compiled_target(nv, times.row),
            "batch_ns": times.batch,
            "batch_ratio": times.pinocchio / times.batch,
            "batch_target": times.row.batch_target,
            "compile_ms": times.compile_ms,
            "goals_missed": missed(nv, times),
        })
    };
    let robot = |comparison: &Comparison| {
        json!({
            "robot": comparison.robot,
            "nv": comparison.nv,
            "largest_difference": comparison.difference,
            "dynibo_missing": comparison.no_dynibo,
            "rows": comparison.times.iter().map(|times| row(comparison.nv, times)).collect::<Vec<_>>(),
        })
    };
    json!({
        "machine": setting.machine,
        "rust": setting.rust,
        "compiler": setting.compiler,
        "pinocchio": setting.pinocchio,
        "dynibo": DYNIBO,
        "rounds": effort.rounds,
        "batches": effort.batches,
        "robots": comparisons.iter().map(robot).collect::<Vec<_>>(),
    })
}
