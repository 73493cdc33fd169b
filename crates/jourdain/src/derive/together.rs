//! Several quantities as one program, which computes what they share once.

use super::arguments;
use super::trace::{Derivation, DeriveError, DeriveOptions};
use crate::model::Model;
use crate::quantity::{Input, Quantity};
use crate::workspace::Workspace;
use jourdain_symbolic::expr::{self, Rules};
use jourdain_symbolic::{Expr, Program, Scalar};

/// The program of several quantities of a robot, each under the name of its output.
///
/// All are traced into one graph of expressions, where equal ones are the same: inverse dynamics and its rates together
/// cost no more than the last of them alone.
///
/// # Errors
/// A quantity that the robot does not have.
pub fn derive_together(
    model: &Model,
    quantities: &[(&str, Quantity)],
    options: &DeriveOptions,
) -> Result<Derivation, DeriveError> {
    expr::scope(Rules::default(), || {
        let symbolic = model.map(&mut Expr::from_f64);
        let mut arguments: Vec<(Input, Vec<Expr>)> = Vec::new();
        let mut results = Vec::new();
        for (name, quantity) in quantities {
            let (state, read) = arguments::symbols(&symbolic, quantity.entry(), &options.loaded);
            let mut out = vec![Expr::zero(); quantity.entry().shape.size(model)];
            quantity.evaluate_into(options.path, &symbolic, &state, &mut Workspace::new(&symbolic), &mut out)?;
            results.push((*name, out));
            merge(&mut arguments, read);
        }
        let inputs: Vec<(&str, &[Expr])> =
            arguments.iter().map(|(input, vector)| (input.key(), vector.as_slice())).collect();
        let outputs: Vec<(&str, &[Expr])> = results.iter().map(|(name, out)| (*name, out.as_slice())).collect();
        Ok(Derivation { program: Program::new(&inputs, &outputs)? })
    })
}

/// Adds what one quantity reads; of two vectors of the same name the shorter is the start of the longer.
fn merge(arguments: &mut Vec<(Input, Vec<Expr>)>, read: Vec<(Input, Vec<Expr>)>) {
    for (input, vector) in read {
        match arguments.iter_mut().find(|(other, _)| *other == input) {
            Some((_, known)) if known.len() >= vector.len() => {}
            Some((_, known)) => *known = vector,
            None => arguments.push((input, vector)),
        }
    }
    // The inputs are declared in the order of arguments.
    arguments.sort_by_key(|(input, _)| *input);
}
