//! Running a quantity's formula on symbols.

use super::arguments;
use crate::model::Model;
use crate::quantity::{Path, Quantity, QuantityError};
use crate::workspace::Workspace;
use jourdain_symbolic::expr::{self, Rules};
use jourdain_symbolic::{Expr, Program, Scalar};

/// What to derive.
#[derive(Clone, Debug, Default)]
pub struct DeriveOptions {
    /// Which of the two formulas.
    pub path: Path,
    /// The links that wrenches act on.
    pub loaded: Vec<usize>,
}

/// A quantity as a program.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The program: its inputs are the vectors of the state that the quantity reads, its output is the quantity, row-major.
    pub program: Program,
}

/// Why there is no program.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DeriveError {
    /// The quantity cannot be computed for this robot.
    #[error(transparent)]
    Quantity(#[from] QuantityError),
    /// A symbol is left that is no argument.
    #[error(transparent)]
    Symbol(#[from] jourdain_symbolic::UnknownSymbol),
}

/// The program of a quantity of a robot, all constants folded.
///
/// # Errors
/// A quantity that the robot does not have.
pub fn derive(model: &Model, quantity: &Quantity, options: &DeriveOptions) -> Result<Derivation, DeriveError> {
    expr::scope(Rules::default(), || {
        let symbolic = model.map(&mut Expr::from_f64);
        let (state, arguments) = arguments::symbols(&symbolic, quantity.entry(), &options.loaded);
        let mut out = vec![Expr::zero(); quantity.entry().shape.size(model)];
        quantity.evaluate_into(options.path, &symbolic, &state, &mut Workspace::new(&symbolic), &mut out)?;
        let inputs: Vec<(&str, &[Expr])> =
            arguments.iter().map(|(input, vector)| (input.key(), vector.as_slice())).collect();
        Ok(Derivation { program: Program::new(&inputs, &[("out", &out)])? })
    })
}
