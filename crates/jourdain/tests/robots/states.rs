//! Positions with a name in robot files, and files of states for a robot: what they say is what is read, and what is wrong with them is
//! told with its line and its remedy.

use jourdain::formats::{self, read_states};
use jourdain::model::Diagnostic;
use jourdain::{Model, robots};

/// A turning joint `swing` of link `a`, one that follows it, a spherical one and a fixed one.
const ROBOT: &str = "name = 'r'\n\
    [[link]]\nname = 'a'\nmass = 1\ncom = [0.1, 0, 0]\njoint = { type = 'continuous', name = 'swing' }\n\
    [[link]]\nname = 'b'\nmass = 1\ncom = [0.1, 0, 0]\njoint = { type = 'continuous', mimic = { joint = 'swing' } }\n\
    [[link]]\nname = 'c'\nmass = 1\ncom = [0.1, 0.2, 0]\ninertia = [1, 0, 0, 1, 0, 1]\njoint = { type = 'spherical' }\n\
    [[link]]\nname = 'd'\n";

/// Code, line, message and remedy of all that is found.
fn listed(found: &[Diagnostic]) -> Vec<(&str, usize, &str, Option<&str>)> {
    let line = |one: &Diagnostic| one.location.map_or(0, |place| place.line);
    found.iter().map(|one| (one.code, line(one), one.message.as_str(), one.hint.as_deref())).collect()
}

#[test]
fn states_that_a_robot_does_not_have_are_refused_with_the_line() {
    let model: Model = ROBOT.parse().unwrap();
    let quaternions = "in `q` a spherical joint takes 4 numbers (w, x, y, z) and a free joint 7 (x, y, z, w, x, y, z); in the \
                       velocity they take 3 and 6";
    for (text, expected) in [
        ("{\"q\":\n[0, 1]}", ("wrong-length", 2, "`q` must have 5 numbers for r, not 2", Some(quaternions))),
        (
            "{\n\"qd\": {\"b\": 1}}",
            ("coupled-joint", 2, "joint `b` has no number of its own in `qd`", Some("it follows `swing`: give that")),
        ),
        (
            "{\n\"q\": {\"c\": 1}}",
            (
                "several-numbers",
                2,
                "joint `c` has 4 numbers in `q`, not one",
                Some("give all of `q` as a list of 5 numbers"),
            ),
        ),
        ("{\n\"q\": {\"d\": 1}}", ("fixed-joint", 2, "joint `d` does not move", Some("leave it out"))),
        (
            "{\n\"q\": {\"a\": 1}}",
            ("unknown-joint", 2, "r has no joint `a`", Some("the joint of link `a` is called `swing`")),
        ),
        (
            "{\n\"q\": {\"elbow\": 1}}",
            ("unknown-joint", 2, "r has no joint `elbow`", Some("`jourdain info` shows the joints")),
        ),
        ("{\n\"q\": {\"swin\": 1}}", ("unknown-joint", 2, "r has no joint `swin`", Some("did you mean `swing`?"))),
        ("{\n\"q\": \"home\"}", ("unknown-state", 2, "r has no state `home`", Some("it has no named states"))),
        (
            "{\n\"q\": [0, 0, 0, 0, 0]}",
            ("zero-quaternion", 2, "the quaternion of joint `c` (q[1..]) has length zero", None),
        ),
        (
            "{\"wrenches\": [\n{\"link\": \"gripper\"}]}",
            (
                "unknown-link",
                2,
                "a wrench acts on link `gripper`, which r does not have",
                Some("`jourdain info` shows the links"),
            ),
        ),
        ("{\n\"qd\": 3}", ("wrong-type", 2, "`qd` must be a list, not a number", None)),
    ] {
        let found = read_states(text, &model).unwrap_err();
        assert_eq!(listed(&found), [expected], "{text}");
    }
    // A robot without quaternions needs no word about them.
    let planar = robots::load("planar2r").unwrap();
    let found = read_states("[1, 2, 3]", &planar).unwrap_err();
    assert_eq!(listed(&found), [("wrong-length", 1, "`q` must have 2 numbers for planar2r, not 3", None)]);
}

/// The hundred first errors are enough.
#[test]
fn errors_of_states_are_told_up_to_a_hundred() {
    let planar = robots::load("planar2r").unwrap();
    let text = format!("[{}]", vec!["{\"q\": 1}"; 150].join(",\n"));
    let found = read_states(&text, &planar).unwrap_err();
    assert_eq!(found.len(), 100);
    assert_eq!(listed(&found)[99], ("wrong-type", 100, "`q` must be a list, not a number", None));
}

#[test]
fn named_positions_that_are_wrong_are_refused_with_the_line() {
    let first = ROBOT.lines().count() + 1;
    for (state, line, expected) in [
        (
            "q = [1]",
            2,
            (
                "wrong-type",
                "`q` of a state must be a table of joints, not a list",
                Some("write q = { shoulder = 0.1 }"),
            ),
        ),
        (
            "q = { b = 1 }",
            2,
            (
                "coupled-joint",
                "joint `b` of a state follows another and has no number of its own",
                Some("leave it out"),
            ),
        ),
        ("q = { d = 1 }", 2, ("fixed-joint", "joint `d` of a state does not move", Some("leave it out"))),
        ("q = { c = [0, 0, 0, 0] }", 2, ("zero-quaternion", "the quaternion of joint `c` has no length", None)),
        ("q = { c = [0, 0, 1] }", 2, ("wrong-length", "joint `c` has 4 numbers, not 3", None)),
        (
            "q = { sving = 1 }",
            2,
            ("unknown-joint", "joint `sving` of a state is not there", Some("did you mean `swing`?")),
        ),
        (
            "q = {}\n[[state]]\nname = 'home'\nq = {}",
            3,
            ("duplicate-state", "two states are called `home`", Some("names must be unique")),
        ),
    ] {
        let reading = formats::read(format!("{ROBOT}[[state]]\nname = 'home'\n{state}\n").as_bytes());
        assert!(reading.description.is_none(), "{state}");
        let (code, message, hint) = expected;
        assert_eq!(listed(&reading.diagnostics), [(code, first + line, message, hint)], "{state}");
    }
}

#[test]
fn quaternions_of_named_positions_are_scaled() {
    let text = format!("{ROBOT}[[state]]\nname = 'home'\nq = {{ c = [0, 3, 0, 4], swing = 0.5 }}\n");
    let model: Model = text.parse().unwrap();
    assert_eq!(model.named_position("home").unwrap(), [0.5, 0.0, 0.6, 0.0, 0.8]);
}
