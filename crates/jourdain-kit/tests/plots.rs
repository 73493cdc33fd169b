//! Plots of every operation that draws, of every built-in robot: files that can be read, words that do not meet, units everywhere.

use jourdain_kit::host::Files;
use jourdain_kit::operation::Entry;
use jourdain_kit::operations;
use jourdain_kit::plot::words;
use roxmltree::{Document, Node};
use serde_json::{Value, json};
use std::path::Path;

fn handle(name: &str, request: Value) {
    let entry: &Entry = operations::ALL.iter().find(|entry| entry.name == name).expect("an operation");
    entry.handle(request.clone(), &Files).unwrap_or_else(|problem| panic!("{name} {request}: {problem}"));
}

fn drawn(folder: &Path, name: &str, option: &str, mut request: Value) -> String {
    let file = folder.join("plot.svg");
    request[option] = json!(file.to_str().expect("a path"));
    handle(name, request);
    std::fs::read_to_string(file).expect("a plot")
}

fn robots() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots");
    let names = std::fs::read_dir(folder).expect("the robots").map(|entry| entry.expect("a file").path());
    let mut names: Vec<String> = names.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
    names.sort();
    names
}

fn attribute(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{name} of {node:?}"))
}

/// Left, top, right and bottom of a line of words, and what it says.
fn extent(text: Node<'_, '_>) -> ([f64; 4], String) {
    let size = attribute(text, "font-size");
    let bold = text.attribute("font-weight").is_some();
    let piece = |node: Node<'_, '_>| {
        let small =
            node.parent_element().and_then(|parent| parent.attribute("font-size")?.parse().ok()).unwrap_or(size);
        words::width(node.text().unwrap_or_default(), small, bold)
    };
    let width: f64 = text.descendants().filter(Node::is_text).map(piece).sum();
    let says: String = text.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect();
    let (x, y) = (attribute(text, "x"), attribute(text, "y"));
    let left = match text.attribute("text-anchor") {
        Some("end") => x - width,
        Some("middle") => x - 0.5 * width,
        Some(_) | None => x,
    };
    ([left, y - 0.7 * size, left + width, y], says)
}

/// What holds for every plot.
fn check(what: &str, svg: &str) {
    let document = Document::parse(svg).unwrap_or_else(|error| panic!("{what}: {error}"));
    let root = document.root_element();
    let size: Vec<f64> =
        root.attribute("viewBox").expect("a size").split(' ').map(|x| x.parse().expect("a number")).collect();
    assert!(root.attribute("width").is_some_and(|width| width.ends_with("mm")), "{what}");
    let child = |name: &str| {
        root.children().find(|node| node.has_tag_name(name)).and_then(|node| node.text()).unwrap_or_default()
    };
    assert!(
        child("title").contains(" · ") && !child("desc").is_empty(),
        "{what}: `{}` `{}`",
        child("title"),
        child("desc")
    );
    for word in ["NaN", "inf ", "<script", "class="] {
        assert!(!svg.contains(word), "{what}: {word}");
    }
    // Fractions, but no more than a hundredth.
    let paths: Vec<&str> = root.descendants().filter_map(|node| node.attribute("d")).collect();
    let numbers =
        || paths.iter().flat_map(|path| path.split(|letter: char| !(letter.is_ascii_digit() || letter == '.')));
    assert!(numbers().all(|number| number.split_once('.').is_none_or(|(_, part)| part.len() <= 2)), "{what}");
    assert!(numbers().any(|number| number.contains('.')), "{what}: whole points only");
    let texts: Vec<([f64; 4], String)> =
        root.descendants().filter(|node| node.has_tag_name("text")).map(extent).collect();
    for (index, ([left, top, right, bottom], says)) in texts.iter().enumerate() {
        assert!(
            *left >= -0.5 && *right <= size[2] + 0.5 && *top >= 0.0 && *bottom <= size[3],
            "{what}: `{says}` leaves the page"
        );
        for ([a, b, c, d], other) in &texts[..index] {
            let (wide, high) = (right.min(*c) - left.max(*a), bottom.min(*d) - top.max(*b));
            assert!(wide < 0.3 || high < 0.3, "{what}: `{says}` meets `{other}`");
        }
    }
    // Units stand after the name of every panel but those of degrees, which have them at every number, and of pure numbers.
    let is_name = |node: &Node<'_, '_>| node.has_tag_name("text") && node.attribute("font-weight").is_some();
    let names: Vec<Node<'_, '_>> =
        root.descendants().filter(is_name).filter(|node| attribute(*node, "font-size") < 9.0).collect();
    for name in names.iter().filter(|node| node.attribute("text-anchor").is_none()) {
        let next = name.next_sibling_element().map(|node| extent(node).1).unwrap_or_default();
        let says = extent(*name).1;
        assert!(
            next.starts_with('(') || says == "Phase" || says.contains("memory"),
            "{what}: `{says}` has no unit, but `{next}`"
        );
    }
}

