//! Files of flexible arms, their states and their scenarios: what they say is what is read, and what is wrong with them is told
//! with its line and its remedy.

use jourdain::flexible::BuiltArm;
use jourdain::formats::{Format, LoadError, read_arm, read_arm_states, read_arm_str, read_scenario};
use jourdain::model::Diagnostic;
use jourdain::prescribed::{Interpolation, Torque, TorqueTable};
use std::path::{Path, PathBuf};

const BEAM: &str = "name = 'beam'\n[[link]]\nlength = 0.5\ndensity = 0.2\nrigidity = 1.0\n";

fn beam(more: &str) -> String {
    format!("{BEAM}{more}")
}

fn built(text: &str) -> BuiltArm {
    text.parse().unwrap_or_else(|error: LoadError| panic!("{text}: {error}"))
}

/// Two links, with one mode and two.
fn two_links() -> BuiltArm {
    built(&beam(
        "modes = 1\n[[link]]\nlength = 0.4\ndensity = 0.1\nrigidity = 2.0\nmodes = 2\nhub = { inertia = 0.1 }\n",
    ))
}

/// Code, line, message and remedy of all that is found.
fn listed(found: &[Diagnostic]) -> Vec<(&str, usize, &str, Option<&str>)> {
    let line = |one: &Diagnostic| one.location.map_or(0, |place| place.line);
    found.iter().map(|one| (one.code, line(one), one.message.as_str(), one.hint.as_deref())).collect()
}

#[test]
fn arms_that_are_wrong_are_refused_with_the_line() {
    let link = BEAM.split_once('\n').unwrap().1;
    let named = |more: &str| format!("name = 'beam'\n{more}\n{link}");
    let links = |count: usize| format!("name = 'beam'\n{}", format!("{link}modes = 20\n").repeat(count));
    for (text, expected) in [
        ("name = 'beam'\nlink = []\n".to_owned(), ("no-links", 1, "an arm needs at least one link", None)),
        (
            named("kinematics = 'exakt'"),
            ("unknown-kinematics", 2, "there are no kinematics `exakt`", Some("did you mean `exact`?")),
        ),
        (named("kinematics = 3"), ("wrong-type", 2, "`kinematics` must be a string, not a number", None)),
        (
            named("boundary_configuration = [0.1, 0.2]"),
            ("wrong-length", 2, "`boundary_configuration` must have 1 numbers for this arm, not 2", None),
        ),
        (
            beam("boundary = 'clamped'\n"),
            (
                "unknown-boundary",
                6,
                "there is no boundary `clamped`",
                Some("a table with mass, inertia and mass_distance, or \"free\""),
            ),
        ),
        (
            beam("modes = 2.5\n"),
            ("bad-count", 6, "`modes` must be a whole number from 0 to 20, not 2.5", Some("0 makes the link rigid")),
        ),
        (links(6), ("too-many-coordinates", 1, "126 joints and modes are too many: at most 120", None)),
        ("name = 'beam'\nlink = [1]\n".to_owned(), ("wrong-type", 2, "a link must be a table, not a number", None)),
    ] {
        let reading = read_arm(text.as_bytes());
        assert!(reading.description.is_none(), "{text}");
        assert_eq!(listed(&reading.diagnostics), [expected], "{text}");
    }
}

/// The hundred first errors are enough.
#[test]
fn errors_of_an_arm_are_told_up_to_a_hundred() {
    let text = format!("name = 'beam'\n{}", "[[link]]\n".repeat(50));
    let reading = read_arm(text.as_bytes());
    // Three keys are missing in each link, and no link is looked at after the hundredth error.
    let total = "102 errors in all, of which 100 are listed";
    assert_eq!(listed(&reading.diagnostics)[100..], [("too-many-problems", 0, total, None)]);
    let states = format!("[{}]", vec!["{}"; 150].join(",\n"));
    let found = read_arm_states(&states, &two_links().arm).unwrap_err();
    assert_eq!(found.len(), 100);
    assert_eq!(listed(&found)[99], ("missing-key", 100, "a state has no `q`", None));
}

#[test]
fn files_that_hold_no_arm_are_refused() {
    let load = |name: &str| {
        let error = BuiltArm::load(name).unwrap_err();
        assert_eq!(error.file, name);
        error.diagnostics
    };
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let missing = load(here.join("no_such_arm.toml").to_str().unwrap());
    assert_eq!((missing.len(), missing[0].code), (1, "cannot-read"));
    assert!(missing[0].message.starts_with("cannot read the file: "), "{}", missing[0].message);
    let robot = load(here.join("Cargo.toml").to_str().unwrap());
    assert!(robot.iter().any(|found| found.message == "a flexible arm has no `link`"), "{robot:?}");

    let not_text = read_arm(&[b'n', 0xff]);
    assert_eq!(
        listed(&not_text.diagnostics),
        [("not-utf8", 0, "the file is not UTF-8 text", Some("save it as UTF-8"))]
    );
    let large = " ".repeat((16 << 20) + 1);
    let remedy = Some("meshes belong in files of their own");
    for reading in [read_arm(large.as_bytes()), read_arm_str(&large, Format::Toml)] {
        assert_eq!(listed(&reading.diagnostics), [("file-too-large", 0, "the file is larger than 16 MiB", remedy)]);
    }
    let xml = read_arm_str("<robot/>", Format::Urdf);
    assert_eq!(
        listed(&xml.diagnostics),
        [("unknown-format", 0, "a flexible arm is a TOML or JSON file, not XML", None)]
    );
}

