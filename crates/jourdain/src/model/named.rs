//! Positions that a robot's file gives a name to, as positions of the model.

use super::Model;

impl Model<f64> {
    /// The names of the robot's named positions, such as `home`, in the order of its file.
    pub fn state_names(&self) -> impl Iterator<Item = &str> {
        self.description().states.iter().map(|state| state.name.as_str())
    }

    /// The position of a name, in the order of `q`. Joints that it does not give are neutral, and those that have no numbers
    /// of their own (welded since, or coupled) are passed over.
    #[must_use]
    pub fn named_position(&self, name: &str) -> Option<Vec<f64>> {
        let state = self.description().states.iter().find(|state| state.name == name)?;
        let mut q = self.neutral();
        for (joint, numbers) in &state.positions {
            let Some(link) = self.joint_index(joint).map(|link| &self.links()[link]) else { continue };
            if link.mimic.is_none() && link.joint.nq() == numbers.len() {
                q[link.q..link.q + numbers.len()].copy_from_slice(numbers);
            }
        }
        Some(q)
    }
}
