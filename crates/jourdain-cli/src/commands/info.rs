//! `jourdain info`: what a robot is made of.

use crate::failure::Failure;
use crate::input;
use crate::numbers;
use crate::output::{FAINT, HEADING, Output};
use crate::tree;
use jourdain::model::description::GROUND;
use jourdain::model::{Coordinate, Link, Model};
use jourdain::parameters::base_columns;
use serde_json::{Value, json};

/// Show a robot: its tree of links, joints, masses and totals
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Built-in name, file, or - for native JSON on standard input
    robot: String,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    let model = input::load_robot(&arguments.robot, output)?;
    if output.is_json() {
        output.json(&to_json(&model))?
    } else {
        output.text(&to_text(&model))?
    }
    Ok(0)
}

fn to_json(model: &Model<f64>) -> Value {
    let links: Vec<_> = model.links().iter().map(|link| link_to_json(model, link)).collect();
    json!({
        "name": model.name(),
        "dof": model.nv(),
        "nq": model.nq(),
        "links": links,
        "total_mass": model.total_mass(),
        "base_parameters": base_columns(model).len(),
        "coordinates": coordinates_to_json(&model.coordinates()),
        "velocities": coordinates_to_json(&model.velocities()),
    })
}

fn coordinates_to_json(coordinates: &[Coordinate]) -> Vec<Value> {
    let one = |coordinate: &Coordinate| json!({ "joint": coordinate.joint, "part": coordinate.part.to_string() });
    coordinates.iter().map(one).collect()
}

fn link_to_json(model: &Model<f64>, link: &Link<f64>) -> Value {
    let (nq, dof) = numbers_of(link);
    json!({
        "name": link.name,
        "parent": parent_name(model, link),
        "joint": { "name": link.joint_name, "type": link.joint.kind.name() },
        "dof": dof,
        "nq": nq,
        "mass": link.inertia.mass,
    })
}

/// How many numbers of `q` and of the velocity are the joint's own: none for a coupled joint.
fn numbers_of(link: &Link<f64>) -> (usize, usize) {
    if link.mimic.is_some() { (0, 0) } else { (link.joint.nq(), link.joint.nv()) }
}

fn parent_name<'a>(model: &'a Model<f64>, link: &Link<f64>) -> &'a str {
    link.parent.map_or(GROUND, |parent| &model.links()[parent].name)
}

fn to_text(model: &Model<f64>) -> String {
    let count = |number: usize, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
    let [x, y, z] = model.gravity().0;
    let summary = [
        count(model.nv(), "degree of freedom", "degrees of freedom"),
        count(model.nq(), "position number", "position numbers"),
        count(model.links().len(), "link", "links"),
        count(base_columns(model).len(), "base parameter", "base parameters"),
        format!("{} kg", numbers::short(model.total_mass())),
        format!("gravity {} {} {} m/s²", numbers::short(x), numbers::short(y), numbers::short(z)),
    ];
    let mut rows = vec![["link", "joint", "type", "q", "mass"].map(str::to_owned)];
    rows.push([GROUND, "", "", "", ""].map(str::to_owned));
    for (branch, link) in tree::draw(model) {
        let link = &model.links()[link];
        let joint = if link.joint_name == link.name { String::new() } else { link.joint_name.clone() };
        let mass =
            if link.inertia.mass == 0.0 { String::new() } else { format!("{} kg", numbers::short(link.inertia.mass)) };
        rows.push([
            format!("{branch}{}", link.name),
            joint,
            link.joint.kind.name().to_owned(),
            positions(model, link),
            mass,
        ]);
    }
    // A column that says nothing is left out.
    let used: Vec<_> = (0..5).filter(|&column| rows[1..].iter().any(|row| !row[column].is_empty())).collect();
    let rows: Vec<Vec<_>> = rows.iter().map(|row| used.iter().map(|&column| row[column].as_str()).collect()).collect();
    let lines = numbers::align_left(&rows);
    let (header, body) =
        lines.split_first().map_or((String::new(), String::new()), |(header, body)| (header.clone(), body.join("\n")));
    format!("{HEADING}{}{HEADING:#}: {}\n\n{FAINT}{header}{FAINT:#}\n{body}\n", model.name(), summary.join(", "))
}

/// Where the joint's numbers stand in `q`, or what it is coupled to.
fn positions(model: &Model<f64>, link: &Link<f64>) -> String {
    match (&link.mimic, numbers_of(link).0) {
        (Some(mimic), _) => {
            let leader = &model.links()[mimic.leader].joint_name;
            let offset = if mimic.offset == 0.0 { String::new() } else { format!(" {:+}", mimic.offset) };
            format!("{} {leader}{offset}", numbers::short(mimic.multiplier))
        }
        (None, 0) => String::new(),
        (None, 1) => format!("{}", link.q),
        (None, nq) => format!("{}–{}", link.q, link.q + nq - 1),
    }
}