/// Each number may be, but their sum may not.
#[test]
fn an_arm_that_cannot_be_built_says_why() {
    let text = beam("modes = 1\n[[link]]\nlength = 0.4\ndensity = 0.1\nrigidity = 2.0\nmodes = 1\n");
    let text =
        text.replace("name = 'beam'\n", "name = 'beam'\npayload = { mass = 1.7e308 }\n") + "hub = { mass = 1.7e308 }\n";
    let error = text.parse::<BuiltArm>().unwrap_err();
    let message = "link 1: the boundary mass must not be negative or infinite, but is inf";
    assert_eq!(listed(&error.diagnostics), [("arm-not-possible", 0, message, None)]);
    assert_eq!(error.source_text, text);
}

#[test]
fn a_loaded_arm_is_the_one_of_its_text() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../arms/two_link_flexible.toml");
    let (loaded, read) = (BuiltArm::load(&path).unwrap(), built(&std::fs::read_to_string(&path).unwrap()));
    assert_eq!((loaded.arm.name(), loaded.arm.size()), ("two_link_flexible", 6));
    assert_eq!(loaded.modes, read.modes);
}

/// Nothing at the tip: what the arm carries changes its motion, but not the shapes of its modes.
#[test]
fn a_free_boundary_is_one_without_mass() {
    let free = built(&beam("boundary = 'free'\n"));
    let zeros = built(&beam("boundary = { mass = 0, inertia = 0, mass_distance = 0 }\n"));
    assert_eq!(free.modes, zeros.modes);
    let loaded = built(&beam("boundary = 'free'\n").replace("name", "payload = { mass = 3.0 }\nname"));
    assert_eq!(free.modes, loaded.modes);
    assert_ne!(free.modes, built(&beam("").replace("name", "payload = { mass = 3.0 }\nname")).modes);
}

#[test]
fn torque_tables_of_scenarios_are_read_on_lines_or_held() {
    let arm = two_links().arm;
    let rows = vec![(0.0, vec![1.0, 2.0]), (0.5, vec![-1.0, 0.5])];
    for (given, interpolation) in [
        ("", Interpolation::Linear),
        (r#", "interpolation": "linear""#, Interpolation::Linear),
        (r#", "interpolation": "hold""#, Interpolation::Hold),
    ] {
        let torque = format!(r#"{{"kind": "table", "times": [0, 0.5], "values": [[1, 2], [-1, 0.5]]{given}}}"#);
        let scenario = read_scenario(&format!(r#"{{"torque": {torque}, "duration": 3}}"#), &arm).unwrap();
        let expected = TorqueTable::new(rows.clone(), interpolation).unwrap();
        assert_eq!(scenario.torque, Torque::Table(expected), "{given}");
        assert_eq!((scenario.duration, scenario.step, scenario.damping_factor), (3.0, 1e-3, None));
    }
}

#[test]
fn scenarios_that_are_wrong_are_refused_with_the_line() {
    let arm = two_links().arm;
    for (torque, expected) in [
        (r#"{"kind": "table", "times": [0]}"#, ("missing-key", "a torque has no `values`", None)),
        (
            r#"{"kind": "table", "times": [0], "values": [[1, 2]], "interpolation": "cubic"}"#,
            ("unknown-interpolation", "there is no interpolation `cubic`: \"linear\" or \"hold\"", None),
        ),
        (
            r#"{"kind": "table", "times": [0, 1], "values": [[1, 2]]}"#,
            ("bad-table", "a torque table has 2 times but 1 rows of values", None),
        ),
        (
            r#"{"kind": "table", "times": [1, 1], "values": [[1, 2], [3, 4]]}"#,
            ("bad-table", "row 2: time 1 does not come after time 1", None),
        ),
        (r#"{"kind": "table", "times": [], "values": []}"#, ("bad-table", "row 1: the table has no rows", None)),
        (
            r#"{"kind": "table", "times": [0], "values": [[1]]}"#,
            ("wrong-length", "`values` must have 2 numbers for the joints of the arm, not 1", None),
        ),
        (
            r#"{"kind": "bang-bang", "amplitude": [1, 1], "switch": 2, "end": 1}"#,
            ("bad-table", "the end at 1 s must come after the switch at 2 s", None),
        ),
        (
            r#"{"kind": "bang-bang", "amplitude": [1, 1], "switch": -1, "end": 1}"#,
            ("not-positive", "`switch` must be positive, not -1", None),
        ),
        (
            r#"{"kind": "tables"}"#,
            ("unknown-torque", "there is no torque of kind `tables`", Some("did you mean `table`?")),
        ),
        (
            r#"{"kind": "constant", "amplitude": [1]}"#,
            ("wrong-length", "`amplitude` must have 2 numbers for the joints of beam, not 1", None),
        ),
    ] {
        let (code, message, hint) = expected;
        let found = read_scenario(&format!("{{\n\"torque\":\n{torque}\n}}"), &arm).unwrap_err();
        assert_eq!(listed(&found)[0], (code, 3, message, hint), "{torque}");
    }
    let found = read_scenario("{\n\"q0\": [1, 2, 3],\n\"step\": 0}", &arm).unwrap_err();
    let length = "`q0` must have 5 numbers for beam, not 3";
    assert_eq!(
        listed(&found),
        [("wrong-length", 2, length, None), ("not-positive", 3, "`step` must be positive, not 0", None)]
    );
}
