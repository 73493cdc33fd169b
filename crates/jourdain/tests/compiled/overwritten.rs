//! What is written into memory of the caller does not depend on what was in it.

use crate::common::random_tree::for_each_tree;
use jourdain::Workspace;
use jourdain::quantity::{Path, Quantity};

#[test]
fn numbers_that_were_there_before_leave_no_trace() {
    for_each_tree(12, 7, |model, state| {
        let mut workspace = Workspace::new(model);
        for quantity in Quantity::each(model.links().len() - 1) {
            for path in [Path::Fast, Path::Closed] {
                let Ok(expected) = quantity.evaluate(path, model, state, &mut workspace) else { continue };
                let mut out = vec![1e9; expected.len()];
                quantity.evaluate_into(path, model, state, &mut workspace, &mut out).unwrap();
                assert_eq!(out, expected, "{quantity:?} {path:?}");
            }
        }
    });
}
