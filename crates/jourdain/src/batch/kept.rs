//! Functions that were compiled for one robot, kept for its next batches.
//!
//! Which function a batch runs does not depend on what is kept: the same quantities with wrenches on the same links give the same
//! machine code, so results have the same bits whether it was compiled now or before.

use super::ready::Ready;
use crate::model::Model;
use crate::quantity::Quantity;
use std::sync::{Arc, Mutex, PoisonError};

/// Most functions that are kept; the oldest goes first.
const MOST: usize = 8;

/// Compiled functions of one robot. Clones share what they keep.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    functions: Arc<Mutex<Vec<Arc<Ready>>>>,
}

impl Kept {
    /// The function of these quantities with wrenches on these links, compiled if it was not yet; `None` if it cannot be.
    ///
    /// `model` is the robot that all functions here are of.
    pub(super) fn ready(&self, model: &Model<f64>, quantities: &[Quantity], loaded: Vec<usize>) -> Option<Arc<Ready>> {
        // Who waits here waits for what it needs; a thread that panicked has left whole functions behind.
        let mut functions = self.functions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = functions.iter().find(|own| own.is_of(quantities, &loaded)) {
            return Some(Arc::clone(found));
        }
        let made = Arc::new(Ready::new(model, quantities, loaded)?);
        if functions.len() == MOST {
            functions.remove(0);
        }
        functions.push(Arc::clone(&made));
        Some(made)
    }

    /// How many functions are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.functions.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// True if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Batch, WORTH_COMPILING};
    use super::*;
    use crate::quantity::Path;
    use crate::robots;
    use crate::state::State;

    #[test]
    fn what_is_kept_is_compiled_once_and_changes_no_bit() {
        let model = robots::load("planar2r").unwrap();
        let quantities = ["mass_matrix", "gravity"].map(|name| Quantity::parse(name, &model).unwrap());
        let mut states = vec![State::neutral(&model); WORTH_COMPILING];
        states.iter_mut().enumerate().for_each(|(k, state)| state.q[0] = 0.01 * k as f64);
        let kept = Kept::default();
        let run = |quantities: &[Quantity], states: &[State], kept: &Kept| {
            let (mut batch, mut out) = (Batch::new(quantities, Path::Fast, &model).keeping(kept), Vec::new());
            batch.evaluate_into(states, &mut out, |_| ()).unwrap();
            (out, batch.is_compiled())
        };
        let fresh = run(&quantities, &states, &Kept::default());
        assert!(fresh.1);
        for _ in 0..2 {
            assert_eq!(run(&quantities, &states, &kept), fresh);
            assert_eq!(kept.len(), 1);
        }
        // Few states run by the formulas, whatever is kept: otherwise bits would depend on what was asked before.
        assert!(!run(&quantities, &states[..10], &kept).1);
        for name in ["bias", "inverse_dynamics", "kinetic_energy"] {
            run(&[Quantity::parse(name, &model).unwrap()], &states, &kept.clone());
        }
        assert_eq!(kept.len(), 4);
        let all: Vec<_> =
            (0..2 * MOST).map(|k| [Quantity::parse("gravity", &model).unwrap(); 20][..k + 1].to_vec()).collect();
        all.iter().for_each(|quantities| drop(run(quantities, &states, &kept)));
        assert_eq!(kept.len(), MOST);
    }
}
