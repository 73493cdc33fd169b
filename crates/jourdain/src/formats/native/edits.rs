//! What edits of a robot take from files, in TOML or JSON: motors by the names of their joints, and the inertia of a payload.

use super::super::report::Report;
use super::super::source::Source;
use super::super::{Format, limits, suggest, too_large};
use super::link::{read_inertial, read_motor};
use super::table::{Context, Table, shorten};
use super::tree::Node;
use super::{json, toml};
use crate::model::description::{Description, LinkDescription, Places};
use crate::model::{Diagnostic, Edit, Payload};

/// Motors for joints of a robot: a table for each joint, by its name or its link's, with the keys of `motor` in a robot file. What a
/// table leaves out stays as the robot has it. Names of `gone`, joints that the robot has no longer, are let pass.
///
/// ```
/// let robot = jourdain::robots::find("planar2r").and_then(|robot| robot.read().description).unwrap();
/// let joint = &robot.links[0].joint.name;
/// let text = format!("[{joint}]\ninertia = 1e-4\nratio = 100\nstiffness = 5000");
/// let motors = jourdain::formats::read_motors(&text, &robot, &[]).unwrap();
/// let elastic = robot.into_description().edit(&[motors])?;
/// assert!(elastic.description.links[0].motor.unwrap().stiffness.is_some());
/// # Ok::<(), jourdain::model::EditError>(())
/// ```
///
/// # Errors
/// Everything that is wrong with the text, unknown joints among it.
pub fn read_motors(text: &str, robot: &Description, gone: &[String]) -> Result<Edit, Vec<Diagnostic>> {
    read(text, |node, context| {
        let table = Table::new(node, "a file of motors", context)?;
        let mut motors = Vec::new();
        for entry in table.entries() {
            let by_joint = robot.links.iter().find(|link| link.joint.name == entry.key);
            let Some(link) = by_joint.or_else(|| robot.links.iter().find(|link| link.name == entry.key)) else {
                if !gone.contains(&entry.key) && !context.report.is_full() {
                    let names: Vec<&str> = robot.links.iter().map(|link| link.joint.name.as_str()).collect();
                    let message = format!("there is no joint `{}`", shorten(&entry.key));
                    let place = context.source.locate(entry.key_range.clone());
                    let finding = Diagnostic::error("unknown-joint", message).at(place);
                    context.report.push(finding.hint(suggest::hint(&entry.key, &names)));
                }
                continue;
            };
            context.report.concerning(Some(&link.name), Some(&link.joint.name));
            if let Some(motor) = Table::new(&entry.node, "a motor", context) {
                let motor = read_motor(motor, link.motor.unwrap_or_default(), &mut Places::default(), context);
                motors.push((link.joint.name.clone(), motor));
            }
            context.report.concerning(None, None);
        }
        Some(Edit::Motors { motors })
    })
}

/// A payload: `mass`, `com` and `inertia` or `inertia_origin`, as of a link in a robot file, in the frame of the link that carries
/// it.
///
/// ```
/// let text = "mass = 1.5\ncom = [0, 0, 0.1]\ninertia = [0.01, 0, 0, 0.01, 0, 0.005]";
/// assert_eq!(jourdain::formats::read_payload(text).unwrap().mass.value, 1.5);
/// ```
///
/// # Errors
/// Everything that is wrong with the text.
pub fn read_payload(text: &str) -> Result<Payload, Vec<Diagnostic>> {
    read(text, |node, context| {
        let mut table = Table::new(node, "a payload", context)?;
        table.require("mass", context);
        let mut body = LinkDescription::new("", "");
        read_inertial(&mut table, &mut body, context);
        table.finish(context);
        Some(Payload { mass: body.mass, com: body.com, inertia: body.inertia })
    })
}

fn read<T>(text: &str, take: impl FnOnce(&Node, &mut Context<'_>) -> Option<T>) -> Result<T, Vec<Diagnostic>> {
    if text.len() > limits::MAX_BYTES {
        return Err(vec![too_large()]);
    }
    let source = Source::new(text);
    let node = match Format::of_text(text) {
        Some(Format::Json) => json::parse(&source)?,
        Some(Format::Toml) | None => toml::parse(&source)?,
        Some(_) => {
            let message = "what an edit reads is a TOML or JSON file, not XML";
            return Err(vec![Diagnostic::error("unknown-format", message)]);
        }
    };
    let mut report = Report::default();
    let taken = take(&node, &mut Context { source: &source, report: &mut report });
    let found = report.finish();
    taken.filter(|_| found.is_empty()).ok_or(found)
}
