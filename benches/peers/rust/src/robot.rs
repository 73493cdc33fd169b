//! A robot with the states it is measured at, written where the peers can read them.

use crate::timing::COUNT;
use crate::tree::Tree;
use jourdain::Model;
use jourdain::model::description::{Description, InertiaDescription, JointKind, LinkDescription, standard_gravity};
use jourdain::state::State;
use std::error::Error;
use std::path::{Path, PathBuf};

/// A built-in robot, without motors and friction, which the peers do not have, without frames such as a tool's, and under
/// standard gravity, the only one that dynibo knows.
pub struct Robot {
    pub name: String,
    pub model: Model,
    pub tree: Tree,
    pub states: Vec<State>,
    /// Files for the peers.
    pub model_file: PathBuf,
    pub state_file: PathBuf,
}

impl Robot {
    /// # Errors
    /// If there is no such robot, or the peers cannot hold it.
    pub fn load(name: &str, directory: &Path) -> Result<Self, Box<dyn Error>> {
        let builtin = jourdain::robots::find(name).ok_or_else(|| format!("no built-in robot {name}"))?;
        let (robot, _) = builtin.read().into_result(name)?;
        let mut description = robot.into_description();
        description.links.iter_mut().for_each(|link| link.motor = None);
        description.gravity = standard_gravity();
        drop_frames(&mut description);
        let model = Model::from_description(&description)?;
        let tree = Tree::new(&model)?;
        let states = random_states(&model);
        let (model_file, state_file) =
            (directory.join(format!("{name}.model")), directory.join(format!("{name}.states")));
        std::fs::write(&model_file, tree.to_text())?;
        std::fs::write(&state_file, tree.states_to_text(&states))?;
        Ok(Self { name: name.to_owned(), model, tree, states, model_file, state_file })
    }
}

/// Drops fixed links without mass that carry nothing. They change no value, but jourdain's regressor has columns for
/// them, and the peers', who add fixed links to the bodies that carry them, has not.
fn drop_frames(description: &mut Description) {
    let massless = |link: &LinkDescription| {
        let (InertiaDescription::AboutCom(elements)
        | InertiaDescription::AboutOrigin(elements)
        | InertiaDescription::AboutComRotated { elements, .. }) = link.inertia;
        link.mass.value == 0.0 && elements.iter().all(|element| element.value == 0.0)
    };
    let links = &mut description.links;
    let is_frame = |links: &[LinkDescription], link: &LinkDescription| {
        link.joint.kind == JointKind::Fixed && massless(link) && links.iter().all(|other| other.parent != link.name)
    };
    // A frame may carry another.
    while let Some(index) = links.iter().position(|link| is_frame(links, link)) {
        links.remove(index);
    }
}

/// Positions up to 3 from neutral, all else in [-1, 1), but torques ten times that.
fn random_states(model: &Model) -> Vec<State> {
    let mut states = jourdain::bench::random_states(model, COUNT);
    states.iter_mut().flat_map(|state| &mut state.tau).for_each(|torque| *torque *= 10.0);
    states
}