#[test]
fn motions_of_all_robots_are_drawn_in_all_sizes() {
    let folder = tempfile::tempdir().expect("a folder");
    for (index, robot) in robots().iter().enumerate() {
        let size = ["column", "page", "screen"][index % 3];
        let theme = ["light", "dark"][index % 2];
        let mut request = json!({ "robot": robot, "duration": 0.02, "plot_size": size, "theme": theme });
        if robot.ends_with("_elastic") {
            request["method"] = json!("auto");
        }
        check(&format!("simulate {robot} {size}"), &drawn(folder.path(), "simulate", "plot", request));
    }
}

#[test]
fn limits_that_are_passed_are_marked_with_their_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = r#"{"q": [0, -0.785, 0, -2.356, 0, 1.571, 0.785]}"#;
    for size in ["column", "page", "screen"] {
        let request = json!({ "robot": "panda", "state": state, "duration": 1.2, "plot_size": size });
        let svg = drawn(folder.path(), "simulate", "plot", request);
        check(&format!("panda {size}"), &svg);
        assert!(svg.contains(">0.20 s<") && svg.contains(" passes its limit after 0.20 s"), "{size}");
        assert!(
            svg.contains("<desc>panda · all drives off, from a given state, 1.20 s. q4 passes its limit"),
            "{size}"
        );
    }
}

#[test]
fn every_other_plot_keeps_to_the_same_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    let spiral =
        r#"{"duration": 1, "joints": [{"polynomial": [0, 1]}, {"cosines": [{"amplitude": 1, "frequency": 2}]}]}"#;
    let goal = "[0.3, 0.2]";
    let logs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/logs");
    let log = |name: &str| logs.join(name).to_str().expect("a path").to_owned();
    let identify = json!({ "robot": "planar2r", "data": [log("planar2r.csv")] });
    let mut validate = identify.clone();
    validate["validate"] = json!(log("planar2r_validation.csv"));
    let cases = [
        ("simulate", "plot", json!({ "robot": "planar2r", "law": "computed-torque", "goal": goal, "duration": 0.5 })),
        ("simulate", "plot", json!({ "robot": "planar2r", "law": "adaptive", "goal": goal, "duration": 0.2 })),
        ("excite", "plot", json!({ "robot": "planar2r", "starts": 1, "steps": 5 })),
        ("identify", "plot", identify),
        ("identify", "plot", validate),
        (
            "trajectory",
            "plot",
            json!({ "robot": "planar2r", "trajectory": spiral, "quantity": ["M,gravity,tau,com"], "samples": 21 }),
        ),
        ("flexible modes", "plot", json!({ "arm": "two_link_flexible" })),
        ("flexible simulate", "plot", json!({ "arm": "two_link_flexible", "scenario": "fig9" })),
        ("flexible linearise", "bode", json!({ "arm": "two_link_flexible", "at": "[0, 1.5]" })),
        ("flexible linearise", "bode", json!({ "arm": "two_link_flexible", "at": "[0, 1.5]", "output": "tip_y" })),
        ("elastic inverse", "plot", json!({ "robot": "planar2r_elastic", "samples": 21 })),
        ("elastic simulate", "plot", json!({ "robot": "planar2r_elastic", "duration": 0.1 })),
        ("elastic robustness", "plot", json!({ "robot": "planar2r_elastic", "samples": 4, "duration": 0.1 })),
    ];
    for (name, option, request) in cases {
        for size in ["column", "page", "screen"] {
            let mut request = request.clone();
            request["plot_size"] = json!(size);
            check(&format!("{name} {size}"), &drawn(folder.path(), name, option, request));
        }
    }
}

/// Half a turn down at each of the two poles that the tip shows.
#[test]
fn the_phase_of_an_undamped_arm_falls() {
    let folder = tempfile::tempdir().expect("a folder");
    let request = json!({ "arm": "two_link_flexible", "at": "[0, 1.5707963]", "output": "tip_y" });
    let svg = drawn(folder.path(), "flexible linearise", "bode", request);
    for label in [">−180°<", ">−360°<", ">−540°<"] {
        assert!(svg.contains(label), "{label}");
    }
    assert!(!svg.contains(">180°<") && svg.contains("not minimum phase"));
}

#[test]
fn pictures_of_all_kinds_are_the_same_each_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let read = |name: &str, extra: Value| {
        let file = folder.path().join(name);
        let mut request = json!({ "robot": "planar2r", "duration": 0.1, "plot": file.to_str() });
        request.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
        handle("simulate", request);
        std::fs::read(file).expect("a picture")
    };
    for name in ["a.svg", "a.pdf", "a.png"] {
        assert!(read(name, json!({})) == read(name, json!({})), "{name}");
    }
    let png = read("a.png", json!({ "plot_size": "screen" }));
    assert_eq!((&png[..8], &png[16..20]), (&b"\x89PNG\r\n\x1a\n"[..], &1440_u32.to_be_bytes()[..]));
    assert!(read("a.pdf", json!({ "theme": "dark" })).starts_with(b"%PDF-"));
    let ground = |extra: Value| String::from_utf8(read("a.svg", extra)).expect("text").contains("<rect width=");
    assert!(ground(json!({})) && !ground(json!({ "transparent": true })));
}

