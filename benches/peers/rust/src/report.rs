//! The tables as text, Markdown or JSON.

use crate::compare::{Comparison, Effort, Library, Times};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// What the numbers were measured on and with.
pub struct Setting {
    pub machine: String,
    pub rust: String,
    pub compiler: String,
    pub pinocchio: String,
    pub c_compiler: String,
    pub casadi: String,
    /// Programs that wanted a core in the minute before, this one among them: a busy machine is no place for a full run.
    pub load: String,
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
            c_compiler: text(&directory.join("casadi-compiler")).trim().to_owned(),
            casadi: text(&directory.join("casadi-version")).trim().to_owned(),
            load: text(Path::new("/proc/loadavg")).split(' ').next().unwrap_or_default().to_owned(),
        }
    }
}

const DYNIBO: &str = "0.5";

/// What the tables' numbers are, for both forms.
const LEGEND: &str = "× is how many times as fast as that peer, in brackets the goal; `<` marks a goal that is missed, or \
                      a dynibo that is faster than jourdain on one state.";

struct Cell {
    text: String,
    missed: bool,
    /// A time of jourdain.
    ours: bool,
}

impl Cell {
    fn new(text: String) -> Self {
        Self { text, missed: false, ours: false }
    }

    fn ns(ns: Option<f64>) -> Self {
        Self::new(match ns {
            Some(ns) if ns < 100.0 => format!("{ns:.1}"),
            Some(ns) => format!("{ns:.0}"),
            None => "–".to_owned(),
        })
    }

    fn ours(ns: Option<f64>) -> Self {
        Self { ours: true, ..Self::ns(ns) }
    }

    /// A ratio that should not be below its goal.
    fn ratio(ratio: Option<f64>, goal: Option<f64>) -> Self {
        let Some(ratio) = ratio else { return Self::new("–".to_owned()) };
        Self::against(ratio, goal, goal.is_some_and(|goal| ratio < goal))
    }

    /// A time that should not be above its goal.
    fn ms(ms: f64, goal: Option<f64>) -> Self {
        Self::against(ms, goal, goal.is_some_and(|goal| ms > goal))
    }

    fn against(value: f64, goal: Option<f64>, missed: bool) -> Self {
        let goal = goal.map_or(String::new(), |goal| format!(" ({goal})"));
        Self { missed, ..Self::new(format!("{value:.2}{goal}")) }
    }

    fn marked(&self) -> String {
        if self.missed { format!("{} <", self.text) } else { self.text.clone() }
    }
}

const COLUMNS: usize = 9;

