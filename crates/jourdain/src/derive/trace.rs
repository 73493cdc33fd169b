//! Running a quantity's formula on symbols.

use super::arguments;
use super::parameters::{self, Parameter};
use crate::model::Model;
use crate::parameters::Form;
use crate::quantity::{Input, Kind, Path, Quantity, QuantityError};
use crate::state::State;
use crate::workspace::Workspace;
use jourdain_symbolic::expr::{self, Rules};
use jourdain_symbolic::{Expr, Options, Program, Scalar};

/// What the constants of the robot are in a formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parameters {
    /// Numbers, folded into the formula.
    #[default]
    Numeric,
    /// Named inputs: masses, lengths, inertias, drives.
    Symbolic,
    /// Named inputs: the base parameters, in the form that takes fewest operations; in the literature's form where
    /// equations are to be read. Garofalo's Coriolis matrix is then that of the regrouped robot.
    Base,
}

/// How much is simplified beyond what building an expression does by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Simplify {
    /// Nothing: operations as the algorithm makes them.
    None,
    /// Common multiplicands taken out, products joined with sums; formulas of small robots multiplied out and collected.
    #[default]
    Standard,
    /// Also sums of angles of parallel axes as one angle; formulas of larger robots multiplied out.
    Full,
}

/// What to derive.
#[derive(Clone, Debug, Default)]
pub struct DeriveOptions {
    /// Which of the two formulas.
    pub path: Path,
    /// The links that wrenches act on.
    pub loaded: Vec<usize>,
    /// Numbers or symbols.
    pub parameters: Parameters,
    /// How much is simplified.
    pub simplify: Simplify,
}

/// A quantity as a program.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The program: its inputs are the vectors of the state that the quantity reads, then `parameters` if there are any;
    /// its output is the quantity, row-major.
    pub program: Program,
    /// The parameters, in the order of the input of that name.
    pub parameters: Vec<Parameter>,
}

/// Why there is no formula.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DeriveError {
    /// The quantity cannot be computed for this robot.
    #[error(transparent)]
    Quantity(#[from] QuantityError),
    /// The quantity belongs to bodies, not to the motion.
    #[error(
        "`{0}` depends on where each mass is, which base parameters do not say; derive it with numeric or symbolic parameters"
    )]
    Regrouped(&'static str),
    /// A symbol is left that is no argument.
    #[error(transparent)]
    Symbol(#[from] jourdain_symbolic::UnknownSymbol),
}

impl Derivation {
    /// What the program reads of a state, one argument after the other; parameters as the robot file gives them.
    #[must_use]
    pub fn read(&self, state: &State) -> Vec<f64> {
        let mut numbers = Vec::with_capacity(self.program.input_count());
        for argument in self.program.inputs() {
            let end = numbers.len() + argument.length;
            match Input::from_key(&argument.name) {
                Some(input) => numbers.extend(arguments::numbers(input, state)),
                None => numbers.extend(self.parameters.iter().map(|parameter| parameter.value)),
            }
            // What a state leaves out is zero; what it has beyond the argument is not read.
            numbers.resize(end, 0.0);
        }
        numbers
    }
}

/// Formulas in the graph of the scope they were traced in.
pub(super) struct Traced {
    pub arguments: Vec<(Input, Vec<Expr>)>,
    pub parameters: Vec<Parameter>,
    pub out: Vec<Vec<Expr>>,
}

/// Runs the formulas of quantities on symbols. `exact` takes short decimals as the fractions they are.
pub(super) fn trace(
    model: &Model,
    quantities: &[Quantity],
    options: &DeriveOptions,
    exact: bool,
) -> Result<Traced, DeriveError> {
    let (symbolic, parameters) = match options.parameters {
        Parameters::Numeric if exact => (parameters::numeric(model), Vec::new()),
        Parameters::Numeric => (model.map(&mut Expr::from_f64), Vec::new()),
        Parameters::Symbolic => parameters::symbolic(model),
        Parameters::Base if exact => parameters::base(model, Form::Literature),
        Parameters::Base => parameters::base(model, Form::PseudoInertia),
    };
    let (mut arguments, mut results) = (Vec::new(), Vec::with_capacity(quantities.len()));
    for quantity in quantities {
        let entry = quantity.entry();
        let of_bodies =
            matches!(entry.kind, Kind::Com | Kind::ComJacobian | Kind::ComJacobianDot | Kind::PotentialEnergy);
        if options.parameters == Parameters::Base && of_bodies {
            return Err(DeriveError::Regrouped(entry.name));
        }
        let (state, read) = arguments::symbols(&symbolic, quantity.entry(), &options.loaded);
        let mut out = vec![Expr::zero(); quantity.entry().shape.size(model)];
        quantity.evaluate_into(options.path, &symbolic, &state, &mut Workspace::new(&symbolic), &mut out)?;
        results.push(out);
        arguments::merge(&mut arguments, read);
    }
    Ok(Traced { arguments, parameters, out: results })
}

/// The elements of a quantity as expressions of the current graph: over the symbols `q[0]`, `qd[0]`, … of the state, and
/// over the [`Parameter`]s' names.
///
/// # Errors
/// A quantity that the robot does not have.
pub fn expressions(model: &Model, quantity: &Quantity, options: &DeriveOptions) -> Result<Vec<Expr>, DeriveError> {
    Ok(trace(model, std::slice::from_ref(quantity), options, true)?.out.remove(0))
}

/// The program of a quantity of a robot; its output is called `out`.
///
/// # Errors
/// A quantity that the robot does not have.
pub fn derive(model: &Model, quantity: &Quantity, options: &DeriveOptions) -> Result<Derivation, DeriveError> {
    derive_together(model, &[("out", *quantity)], options)
}

/// One program of several quantities of a robot, each under the name of its output.
///
/// All are traced into one graph, where equal expressions are one: inverse dynamics and its rates together cost little
/// more than the last of them alone.
///
/// # Errors
/// A quantity that the robot does not have.
pub fn derive_together(
    model: &Model,
    quantities: &[(&str, Quantity)],
    options: &DeriveOptions,
) -> Result<Derivation, DeriveError> {
    expr::scope(Rules { angle_sums: options.simplify == Simplify::Full }, || {
        let list: Vec<Quantity> = quantities.iter().map(|(_, quantity)| *quantity).collect();
        let Traced { arguments, parameters, out } = trace(model, &list, options, false)?;
        let named: Vec<Expr> = parameters.iter().map(|parameter| Expr::symbol(&parameter.symbol.text)).collect();
        let mut inputs: Vec<(&str, &[Expr])> =
            arguments.iter().map(|(input, vector)| (input.key(), vector.as_slice())).collect();
        if !named.is_empty() {
            inputs.push(("parameters", &named));
        }
        let outputs: Vec<(&str, &[Expr])> =
            quantities.iter().zip(&out).map(|((name, _), out)| (*name, out.as_slice())).collect();
        let improve = options.simplify != Simplify::None;
        let passes = Options { factor: improve, fuse: improve };
        Ok(Derivation { program: Program::with_options(&inputs, &outputs, passes)?, parameters })
    })
}
