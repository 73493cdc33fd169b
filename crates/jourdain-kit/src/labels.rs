//! What the numbers of a robot's position and velocity are called, and their units.

use jourdain::Model;
use jourdain::model::{Link, Motion, Screw};

/// A number's name and unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The name.
    pub name: String,
    /// `rad`, `m`, or empty for a part of a quaternion.
    pub unit: &'static str,
}

/// The numbers of `q`: the joint's name, with a suffix where a joint has several.
pub fn positions(model: &Model<f64>) -> Vec<Label> {
    const QUATERNION: [&str; 4] = ["qw", "qx", "qy", "qz"];
    labels(model, |link| match &link.joint.motion {
        Motion::Product(screws) => of_screws(screws),
        Motion::Spherical { .. } => QUATERNION.map(|part| (part.to_owned(), "")).to_vec(),
        Motion::Free => {
            let place = ["x", "y", "z"].map(|part| (part.to_owned(), "m"));
            place.into_iter().chain(QUATERNION.map(|part| (part.to_owned(), ""))).collect()
        }
    })
}

/// The numbers of the velocity; units are those of the position, per second.
pub fn velocities(model: &Model<f64>) -> Vec<Label> {
    let turning = || ["wx", "wy", "wz"].map(|part| (part.to_owned(), "rad"));
    labels(model, |link| match &link.joint.motion {
        Motion::Product(screws) => of_screws(screws),
        Motion::Spherical { .. } => turning().to_vec(),
        Motion::Free => ["vx", "vy", "vz"].map(|part| (part.to_owned(), "m")).into_iter().chain(turning()).collect(),
    })
}

fn labels(model: &Model<f64>, parts: impl Fn(&Link<f64>) -> Vec<(String, &'static str)>) -> Vec<Label> {
    let mut labels = Vec::new();
    for link in model.links().iter().filter(|link| link.mimic.is_none()) {
        let parts = parts(link);
        let single = parts.len() == 1;
        labels.extend(parts.into_iter().map(|(part, unit)| {
            let name = if single { link.joint_name.clone() } else { format!("{}.{part}", link.joint_name) };
            Label { name, unit }
        }));
    }
    labels
}

fn of_screws(screws: &[Screw<f64>]) -> Vec<(String, &'static str)> {
    let unit = |screw: &Screw<f64>| if matches!(screw, Screw::Translation { .. }) { "m" } else { "rad" };
    screws.iter().zip(1..).map(|(screw, number)| (number.to_string(), unit(screw))).collect()
}

/// The units that occur, for the axis of a plot: `rad`, `rad, m`, ….
pub fn units(labels: &[Label], suffix: &str) -> String {
    let mut units: Vec<&str> = Vec::new();
    for unit in labels.iter().map(|label| label.unit).filter(|unit| !unit.is_empty()) {
        if !units.contains(&unit) {
            units.push(unit);
        }
    }
    units.iter().map(|unit| format!("{unit}{suffix}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_name_and_a_unit() {
        let model = jourdain::robots::load("floating_humanoid25").unwrap();
        let (q, w) = (positions(&model), velocities(&model));
        assert_eq!((q.len(), w.len()), (model.nq(), model.nv()));
        assert_eq!((q[2].name.as_str(), q[2].unit), ("pelvis.z", "m"));
        assert_eq!((q[3].name.as_str(), w[3].name.as_str()), ("pelvis.qw", "pelvis.wx"));
        assert_eq!(
            (q[7].name.as_str(), units(&q, ""), units(&w, "/s")),
            ("torso", "m, rad".into(), "m/s, rad/s".into())
        );
    }
}
