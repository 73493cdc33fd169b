//! The examples of the documentation are what the commands print.
//!
//! Every block marked `console` in the files below is run, from `$ jourdain …` or `$ cargo run --release -- …` to the next
//! prompt or the end of the block. Numbers may differ in their last digits. With the variable `UPDATE_DOCS` set, the blocks are rewritten instead.

mod support;

use support::run;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");

#[test]
fn examples_in_the_readme_are_what_the_commands_print() {
    assert!(check("README.md") >= 2);
}

#[test]
fn examples_in_the_command_reference_are_what_the_commands_print() {
    assert!(check("docs/cli.md") >= 7);
}

#[test]
fn examples_of_the_first_five_minutes_are_what_the_commands_print() {
    assert!(check("docs/from-your-robot.md") >= 7);
}

#[test]
fn examples_of_many_states_are_what_the_command_prints() {
    assert!(check("docs/eval.md") >= 3);
}

#[test]
fn examples_of_simulations_are_what_the_command_prints() {
    assert!(check("docs/simulate.md") >= 5);
}

#[test]
fn examples_of_conversion_are_what_the_command_prints() {
    assert!(check("docs/convert.md") >= 4);
}

#[test]
fn examples_of_generated_code_are_what_the_command_prints() {
    assert!(check("docs/derive.md") >= 1);
}

#[test]
fn examples_of_inverse_kinematics_are_what_the_commands_print() {
    assert!(check("docs/ik.md") >= 5);
}

#[test]
fn examples_of_base_parameters_are_what_the_command_prints() {
    assert!(check("docs/base-parameters.md") >= 3);
}

#[test]
fn examples_of_identification_are_what_the_commands_print() {
    assert!(check("docs/identify.md") >= 2);
}

#[test]
fn examples_of_hostile_files_are_what_the_commands_print() {
    assert_eq!(check("docs/trust.md"), 1);
}

#[test]
fn examples_of_edits_are_what_the_commands_print() {
    assert_eq!(check("docs/edits.md"), 1);
}

#[test]
fn examples_of_elastic_joints_are_what_the_commands_print() {
    assert!(check("docs/elastic.md") >= 4);
}

/// Runs all examples of a file and returns how many there are.
fn check(file: &str) -> usize {
    let text = std::fs::read_to_string(format!("{ROOT}{file}")).unwrap();
    let (mut fresh, mut count, mut in_block, mut skipping) = (String::new(), 0, false, false);
    for line in text.lines() {
        if line.starts_with("```") {
            in_block = line == "```console";
            skipping = false;
        }
        let command = line.strip_prefix("$ jourdain ").or_else(|| line.strip_prefix("$ cargo run --release -- "));
        if let (true, Some(command)) = (in_block, command) {
            fresh.push_str(&format!("{line}\n{}", output(command)));
            count += 1;
            skipping = true;
        } else if !skipping {
            fresh.push_str(&format!("{line}\n"));
        }
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(format!("{ROOT}{file}"), &fresh).unwrap();
    } else {
        let remedy = "run `UPDATE_DOCS=1 cargo test -p jourdain-cli --test documentation` and read the difference";
        assert_eq!(text.lines().count(), fresh.lines().count(), "{file}: {remedy}");
        for (number, (shown, fresh)) in text.lines().zip(fresh.lines()).enumerate() {
            assert!(alike(shown, fresh), "{file}:{}: {shown}\nis now\n{fresh}\n{remedy}", number + 1);
        }
    }
    count
}

/// Equal but for the last digits of numbers, which depend on the machine.
fn alike(a: &str, b: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split_inclusive([' ', ',', '[', ']', '}', ':']).map(str::to_owned).collect()
    };
    let (a, b) = (words(a), words(b));
    a.len() == b.len()
        && a.iter().zip(&b).filter(|(a, b)| a != b).all(|(a, b)| {
            let number = |word: &str| word.trim_end_matches([' ', ',', ']', '}']).parse::<f64>().ok();
            match (number(a), number(b)) {
                (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * b.abs().max(1.0),
                _ => false,
            }
        })
}

/// What a command prints, standard output before standard error.
fn output(command: &str) -> String {
    let arguments = split(command);
    let run = run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    format!("{}{}", run.stdout, run.stderr)
}

/// Words separated by spaces, single quotes around what is one word.
fn split(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in command.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(c),
        }
    }
    words
}
