//! Screw lists are read as robots, in either of their forms; what is wrong with them is told with its line.

use jourdain::formats;
use jourdain::model::Number;
use jourdain::model::description::{Description, JointKind};

fn numbers(values: [f64; 3]) -> [Number; 3] {
    values.map(Number::from)
}

fn listed(screw: &str) -> String {
    format!(
        "name = 'r'\n[[screws]]\nname = 'a'\nmass = 1\ncom = [0.1, 0.2, 0]\ninertia = [1, 0, 0, 1, 0, 1]\n{screw}\n"
    )
}

fn robot(text: &str) -> Description {
    let reading = formats::read(text.as_bytes());
    reading.description.unwrap_or_else(|| panic!("{text}: {:?}", reading.diagnostics)).into_description()
}

/// (ω, v) is a turn about the axis through ω × v, a slide if ω = 0, and a screw with the pitch ω · v.
#[test]
fn a_screw_is_six_numbers_or_a_type_with_an_axis() {
    let nut = |pitch: f64| JointKind::Helical {
        axis: numbers([0.0, 0.0, 1.0]),
        point: numbers([0.5, 0.0, 0.0]),
        pitch: Number::from(pitch),
    };
    let turn = JointKind::Revolute { axis: numbers([0.0, 0.0, 1.0]), point: numbers([0.5, 0.0, 0.0]) };
    let slide = JointKind::Prismatic { axis: numbers([0.0, 0.6, 0.8]) };
    for (screw, expected) in [
        ("screw = [0, 0, 1, 0, -0.5, 0]\nlimits = [-1, 1]", &turn),
        ("type = 'revolute'\naxis = [0, 0, 1]\npoint = [0.5, 0, 0]\nlimits = [-1, 1]", &turn),
        ("screw = [0, 0, 0, 0, 0.6, 0.8]\nlimits = [-1, 1]", &slide),
        ("type = 'prismatic'\naxis = [0, 0.6, 0.8]\nlimits = [-1, 1]", &slide),
        ("screw = [0, 0, 1, 0, -0.5, 0.25]", &nut(0.25)),
        ("type = 'helical'\naxis = [0, 0, 1]\npoint = [0.5, 0, 0]\npitch = 0.25", &nut(0.25)),
    ] {
        assert_eq!(robot(&listed(screw)).links[0].joint.kind, *expected, "{screw}");
    }
    let reading = formats::read(listed("screw = [0, 0, 1, 0, -0.5, 0]\ntype = 'continuous'").as_bytes());
    let found = &reading.diagnostics[0];
    assert_eq!((found.code, found.location.unwrap().line), ("conflicting-keys", 8), "{found}");
    assert_eq!(found.message, "a screw has both `screw` and `type`");
}

#[test]
fn a_screw_whose_direction_has_another_length_is_refused() {
    for (screw, length) in [("[0, 0, 2, 0, 0, 0]", "2"), ("[0, 0, 0, 0, 3, 4]", "5"), ("[0, 0, 0, 0, 0, 0]", "0")] {
        let reading = formats::read(listed(&format!("screw = {screw}")).as_bytes());
        let found = &reading.diagnostics[0];
        assert_eq!((found.code, found.location.unwrap().line), ("screw-not-unit", 7), "{found}");
        assert_eq!(found.message, format!("the direction of the screw has length {length}, not 1"));
        assert_eq!(found.hint.as_deref(), Some("(ω, v): ω of length 1, or ω = 0 and v of length 1"));
    }
}

#[test]
fn the_tool_may_hang_on_another_screw_than_the_last() {
    let text = listed("axis = [0, 0, 1]\ntype = 'continuous'")
        + "[[screws]]\nname = 'b'\nmass = 1\ncom = [0.1, 0.2, 0]\ninertia = [1, 0, 0, 1, 0, 1]\naxis = [0, 1, 0]\ntype = 'continuous'\n\
           [home]\nname = 'flange'\nparent = 'a'\nxyz = [0.5, 0, 0]\n";
    let links = robot(&text).links;
    let names: Vec<[&str; 2]> = links.iter().map(|link| [link.name.as_str(), link.parent.as_str()]).collect();
    assert_eq!(names, [["a", "base"], ["b", "a"], ["flange", "a"]]);
    let reading = formats::read(text.replace("parent = 'a'", "parent = 'c'").as_bytes());
    let found = reading.diagnostics.iter().find(|found| found.is_error()).unwrap();
    assert_eq!((found.code, found.location.unwrap().line), ("unknown-parent", 18), "{found}");
}

/// What refers to a link whose name could not be read is not judged.
#[test]
fn a_screw_that_is_no_table_is_the_only_finding() {
    for (text, what) in [
        ("name = 'r'\nscrews = [3]\nhome = { parent = 'a' }\n", "a screw"),
        ("name = 'r'\nlink = [3, { name = 'b', parent = 'a', mass = 1 }]\n", "a link"),
    ] {
        let reading = formats::read(text.as_bytes());
        let found: Vec<_> = reading.diagnostics.iter().filter(|found| found.is_error()).collect();
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].code, found[0].location.unwrap().line), ("wrong-type", 2));
        assert_eq!(found[0].message, format!("{what} must be a table, not a number"));
    }
}
