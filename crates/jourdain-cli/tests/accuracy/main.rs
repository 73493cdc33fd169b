//! Corners where robot libraries go wrong in silence: what is answered, and who says that it is right.
//!
//! Each row is measured when the test runs, through the command a user runs. `docs/accuracy.md` shows them; `just accuracy`
//! (the variable `UPDATE_DOCS`) writes it anew. The measured column may differ in last digits from machine to machine and is
//! judged by the row's own bound; everything else has to be what the page says.

#[path = "../support/mod.rs"]
mod support;

mod base_parameters;
mod dynamics;
mod elastic;
mod flexible;
mod ik;

/// One line of the table.
struct Row {
    /// The input, short enough for a cell.
    corner: &'static str,
    /// What was answered once, as a fact to remember.
    before: &'static str,
    /// What is answered now, measured by this run.
    now: String,
    /// What is right, and who says so without sharing the code in question.
    witness: &'static str,
    /// Whether `now` agrees with the witness, by the bound the row sets.
    holds: bool,
}

/// The title of a section, and what measures its rows.
type Subject = (&'static str, fn() -> Vec<Row>);

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/accuracy.md");

#[test]
fn every_corner_is_answered_rightly_and_the_page_says_so() {
    let subjects: [Subject; 5] = [
        ("Dynamics", dynamics::rows),
        ("Base parameters", base_parameters::rows),
        ("Elastic joints", elastic::rows),
        ("Flexible arms", flexible::rows),
        ("Inverse kinematics", ik::rows),
    ];
    let sections: Vec<(&str, Vec<Row>)> = std::thread::scope(|scope| {
        let running = subjects.map(|(title, rows)| (title, scope.spawn(rows)));
        running.into_iter().map(|(title, rows)| (title, rows.join().unwrap())).collect()
    });
    for row in sections.iter().flat_map(|(_, rows)| rows) {
        assert!(row.holds, "{}: {} instead of {}", row.corner, row.now, row.witness);
    }
    let page = page(&sections);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(PAGE, page).unwrap();
        return;
    }
    let written = std::fs::read_to_string(PAGE).unwrap();
    assert_eq!(without_measured(&written), without_measured(&page), "run `just accuracy`");
}

fn page(sections: &[(&str, Vec<Row>)]) -> String {
    let mut page = String::from(INTRODUCTION);
    for (title, rows) in sections {
        page +=
            &format!("\n## {title}\n\n| corner | once | now | right, by an independent witness |\n|---|---|---|---|\n");
        for row in rows {
            page += &format!("| {} | {} | {} | {} |\n", row.corner, row.before, row.now, row.witness);
        }
    }
    page
}

const INTRODUCTION: &str = "# Accuracy in the corners

Inputs on which a robot library can be wrong without a word, what jourdain once answered, what it answers now, and who says what
is right. `just accuracy` measures the third column and writes this page; `cargo test -p jourdain-cli --test accuracy` holds it.
The inputs are in `suite/corners`.
";

/// The page without its third column.
fn without_measured(page: &str) -> Vec<String> {
    page.lines()
        .map(|line| match line.split(" | ").collect::<Vec<_>>()[..] {
            [corner, once, _, witness] => [corner, once, witness].join(" | "),
            _ => line.to_owned(),
        })
        .collect()
}
