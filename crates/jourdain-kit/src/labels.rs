//! What the numbers of a robot's position and velocity are called, and their units.

use jourdain::Model;
use jourdain::model::Coordinate;

/// A number's name and unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The name.
    pub name: String,
    /// `rad`, `m`, or empty for a part of a quaternion.
    pub unit: &'static str,
}

impl From<&Coordinate> for Label {
    fn from(coordinate: &Coordinate) -> Self {
        Self { name: coordinate.to_string(), unit: coordinate.unit.text() }
    }
}

/// The numbers of `q`.
pub fn positions(model: &Model<f64>) -> Vec<Label> {
    model.coordinates().iter().map(Label::from).collect()
}

/// The numbers of the velocity; units are those of the position, per second.
pub fn velocities(model: &Model<f64>) -> Vec<Label> {
    model.velocities().iter().map(Label::from).collect()
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