/// Two joints one after the other, and one beside them that may follow the first.
fn arm(first: &str, beside: &str) -> String {
    format!(
        "name = \"arm\"\n[[link]]\nname = \"one\"\nmass = 1\njoint = {{ {first} }}\n\
         [[link]]\nname = \"two\"\nmass = 1\norigin = {{ xyz = [0, 0, 0.4], rpy = [0.5, 0.3, 0] }}\njoint = {{ type = \"revolute\" }}\n\
         {beside}[[link]]\nname = \"tool\"\nparent = \"two\"\norigin = {{ xyz = [0.3, 0, 0.2] }}\njoint = {{ type = \"fixed\" }}\n"
    )
}

#[test]
fn joints_of_every_kind_are_drawn_and_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let turning = r#"type = "revolute""#;
    let picture = |first: &str, beside: &str| {
        let request = json!({ "robot": arm(first, beside), "target": "[0.2, 0.1, 0.5]", "link": "tool", "criterion": "none", "starts": 3 });
        let svg = drawn(folder.path(), "ik", "plot", request);
        Document::parse(&svg).unwrap_or_else(|error| panic!("{first}: {error}"));
        assert!(!svg.contains("NaN"), "{first}");
        svg
    };
    let count = |svg: &str, mark: &str| svg.matches(mark).count();
    let (outline, ring, dashed) = (r#" stroke-width="0.7""#, r#" stroke-width="0.5""#, r#"stroke-dasharray="2 1.6""#);
    let plain = picture(turning, "");
    assert_eq!((count(&plain, ring), count(&plain, dashed)), (0, 0));
    // A ball has two rings in each of three views.
    assert_eq!(count(&picture(r#"type = "spherical""#, ""), ring), 6);
    // A screw has two threads, and joints about two axes a second drum.
    for more in [r#"type = "helical", pitch = 0.1"#, r#"type = "universal""#] {
        assert!(count(&picture(more, ""), outline) >= count(&plain, outline) + 6, "{more}");
    }
    // What slides in two directions has the faces of a block and no drum.
    let slides = r#"type = "composite", sequence = [{ type = "prismatic", axis = [0, 0, 1] }, { type = "prismatic", axis = [1, 0, 0] }]"#;
    let block = picture(slides, "");
    assert!(count(&block, " fill=") > 0 && block != plain);
    for kind in ["prismatic", "cylindrical", "planar", "translation", "free"] {
        let first = format!("type = \"{kind}\"");
        let own = picture(&first, "");
        assert!(own != plain && count(&own, dashed) == 0, "{kind}");
    }
    // What follows another joint has a dashed ring in each view, instead of a name.
    let beside = |mimic: &str| {
        let joint = format!("joint = {{ type = \"revolute\"{mimic} }}");
        picture(
            turning,
            &format!(
                "[[link]]\nname = \"three\"\nparent = \"two\"\nmass = 1\norigin = {{ xyz = [0.1, 0.2, 0.4] }}\n{joint}\n"
            ),
        )
    };
    let [leads, follows] = ["", r#", mimic = { joint = "one", multiplier = -2, offset = 0.5 }"#].map(beside);
    assert_eq!((count(&leads, dashed), count(&follows, dashed)), (0, 3));
    assert_eq!(count(&leads, "<text") - count(&follows, "<text"), 3);
}

#[test]
fn scenes_say_how_joints_of_every_kind_move() {
    let path = format!("{}/../../suite/good/every_joint.toml", env!("CARGO_MANIFEST_DIR"));
    let entry: &Entry = operations::ALL.iter().find(|entry| entry.name == "scene").expect("an operation");
    let report = entry.handle(json!({ "robot": path }), &Files).unwrap_or_else(|problem| panic!("{problem}"));
    let scene = report.to_json().expect("a scene");
    let joint = |name: &str| {
        let links = scene["links"].as_array().expect("links");
        links.iter().find(|link| link["name"] == name).unwrap_or_else(|| panic!("no link `{name}`"))["joint"].clone()
    };
    let [root, ball, nut, follower] = ["trunk", "ball", "nut", "follower"].map(joint);
    assert_eq!((&root["kind"], &root["point"], &root["motions"]), (&json!("free"), &Value::Null, &json!([])));
    assert_eq!(
        (&ball["kind"], &ball["point"], &ball["axis"]),
        (&json!("spherical"), &json!([0.0, 0.0, 0.1]), &Value::Null)
    );
    assert_eq!(nut["motions"][0]["pitch"], 0.125);
    assert_eq!(follower["mimic"], json!({ "joint": "spinner", "multiplier": -2.0, "offset": 0.5 }));
}
