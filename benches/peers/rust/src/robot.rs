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
        let (mut description, _) = builtin.read().into_result(name)?;
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
    let mut seed = 42_u64;
    // splitmix64
    let mut uniform = || {
        seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 * 2.0_f64.powi(-52) - 1.0
    };
    let mut vector = |scale: f64| -> Vec<f64> { (0..model.nv()).map(|_| scale * uniform()).collect() };
    let mut state = |_| {
        let mut state = State::neutral(model);
        model.retract(&mut state.q, &vector(3.0));
        (state.qd, state.qdd, state.tau) = (vector(1.0), vector(1.0), vector(10.0));
        (state.qd_r, state.qdd_r) = (vector(1.0), vector(1.0));
        (state.qddd, state.qdddd) = (vector(1.0), vector(1.0));
        state
    };
    (0..COUNT).map(&mut state).collect()
}
