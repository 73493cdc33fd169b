//! `jourdain flexible modes`: frequencies, shapes and integrals of the links' modes.

use super::{ArmArguments, build, lists};
use crate::failure::Failure;
use crate::numbers;
use crate::output::{FAINT, HEADING, Output};
use crate::plot::{self, Curve, Panel};
use jourdain::flexible::modes::Mode;
use jourdain::flexible::{ArmDescription, BuiltArm, Payload, boundary};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Modes of each link: frequencies, shapes at the end, integrals
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A mode belongs to a clamped beam that carries what is outboard at its end. Shapes are scaled so that \
                        the kinetic energy of beam and body is that of the beam's mass, and bend upwards at the clamp."
)]
pub struct Arguments {
    #[command(flatten)]
    arm: ArmArguments,

    /// Add constants, nodes, cross moments and boundaries to the JSON document
    #[arg(long)]
    details: bool,

    /// Frequencies at these multiples of the payload instead
    #[arg(
        long,
        value_name = "X,…",
        value_delimiter = ',',
        conflicts_with = "configurations",
        allow_negative_numbers = true
    )]
    payload_scales: Option<Vec<f64>>,

    /// Frequencies with the bodies at the links' ends taken at these joint angles instead
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    configurations: Option<String>,

    /// Draw the mode shapes as SVG
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    let description = arguments.arm.describe()?;
    if let Some(rows) = variants(arguments, &description)? {
        return table(arguments, &rows, output);
    }
    let built = build(&description, &arguments.arm.arm)?;
    if let Some(path) = &arguments.plot {
        draw(path, &built)?;
    }
    if output.is_json() {
        output.json(&to_json(&built, arguments.details, &description))?;
    } else {
        output.text(&to_text(&built))?;
    }
    Ok(0)
}

/// The arms of a frequency table, each with what it is called.
fn variants(
    arguments: &Arguments,
    description: &ArmDescription,
) -> Result<Option<Vec<(Value, ArmDescription)>>, Failure> {
    if let Some(scales) = &arguments.payload_scales {
        let payload = description.payload;
        let scaled = |&scale: &f64| {
            let payload = Payload { mass: scale * payload.mass, inertia: scale * payload.inertia };
            (json!(scale), ArmDescription { payload, ..description.clone() })
        };
        return Ok(Some(scales.iter().map(scaled).collect()));
    }
    let Some(text) = &arguments.configurations else { return Ok(None) };
    let rows = lists(text, "--configurations")?.into_iter();
    let stated = |angles: Vec<f64>| {
        (json!(angles), ArmDescription { boundary_configuration: Some(angles), ..description.clone() })
    };
    Ok(Some(rows.map(stated).collect()))
}

fn table(arguments: &Arguments, rows: &[(Value, ArmDescription)], output: &Output) -> Result<u8, Failure> {
    let what = if arguments.payload_scales.is_some() { "payload_scale" } else { "configuration" };
    let mut found = Vec::new();
    for (name, description) in rows {
        found.push((name, build(description, &arguments.arm.arm)?));
    }
    if output.is_json() {
        let rows = found.iter().map(|(name, built)| {
            let links = built.modes.iter().map(|modes| modes.iter().map(Mode::frequency).collect::<Vec<_>>());
            json!({ what: name, "frequencies_hz": links.collect::<Vec<_>>() })
        });
        output.json(&json!({ "table": rows.collect::<Vec<_>>() }))?;
        return Ok(0);
    }
    let heading = |built: &BuiltArm| {
        let names = built.arm.coordinate_names().into_iter().skip(built.arm.joints());
        let names = names.map(|name| format!("{} [Hz]", name.replace("delta", "f")));
        std::iter::once(what.replace('_', " ")).chain(names).collect::<Vec<_>>()
    };
    let mut lines: Vec<Vec<String>> = found.first().map(|(_, built)| heading(built)).into_iter().collect();
    for (name, built) in &found {
        let hertz = built.modes.iter().flatten().map(|mode| format!("{:.6}", mode.frequency()));
        lines.push(std::iter::once(name.to_string()).chain(hertz).collect());
    }
    output.text(&numbers::align_right(&lines).join("\n"))?;
    Ok(0)
}

