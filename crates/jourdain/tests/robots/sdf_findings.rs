//! What SDF says in odd ways is read as its specification says, and what cannot be read is told: each model here is sound but for one
//! thing.

use jourdain::formats::{self, Format, Reading};
use jourdain::model::description::{Description, JointKind, Orientation, ScrewKind};
use jourdain::model::shape::Form;
use jourdain::model::{Diagnostic, Number};
use std::io::{Error, ErrorKind, Result};
use std::path::Path;

/// Files by name.
struct Texts(Vec<(&'static str, String)>);

impl formats::Files for Texts {
    fn read(&self, path: &Path) -> Result<Vec<u8>> {
        let found = self.0.iter().find(|(name, _)| Path::new(name) == path);
        found.map(|(_, text)| text.clone().into_bytes()).ok_or_else(|| Error::new(ErrorKind::NotFound, "not here"))
    }
}

const MASS: &str = "<inertial><mass>2</mass></inertial>";

fn read_with(inside: &str, files: &[(&'static str, &str)]) -> Reading {
    let text = format!("<sdf version=\"1.11\">\n{inside}</sdf>");
    let files = Texts(files.iter().map(|(name, text)| (*name, (*text).to_owned())).collect());
    formats::read_from(text.as_bytes(), None, Path::new("main.sdf"), &files)
}

/// A model with these parts, and what is told of it.
fn model(parts: &str) -> (Description, Vec<(&'static str, String)>) {
    let reading = read_with(&format!("<model name=\"m\">\n{parts}</model>"), &[]);
    let told = reading.diagnostics.iter().map(|found| (found.code, found.message.clone())).collect();
    (reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)).into_description(), told)
}

/// The first error of a model with these parts.
fn error(parts: &str) -> Diagnostic {
    let reading = read_with(&format!("<model name=\"m\">\n{parts}</model>"), &[]);
    assert!(reading.description.is_none(), "{parts}");
    reading.diagnostics.into_iter().find(Diagnostic::is_error).unwrap()
}

fn link(name: &str) -> String {
    format!("<link name=\"{name}\">{MASS}</link>")
}

fn joint(kind: &str, name: &str, parent: &str, child: &str, more: &str) -> String {
    format!("<joint name=\"{name}\" type=\"{kind}\"><parent>{parent}</parent><child>{child}</child>{more}</joint>")
}

const AXIS: &str = "<axis><xyz>0 1 0</xyz></axis>";

#[test]
fn what_is_no_sdf_is_refused() {
    let reading = formats::read_str("<robot/>", Format::Sdf);
    let found = &reading.diagnostics[0];
    assert_eq!((found.code, found.message.as_str()), ("not-sdf", "the root element is <robot>, not <sdf>"));
    assert_eq!(found.hint.as_deref(), Some("is this an SDF file?"));
}

#[test]
fn names_that_are_taken_are_given_otherwise() {
    // A floating link has a joint of its name, unless another joint is called so.
    let (robot, _) = model(&(link("a") + &link("b") + &joint("revolute", "a", "a", "b", AXIS)));
    assert_eq!(robot.links.iter().map(|link| link.joint.name.as_str()).collect::<Vec<_>>(), ["a_to_world", "a"]);
    let (robot, told) =
        model(&(link("base") + &link("base_frame") + &joint("revolute", "j", "base", "base_frame", AXIS)));
    assert_eq!(robot.links.iter().map(|link| link.name.as_str()).collect::<Vec<_>>(), ["base_frame_", "base_frame"]);
    let message = "the link `base` is called `base_frame_` here, because `base` is the ground";
    assert!(told.contains(&("link-renamed", message.to_owned())), "{told:?}");
}

/// The inverse of a turn about x and then y is one about y and then x.
#[test]
fn a_universal_joint_that_is_gone_through_backwards_turns_in_the_other_order() {
    let axes = "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>";
    let parts = link("a")
        + &link("b")
        + &joint("revolute", "root", "world", "b", AXIS)
        + &joint("universal", "u", "a", "b", axes);
    let (robot, told) = model(&parts);
    assert_eq!(robot.links.iter().map(|link| link.name.as_str()).collect::<Vec<_>>(), ["b", "a"]);
    let JointKind::Composite { sequence } = &robot.links[1].joint.kind else {
        panic!("{:?}", robot.links[1].joint.kind)
    };
    let along = |axis: &[Number; 3]| axis.map(|x| x.value.abs());
    let found: Vec<_> = sequence.iter().map(|screw| (screw.kind, along(&screw.axis))).collect();
    assert_eq!(found, [(ScrewKind::Revolute, [0.0, 1.0, 0.0]), (ScrewKind::Revolute, [1.0, 0.0, 0.0])]);
    let message = "the parent of joint `u` is carried by its child: its coordinates are those of the inverse motion";
    assert_eq!(told, [("joint-reversed", message.to_owned())]);
}

#[test]
fn what_two_angles_cannot_have_is_left_out() {
    let limited = "<limit><lower>-1</lower><upper>1</upper></limit>";
    let axes = format!(
        "<axis><xyz>1 0 0</xyz>{limited}<dynamics><damping>1</damping></dynamics></axis><axis2><xyz>0 1 0</xyz></axis2>"
    );
    let (robot, told) = model(&(link("a") + &joint("universal", "u", "world", "a", &axes)));
    assert!(robot.links[0].joint.limits.is_none());
    let lost = |message: &str| ("not-carried", message.to_owned());
    assert_eq!(
        told,
        [
            lost("the limits of joint `u` are left out: it has 2 angles"),
            lost("the second axis has the friction of the first here"),
        ]
    );
}

#[test]
fn positions_that_are_drawn_are_a_named_state() {
    let axis = "<axis><xyz>0 1 0</xyz><initial_position>.5</initial_position></axis>";
    let (robot, _) = model(
        &(link("a")
            + &link("b")
            + &joint("revolute", "j", "world", "a", axis)
            + &joint("revolute", "k", "a", "b", AXIS)),
    );
    assert_eq!(robot.states.len(), 1);
    assert_eq!(
        (robot.states[0].name.as_str(), &robot.states[0].positions[..]),
        ("initial", &[("j".to_owned(), vec![0.5])][..])
    );
}

#[test]
fn screws_travel_one_metre_per_turn_unless_told() {
    let (robot, told) = model(&(link("a") + &joint("screw", "s", "world", "a", AXIS)));
    let JointKind::Helical { pitch, .. } = robot.links[0].joint.kind else { panic!() };
    assert!((pitch.value * std::f64::consts::TAU - 1.0).abs() < 1e-15, "{pitch:?}");
    let message = "a screw joint without <screw_thread_pitch> travels 1 m per turn";
    assert_eq!(told, [("missing-pitch", message.to_owned())]);
    let found =
        error(&(link("a") + &joint("screw", "s", "world", "a", &format!("{AXIS}<thread_pitch>0</thread_pitch>"))));
    assert_eq!(
        (found.code, found.message.as_str()),
        ("zero-pitch", "a <thread_pitch> of zero radians per metre is no thread")
    );
}

#[test]
fn links_without_numbers_are_counted() {
    let bare = ["a", "b", "c"].map(|name| format!("<link name=\"{name}\"/>")).concat();
    for (count, ending) in [(1, ""), (2, " and one more link"), (3, " and 2 more links")] {
        let links: String = bare.split_inclusive("/>").take(count).collect();
        let (_, told) = model(&links);
        assert!(told.iter().any(|(_, message)| message.contains(&format!("`a`{ending} "))), "{told:?}");
    }
}

/// A tetrahedron of 1/6 m³, whose corners lie at the origin and one metre along the axes.
const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

fn shaped(mesh: &str, pose: &str) -> String {
    format!(
        "<model name=\"m\"><frame name=\"f\"><pose>0 0 2 0 0 0</pose></frame><link name=\"a\"><inertial auto=\"true\">\
         <density>6</density></inertial><collision name=\"c\">{pose}<geometry>{mesh}</geometry></collision></link></model>"
    )
}

#[test]
fn inertia_comes_from_scaled_meshes_and_shapes_in_other_frames() {
    let files = [("body.obj", TETRAHEDRON)];
    let mesh = |scale: &str| format!("<mesh><uri>body.obj</uri>{scale}</mesh>");
    let far = "<pose relative_to=\"f\">0 1 0 0 0 0</pose>";
    for (mesh, pose, mass, com) in [
        (mesh(""), "", 1.0, [0.25, 0.25, 0.25]),
        (mesh("<scale>2 1 3</scale>"), "", 6.0, [0.5, 0.25, 0.75]),
        // A mirror turns faces inside out, and mass stays mass.
        (mesh("<scale>-2 1 1</scale>"), "", 2.0, [-0.5, 0.25, 0.25]),
        (mesh(""), far, 1.0, [0.25, 1.25, 2.25]),
        ("<box><size>1 2 .5</size></box>".to_owned(), far, 6.0, [0.0, 1.0, 2.0]),
    ] {
        let reading = read_with(&shaped(&mesh, pose), &files);
        let robot = reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)).into_description();
        let link = &robot.links[0];
        assert!((link.mass.value - mass).abs() < 1e-14 * mass, "{mesh}: {:?}", link.mass);
        let off = link.com.iter().zip(com).map(|(a, b)| (a.value - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-14, "{mesh}: {:?}", link.com);
    }
}

#[test]
fn shapes_without_inertia_are_refused() {
    let files = [("body.obj", TETRAHEDRON)];
    let part = "<mesh><uri>body.obj</uri><submesh><name>hull</name></submesh></mesh>";
    let nowhere = "<pose relative_to=\"nowhere\"/>";
    for (mesh, pose, code, message) in [
        (part, "", "unsupported-element", "inertia cannot be had from a part of a mesh"),
        (
            "<mesh><uri>other.obj</uri></mesh>",
            "",
            "cannot-read",
            "the mesh `other.obj`, needed for the link's inertia: there is no such file",
        ),
        ("<image><uri>a.png</uri></image>", "", "unsupported-element", "inertia cannot be had from <image>"),
        ("<sphere/>", "", "missing-element", "<sphere> has no <radius>"),
        ("<box><size>1 1 0</size></box>", "", "geom-size", "the sizes of <box> must be positive"),
        (
            "<plane/>",
            "",
            "no-shapes",
            "auto=\"true\" takes the inertia from collision shapes, and there is none with a volume",
        ),
        ("<sphere><radius>1</radius></sphere>", nowhere, "unknown-frame", "there is no frame `nowhere`"),
    ] {
        let reading = read_with(&shaped(mesh, pose), &files);
        let found = reading.diagnostics.iter().find(|found| found.is_error()).unwrap();
        assert_eq!((found.code, found.message.as_str()), (code, message), "{mesh}");
    }
}

#[test]
fn shapes_that_show_a_link_are_read_as_far_as_they_are_understood() {
    let visual =
        |pose: &str, geometry: &str| format!("<visual name=\"v\">{pose}<geometry>{geometry}</geometry></visual>");
    let ball = "<sphere><radius>.5</radius></sphere>";
    let visuals = visual("", "<mesh><uri>a.stl</uri></mesh>")
        + &visual("<pose rotation_format=\"quat_xyzw\">1 2 3 0 0 .6 .8</pose>", ball)
        + &visual("<pose degrees=\"true\">0 0 0 90 0 0</pose>", ball)
        // Not understood, and left out.
        + &visual("<pose rotation_format=\"quat_wxyz\">1 2 3 1 0 0 0</pose>", ball)
        + &visual("", "<polyline/>");
    let (robot, _) = model(&format!("<link name=\"a\">{MASS}{visuals}</link>"));
    let shapes = &robot.links[0].shapes;
    assert_eq!(shapes.len(), 3);
    assert_eq!(shapes[0].form, Form::mesh("a.stl", [1.0; 3]).unwrap());
    assert_eq!(shapes[1].xyz.map(|x| x.value), [1.0, 2.0, 3.0]);
    let Orientation::Quaternion(turned) = shapes[1].orientation else { panic!("{:?}", shapes[1]) };
    assert_eq!(turned.map(|x| x.value), [0.8, 0.0, 0.0, 0.6]);
    let Orientation::Rpy([roll, ..]) = shapes[2].orientation else { panic!("{:?}", shapes[2]) };
    assert!((roll.value - std::f64::consts::FRAC_PI_2).abs() < 1e-15, "{roll:?}");
}

/// A joint may hold on to a frame, and that to the model or to another joint: the link that carries it all moves.
#[test]
fn frames_lead_to_the_link_they_are_fixed_to() {
    for (frame, parent) in [
        ("<frame name=\"f\"/>", "f"),
        ("<frame name=\"f\" attached_to=\"j\"/>", "f"),
        ("<frame name=\"f\" attached_to=\"__model__\"/><frame name=\"g\" attached_to=\"f\"/>", "g"),
    ] {
        let parts = link("a")
            + &link("b")
            + frame
            + &joint("revolute", "j", "world", "a", AXIS)
            + &joint("revolute", "k", parent, "b", AXIS);
        let (robot, told) = model(&parts);
        assert_eq!(robot.links[1].parent, "a", "{frame}");
        assert_eq!(told, [], "{frame}");
    }
    let empty = "<model name=\"shell\"><frame name=\"x\"/></model>".to_owned();
    let found = error(&(empty + &link("b") + &joint("revolute", "k", "shell::x", "b", AXIS)));
    assert_eq!((found.code, found.message.as_str()), ("no-links", "the model `shell` has no link"));
}

/// A leader may stand in a model inside; a link is no model.
#[test]
fn couplings_that_cannot_be_are_left_out_by_their_reason() {
    let coupled = |leader: &str, axis: &str| {
        format!(
            "<axis><xyz>0 1 0</xyz><mimic joint=\"{leader}\" axis=\"{axis}\"><multiplier>2</multiplier></mimic></axis>"
        )
    };
    let inner = format!("<model name=\"in\">{}{}</model>", link("x"), joint("revolute", "j", "world", "x", AXIS));
    let ball = joint("ball", "ball", "world", "p", "");
    let parts = |leader: &str, axis: &str| {
        inner.clone() + &link("a") + &link("p") + &ball + &joint("revolute", "k", "world", "a", &coupled(leader, axis))
    };
    let (robot, told) = model(&parts("in::j", "axis"));
    let follower = robot.links.iter().find(|link| link.joint.name == "k").unwrap();
    assert_eq!(follower.joint.mimic.as_ref().unwrap().joint, "j");
    assert_eq!(told, []);
    for (leader, axis, why) in [
        ("a::j", "axis", "`a::j` is no joint"),
        ("in::i", "axis", "`in::i` is no joint"),
        ("ball", "axis", "`ball` has not one coordinate"),
        ("in::j", "axis2", "`in::j` has not one coordinate"),
        ("k", "axis", "in the end it would follow itself"),
    ] {
        let (robot, told) = model(&parts(leader, axis));
        assert!(robot.links.iter().all(|link| link.joint.mimic.is_none()), "{leader}");
        assert_eq!(told, [("not-carried", format!("the joint `k` follows none: {why}"))]);
    }
}

#[test]
fn what_is_not_of_sdf_or_is_one_too_many_is_left_out() {
    let (_, told) = model(&format!("{}<drake:linear_bushing_rpy xmlns:drake=\"drake\"/>", link("a")));
    let message = "<drake:linear_bushing_rpy> is left out: only joints of SDF itself are read";
    assert!(told.contains(&("not-carried", message.to_owned())), "{told:?}");
    let world = |name: &str, links: &[&str], still: bool| {
        let model = |name: &&str| {
            format!("<model name=\"{name}\"><static>{}</static>{}</model>", still && *name == "table", link("l"))
        };
        format!("<world name=\"{name}\">\n{}</world>", links.iter().map(model).collect::<String>())
    };
    let reading = read_with(&(world("w", &["a"], false) + &world("v", &["b"], false)), &[]);
    let found = &reading.diagnostics[0];
    assert_eq!((found.code, found.message.as_str()), ("several-worlds", "a second world in the file is left out"));
    assert_eq!(reading.description.unwrap().into_description().links.len(), 1);
    // Scenery, and two robots.
    let reading = read_with(&world("w", &["a", "table", "b"], true), &[]);
    let told: Vec<_> = reading.diagnostics.iter().map(|found| (found.code, found.message.as_str())).collect();
    assert_eq!(
        told,
        [
            ("static-left-out", "static models stand still and are left out: `table`"),
            ("several-models", "2 models are read as one robot, links are called MODEL::LINK: `a`, `b`"),
        ]
    );
    let robot = reading.description.unwrap().into_description();
    assert_eq!(robot.links.iter().map(|link| link.name.as_str()).collect::<Vec<_>>(), ["a::l", "b::l"]);
}

#[test]
fn included_files_that_hold_no_model_are_told() {
    let include = "<world name=\"w\"><include><uri>part</uri></include><model name=\"m\"><link name=\"a\"><inertial><mass>2</mass></inertial></link></model></world>";
    let sdf = |inside: &str| format!("<sdf version=\"1.8\">{inside}</sdf>");
    // Lights and actors come by include as well.
    for harmless in ["<light name=\"l\" type=\"point\"/>", "<actor name=\"walker\"/>"] {
        let reading = read_with(include, &[("part/model.sdf", &sdf(harmless))]);
        assert!(reading.is_ok() && reading.diagnostics.is_empty(), "{:?}", reading.diagnostics);
    }
    let config = "<model><sdf version=\"1.8\">new.sdf</sdf></model>";
    for (files, code, message) in [
        (vec![("part/model.sdf", sdf("<world name=\"w\"/>"))], "no-links", "`part/model.sdf` has no <model>"),
        (vec![("part/model.sdf", "<urdf/>".to_owned())], "not-sdf", "the included file is <urdf>, not <sdf>"),
        (vec![("part/model.config", config.to_owned())], "cannot-read", "there is no file `part/new.sdf`"),
        (
            vec![("part/model.sdf", "<sdf>\n<model>".to_owned())],
            "syntax-error",
            "XML: the root node was opened but never closed",
        ),
    ] {
        let files: Vec<(&'static str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let reading = read_with(include, &files);
        let found = reading.diagnostics.iter().find(|found| found.is_error()).unwrap();
        assert_eq!((found.code, found.message.as_str()), (code, message));
    }
}
