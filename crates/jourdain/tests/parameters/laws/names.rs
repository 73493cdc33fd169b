//! The names of parameters, and how many there are of each kind.

use jourdain::Model;
use jourdain::formats::{self, Format};
use jourdain::parameters::names::{frame_columns, standard_names};
use jourdain::parameters::{BaseParameters, exact_rank};

fn model(text: &str) -> Model {
    let reading = formats::read_str(&format!("name = \"robot\"\n{text}"), Format::Toml);
    Model::from(reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)))
}

const ARM: &str = r#"
[[link]]
name = "a"
joint = { type = "continuous" }
[[link]]
name = "b"
parent = "a"
mass = 2.0
com = [0.1, 0.2, 0.3]
inertia = [1, 0, 0, 1, 0, 1]
joint = { type = "continuous", axis = [0, 1, 0] }
"#;

/// What welded links are called is text, which LaTeX must not take for commands.
#[test]
fn names_of_welded_links_are_upright_and_escaped_in_latex() {
    let written = |name: &str| {
        let name = name.replace('\\', r"\\");
        let robot = model(&format!("{ARM}\n[[link]]\nname = \"{name}\"\nparent = \"b\"\nmass = 1.0"));
        let last = standard_names(&robot).remove(20);
        (last.text(), last.latex())
    };
    assert_eq!(written("tool"), ("m_tool".to_owned(), r"m_{\mathrm{tool}}".to_owned()));
    for (name, latex) in
        [("t_1", r"t\_1"), ("#$%", r"\#\$\%"), ("a&{b}", r"a\&\{b\}"), (r"a\b", r"a\backslash b"), ("a^b~", "a b ")]
    {
        assert_eq!(written(name), (format!("m_{name}"), format!("m_{{\\mathrm{{{latex}}}}}")), "{name}");
    }
}

/// A frame is what is welded on and has no mass; a link that moves is none, nor is a weight.
#[test]
fn frames_are_links_that_neither_move_nor_weigh() {
    let robot = model(&format!(
        "{ARM}\n[[link]]\nname = \"tool\"\nparent = \"b\"\n[[link]]\nname = \"load\"\nparent = \"b\"\nmass = 1.0"
    ));
    let frames: Vec<bool> = frame_columns(&robot).chunks(10).map(|columns| columns.iter().all(|&it| it)).collect();
    assert_eq!(frames, [false, false, true, false]);
    assert_eq!(frame_columns(&robot).iter().filter(|&&it| it).count(), 10);
}

/// Drives of a joint with several numbers have a second number, others none.
#[test]
fn drives_are_numbered_where_a_joint_has_several() {
    let of = |joint: &str| -> Vec<String> {
        let robot = model(&format!(
            "[[link]]\nname = \"a\"\nmass = 1.0\ninertia = [1, 0, 0, 1, 0, 1]\njoint = {{ {joint} }}\nmotor = {{ viscous = 1.0 }}"
        ));
        standard_names(&robot)[10..]
            .iter()
            .filter(|name| name.text().starts_with('F'))
            .map(|name| format!("{} {}", name.text(), name.latex()))
            .collect()
    };
    assert_eq!(of("type = \"continuous\""), [r"Fv1 \mathit{Fv}_{1}", r"Fc1 \mathit{Fc}_{1}"]);
    assert_eq!(
        of("type = \"universal\", axes = [[1, 0, 0], [0, 1, 0]]"),
        [
            r"Fv1_1 \mathit{Fv}_{1,1}",
            r"Fv1_2 \mathit{Fv}_{1,2}",
            r"Fc1_1 \mathit{Fc}_{1,1}",
            r"Fc1_2 \mathit{Fc}_{1,2}"
        ]
    );
}

/// Rotors and friction are no inertial parameters of their link, wherever their columns stand.
#[test]
fn links_are_counted_by_their_inertial_parameters_alone() {
    let turning = |name: &str, parent: &str, axis: &str, motor: &str| {
        format!(
            "[[link]]\nname = \"{name}\"\nparent = \"{parent}\"\nmass = 1.0\ninertia = [1, 0, 0, 1, 0, 1]\n\
             origin = {{ xyz = [0.3, 0.1, 0.2], rpy = [0, 0, 0] }}\njoint = {{ type = \"continuous\", axis = {axis} }}\n{motor}\n"
        )
    };
    let robot = model(
        &[
            turning("a", "base", "[0, 0, 1]", ""),
            turning("b", "a", "[0, 1, 0]", ""),
            turning("c", "b", "[1, 0, 0]", "motor = { inertia = 0.1, viscous = 1.0 }"),
        ]
        .concat(),
    );
    let base = BaseParameters::new(&robot);
    assert_eq!(base.per_link(), [1, 7, 7]);
    assert_eq!(base.kept()[15..].iter().map(|&c| &*base.labels()[c]).collect::<Vec<_>>(), ["Ia_c", "Fv_c", "Fc_c"]);
    assert_eq!(exact_rank(&robot, 3), Some(18));
}

/// Slides that go together at one speed, or at speeds of 1 : 2, with friction that falls over their own speeds.
#[test]
fn friction_that_falls_acts_as_one_where_it_falls_over_the_same_speed() {
    let kept = |multiplier: i32, falls: [f64; 2]| -> Vec<String> {
        let slide = |name: &str, parent: &str, falls: f64, mimic: &str| {
            format!(
                "[[link]]\nname = \"{name}\"\nparent = \"{parent}\"\nmass = 1.0\n\
                 joint = {{ type = \"prismatic\", axis = [1, 0, 0], limits = [-1, 1]{mimic} }}\n\
                 motor = {{ coulomb = 2.0, root = 1.0, stribeck = 1.0, stribeck_speed = {falls} }}\n"
            )
        };
        let mimic = format!(", mimic = {{ joint = \"a\", multiplier = {multiplier} }}");
        let robot = model(&[slide("a", "base", falls[0], ""), slide("b", "a", falls[1], &mimic)].concat());
        let base = BaseParameters::new(&robot);
        assert_eq!(exact_rank(&robot, 3), Some(base.count()), "multiplier {multiplier}, {falls:?}");
        base.kept().iter().map(|&column| base.labels()[column].clone()).filter(|label| label.ends_with("_b")).collect()
    };
    for multiplier in [1, -1] {
        assert!(kept(multiplier, [0.25, 0.25]).is_empty());
        assert_eq!(kept(multiplier, [0.25, 0.5]), ["Fs_b"]);
    }
    assert_eq!(kept(2, [0.25, 0.25]), ["Fc_b", "Fr_b", "Fs_b"]);
}