fn to_json(built: &BuiltArm, details: bool, description: &ArmDescription) -> Value {
    let links = built.modes.iter().enumerate().map(|(i, modes)| {
        let of = |mode: &Mode| {
            let mut value = json!({
                "beta": mode.beta,
                "omega": mode.omega,
                "frequency_hz": mode.frequency(),
                "phi_e": mode.tip,
                "dphi_e": mode.tip_slope,
                "v": mode.v,
                "w": mode.w,
            });
            if details {
                let [c1, c2] = mode.constants();
                value["C1"] = json!(c1);
                value["C2"] = json!(c2);
                value["k"] = json!(mode.stiffness);
                value["nodes"] = json!(mode.nodes());
            }
            value
        };
        let mut link = json!({ "modes": modes.iter().map(of).collect::<Vec<_>>() });
        if details {
            let at = built.boundaries[i];
            let (constants, m) = (&built.arm.links()[i], modes.len());
            link["boundary"] = json!({ "mass": at.mass, "inertia": at.inertia, "mass_distance": at.mass_distance });
            link["z"] = json!(constants.z.chunks(m.max(1)).collect::<Vec<_>>());
            let straight = boundary::outboard(description, i, &vec![0.0; built.arm.joints()]);
            link["outboard_stretched"] =
                json!({ "mass": straight.mass, "inertia": straight.inertia, "mass_distance": straight.mass_distance });
        }
        link
    });
    json!({ "links": links.collect::<Vec<_>>() })
}

fn to_text(built: &BuiltArm) -> String {
    let mut lines = vec![format!("{HEADING}{}{HEADING:#}", built.arm.name())];
    for (i, (modes, at)) in built.modes.iter().zip(&built.boundaries).enumerate() {
        lines.push(format!(
            "\nlink {} {FAINT}carries {} kg, {} kg m² about its end, {} kg m along it{FAINT:#}",
            i + 1,
            numbers::short(at.mass),
            numbers::short(at.inertia),
            numbers::short(at.mass_distance)
        ));
        if modes.is_empty() {
            lines.push("  rigid".to_owned());
            continue;
        }
        let mut rows = vec![
            ["mode", "f [Hz]", "ω [rad/s]", "β [1/m]", "φ_e", "φ'_e [1/m]", "v [kg]", "w [kg m]", "nodes x/ℓ"]
                .map(str::to_owned)
                .to_vec(),
        ];
        for (j, mode) in modes.iter().enumerate() {
            let length = built.arm.links()[i].length;
            let nodes: Vec<String> = mode.nodes().iter().map(|x| format!("{:.3}", x / length)).collect();
            let mut row = vec![(j + 1).to_string()];
            let cells = [mode.frequency(), mode.omega, mode.beta, mode.tip, mode.tip_slope, mode.v, mode.w];
            row.extend(cells.map(|x| format!("{x:.6}")));
            row.push(if nodes.is_empty() { "–".to_owned() } else { nodes.join(" ") });
            rows.push(row);
        }
        lines.extend(numbers::align_right(&rows).into_iter().map(|line| format!("  {line}")));
    }
    lines.join("\n")
}

/// As Figs. 2–4: the shapes of each link over the place on it.
fn draw(path: &Path, built: &BuiltArm) -> Result<(), Failure> {
    let x: Vec<f64> = (0..=200).map(|k| f64::from(k) / 200.0).collect();
    let panels: Vec<Panel> = built
        .modes
        .iter()
        .enumerate()
        .filter(|(_, modes)| !modes.is_empty())
        .map(|(i, modes)| {
            let length = built.arm.links()[i].length;
            let curve = |(j, mode): (usize, &Mode)| Curve {
                name: format!("φ{}{}  {:.2} Hz", i + 1, j + 1, mode.frequency()),
                values: x.iter().map(|x| mode.at(x * length) * length).collect(),
            };
            Panel {
                axis: format!("({}) link {}: φ ℓ [m]", char::from(b'a' + (i % 26) as u8), i + 1),
                curves: modes.iter().enumerate().map(curve).collect(),
            }
        })
        .collect();
    plot::stacked(path, &format!("{}: mode shapes", built.arm.name()), "x/ℓ", &x, &panels)
}