/// A table of one robot.
struct Table {
    title: &'static str,
    header: [&'static str; COLUMNS],
    cells: fn(usize, &Times) -> [Cell; COLUMNS],
}

const TABLES: [Table; 2] = [
    Table {
        title: "One state per call",
        header: [
            "quantity",
            "Pinocchio",
            "CasADi",
            "dynibo",
            "jourdain",
            "× Pinocchio",
            "compiled",
            "× Pinocchio",
            "× CasADi",
        ],
        cells: one_state,
    },
    Table {
        title: "Many states",
        header: [
            "quantity",
            "Pinocchio",
            "CasADi",
            "four at once",
            "× Pinocchio",
            "batch",
            "× Pinocchio",
            "× CasADi",
            "compile ms",
        ],
        cells: many_states,
    },
];

fn one_state(nv: usize, times: &Times) -> [Cell; COLUMNS] {
    let goals = &times.row.goals;
    let dynibo = times.ratio(Library::Dynibo, Library::Jourdain);
    [
        Cell::new(times.row.name.replace('_', " ")),
        Cell::ns(times.of(Library::Pinocchio)),
        Cell::ns(times.of(Library::Casadi)),
        Cell { missed: dynibo.is_some_and(|ratio| ratio < 1.0), ..Cell::ns(times.of(Library::Dynibo)) },
        Cell::ours(times.of(Library::Jourdain)),
        Cell::ratio(times.ratio(Library::Pinocchio, Library::Jourdain), goals.one),
        Cell::ours(times.of(Library::Compiled)),
        Cell::ratio(times.ratio(Library::Pinocchio, Library::Compiled), goals.compiled(nv)),
        Cell::ratio(times.ratio(Library::Casadi, Library::Compiled), goals.casadi.map(|[one, _]| one)),
    ]
}

fn many_states(nv: usize, times: &Times) -> [Cell; COLUMNS] {
    let goals = &times.row.goals;
    [
        Cell::new(times.row.name.replace('_', " ")),
        Cell::ns(times.of(Library::Pinocchio)),
        Cell::ns(times.of(Library::Casadi)),
        Cell::ours(times.of(Library::Lanes)),
        Cell::ratio(times.ratio(Library::Pinocchio, Library::Lanes), goals.lanes),
        Cell::ours(times.of(Library::Batch)),
        Cell::ratio(times.ratio(Library::Pinocchio, Library::Batch), goals.batch),
        Cell::ratio(times.ratio(Library::Casadi, Library::Batch), goals.casadi.map(|[_, batch]| batch)),
        Cell::ms(times.compile_ms, goals.compile_ms(nv)),
    ]
}

fn missed(nv: usize, times: &Times) -> usize {
    TABLES.iter().flat_map(|table| (table.cells)(nv, times)).filter(|cell| cell.missed).count()
}

fn all_missed(comparison: &Comparison) -> usize {
    comparison.times.iter().map(|times| missed(comparison.nv, times)).sum()
}

/// For a terminal.
pub fn text(comparisons: &[Comparison]) -> String {
    let mut out = String::new();
    for comparison in comparisons {
        let Comparison { robot, nv, difference, .. } = comparison;
        let _ = writeln!(out, "{robot}, {nv} velocities: ns per state; values agree to {difference:.0e}");
        for Table { title, header, cells } in &TABLES {
            let rows = comparison.times.iter().map(|times| cells(*nv, times).map(|cell| cell.marked()));
            let rows: Vec<_> = [header.map(str::to_owned)].into_iter().chain(rows).collect();
            let _ = writeln!(out, "\n{title}");
            for row in &rows {
                for (column, cell) in row.iter().enumerate() {
                    let width = rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
                    let _ = match column {
                        0 => write!(out, "{cell:<width$}"),
                        _ => write!(out, "  {cell:>width$}"),
                    };
                }
                out.push('\n');
            }
        }
        out.push('\n');
        for (peer, why) in &comparison.missing {
            let _ = writeln!(out, "{peer} is missing: {why}");
        }
        let _ = writeln!(out, "goals missed: {}\n", all_missed(comparison));
    }
    out.push_str(LEGEND);
    out.push('\n');
    out
}

/// The tables of `docs/benchmarks.md`, with what they were measured on.
pub fn markdown(comparisons: &[Comparison], setting: &Setting, effort: Effort) -> String {
    let Setting { machine, rust, compiler, pinocchio, c_compiler, casadi, load } = setting;
    let mut out = format!(
        "Machine: {machine}, load {load}.\nPinocchio {pinocchio}, headers only, {compiler} `-O3 -march=native -DNDEBUG`; CasADi {casadi}, \
         {c_compiler} `-O3 -march=native -ffp-contract=fast`; dynibo {DYNIBO}; {rust}, release profile, \
         `target-cpu=native`.\nEach number is the minimum over {} turns of {} batches, in nanoseconds per state. {LEGEND}\n",
        effort.rounds, effort.batches
    );
    for comparison in comparisons {
        let Comparison { robot, nv, difference, .. } = comparison;
        let _ = writeln!(
            out,
            "\n### {robot} ({nv} velocities)\n\nValues agree to {difference:.0e}. Goals missed: {}.",
            all_missed(comparison)
        );
        for (peer, why) in &comparison.missing {
            let _ = writeln!(out, "{peer} is missing here: {why}.");
        }
        for Table { title, header, cells } in &TABLES {
            let _ = write!(out, "\n{title}:\n\n| {} |\n|---|{}\n", header.join(" | "), "---:|".repeat(COLUMNS - 1));
            for times in &comparison.times {
                let bold = |cell: Cell| if cell.ours { format!("**{}**", cell.text) } else { cell.marked() };
                let _ = writeln!(out, "| {} |", cells(*nv, times).map(bold).join(" | "));
            }
        }
    }
    out
}

/// For programs.
pub fn json(comparisons: &[Comparison], setting: &Setting, effort: Effort) -> Value {
    let row = |nv: usize, times: &Times| {
        let goals = &times.row.goals;
        let (pinocchio, casadi) = (Library::Pinocchio, Library::Casadi);
        json!({
            "quantity": times.row.name,
            "pinocchio_calls": times.row.pinocchio.map(|_| times.row.calls),
            "pinocchio_ns": times.of(pinocchio),
            "casadi_ns": times.of(casadi),
            "dynibo_ns": times.of(Library::Dynibo),
            "jourdain_ns": times.of(Library::Jourdain),
            "jourdain_lanes4_ns": times.of(Library::Lanes),
            "compiled_ns": times.of(Library::Compiled),
            "batch_ns": times.of(Library::Batch),
            "compile_ms": times.compile_ms,
            "ratio": times.ratio(pinocchio, Library::Jourdain),
            "target": goals.one,
            "lanes4_ratio": times.ratio(pinocchio, Library::Lanes),
            "lanes4_target": goals.lanes,
            "compiled_ratio": times.ratio(pinocchio, Library::Compiled),
            "compiled_target": goals.compiled(nv),
            "batch_ratio": times.ratio(pinocchio, Library::Batch),
            "batch_target": goals.batch,
            "casadi_ratio": times.ratio(casadi, Library::Jourdain),
            "casadi_compiled_ratio": times.ratio(casadi, Library::Compiled),
            "casadi_compiled_target": goals.casadi.map(|[one, _]| one),
            "casadi_batch_ratio": times.ratio(casadi, Library::Batch),
            "casadi_batch_target": goals.casadi.map(|[_, batch]| batch),
            "dynibo_ratio": times.ratio(Library::Dynibo, Library::Jourdain),
            "compile_ms_target": goals.compile_ms(nv),
            "goals_missed": missed(nv, times),
        })
    };
    let robot = |comparison: &Comparison| {
        let missing = comparison.missing.iter().map(|(peer, why)| ((*peer).to_owned(), json!(why)));
        json!({
            "robot": comparison.robot,
            "nv": comparison.nv,
            "largest_difference": comparison.difference,
            "missing": missing.collect::<serde_json::Map<_, _>>(),
            "goals_missed": all_missed(comparison),
            "rows": comparison.times.iter().map(|times| row(comparison.nv, times)).collect::<Vec<_>>(),
        })
    };
    json!({
        "machine": setting.machine,
        "load": setting.load,
        "rust": setting.rust,
        "compiler": setting.compiler,
        "pinocchio": setting.pinocchio,
        "c_compiler": setting.c_compiler,
        "casadi": setting.casadi,
        "dynibo": DYNIBO,
        "rounds": effort.rounds,
        "batches": effort.batches,
        "robots": comparisons.iter().map(robot).collect::<Vec<_>>(),
    })
}
