//! The page of the campaign, docs/campaign.md, from what the blocks of all stages have left.

use crate::stage::Stage;
use crate::tally::Tally;
use std::collections::BTreeSet;
use std::fmt::Write as _;

const HEAD: &str = "# The differential campaign

Written by `just campaign`, which goes on where it was stopped; do not edit. Everything is random from a seed and computed by witnesses
that share as little as possible with what is tested. A seed of a table is computed again by `just campaign STAGE --first SEED --count 1`,
and `just campaign show SEED` prints the robot and the state of a seed of the stage `robots`. CI runs a slice of it, `just campaign slice`.

**The measure.** An error is the largest difference of any number of a quantity, over the largest number of that quantity or over one
where all are smaller. Where the mass matrix is inverted, that is divided by the condition number of the mass matrix.
";

pub fn page(stages: &[(&Stage, Tally)]) -> String {
    let mut page = HEAD.to_owned();
    let versions: BTreeSet<String> = stages
        .iter()
        .flat_map(|(_, tally)| tally.versions.iter().map(|(name, version)| format!("{name} {version}")))
        .collect();
    if !versions.is_empty() {
        let versions: Vec<String> = versions.into_iter().collect();
        write_line(&mut page, &format!("\nWith {}.", versions.join(" and ")));
    }
    write_line(&mut page, "\n| stage | seeds | comparisons | worst error over what is allowed | failures |");
    write_line(&mut page, "|---|---|---|---|---|");
    for (stage, tally) in stages {
        let all = || tally.worst.values().flat_map(|quantities| quantities.values());
        let comparisons: u64 = all().map(|worst| worst.count).sum();
        let share = |error: f64, limit: f64| if limit > 0.0 { error / limit } else { f64::from(u8::from(error > 0.0)) };
        let worst = all().map(|worst| share(worst.error, worst.limit)).fold(0.0, f64::max);
        let seeds = tally.counts.get("seeds").copied().unwrap_or(0);
        let (name, full, failures) = (stage.name, stage.full, tally.failures.len());
        let row = format!("| {name} | {seeds} of {full} | {comparisons} | {worst:.2} | {failures} |");
        write_line(&mut page, &row);
    }
    stages.iter().for_each(|(stage, tally)| part(&mut page, stage, tally));
    page
}

fn write_line(page: &mut String, line: &str) {
    page.push_str(line);
    page.push('\n');
}

fn part(page: &mut String, stage: &Stage, tally: &Tally) {
    write_line(page, &format!("\n## {}\n\n{}\n", stage.title, stage.about));
    let counts: Vec<String> = tally
        .counts
        .iter()
        .filter(|(what, count)| *what != "seeds" && **count > 0)
        .map(|(what, count)| format!("{what} {count}"))
        .collect();
    write_line(page, &format!("Drawn: {}.\n", counts.join(", ")));
    let witnesses: Vec<&String> = tally.worst.keys().collect();
    let quantities: BTreeSet<&String> = tally.worst.values().flat_map(|of| of.keys()).collect();
    let head: Vec<&str> = witnesses.iter().map(|witness| witness.as_str()).collect();
    write_line(page, "Worst error, its seed, and the number of comparisons:\n");
    write_line(page, &format!("| | {} |", head.join(" | ")));
    write_line(page, &format!("|---|{}", "---|".repeat(witnesses.len())));
    for quantity in quantities {
        let mut row = format!("| {quantity} |");
        for witness in &witnesses {
            match tally.worst[*witness].get(quantity) {
                None => row.push_str(" – |"),
                Some(worst) => {
                    let error = if worst.error > 0.0 { format!("{:.1e}", worst.error) } else { "0".to_owned() };
                    // A String takes what is written to it.
                    let _ = write!(row, " {error} ({}; {}) |", worst.seed, worst.count);
                }
            }
        }
        write_line(page, &row);
    }
    if !tally.failures.is_empty() {
        write_line(page, "\nFailures:\n");
        for failure in tally.failures.iter().take(30) {
            write_line(page, &format!("- seed {}: {}", failure.seed, failure.what));
        }
    }
}
