//! Running a quantity's formula on symbols.

use super::arguments;
use super::layout::Layout;
use super::parameters::{self, Parameter};
use crate::model::Model;
use crate::parameters::Form;
use crate::quantity::{Inertias, Input, Path, Quantity, QuantityError};
use crate::state::{State, StateError};
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
    /// The links that wrenches act on. Where there are none, quantities that are nothing without wrenches take those of all
    /// links.
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
    /// How a state becomes the inputs.
    pub layout: Layout,
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
    /// A constant of the formulas is not finite.
    #[error(
        "the formulas of `{quantity}` would hold a constant that is no finite number; the farthest from one in the robot is {value:e}, the {parameter} of link `{link}`"
    )]
    NotFinite {
        /// The quantity.
        quantity: String,
        /// The link.
        link: String,
        /// What of it.
        parameter: &'static str,
        /// Its value.
        value: f64,
    },
    /// A symbol is left that is no argument.
    #[error(transparent)]
    Symbol(#[from] jourdain_symbolic::UnknownSymbol),
}

impl Derivation {
    /// What the program reads of a state, one argument after the other; parameters as the robot file gives them.
    ///
    /// # Errors
    /// A vector that does not have the robot's length, and a wrench on a link that the program was not made for.
    pub fn read(&self, state: &State) -> Result<Vec<f64>, StateError> {
        let mut numbers = vec![0.0; self.program.input_count()];
        self.read_into(state, &mut numbers)?;
        Ok(numbers)
    }

    /// As [`read`](Self::read), to a row of the program's length. No allocation.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    ///
    /// # Panics
    /// If the row does not have the program's length.
    pub fn read_into(&self, state: &State, row: &mut [f64]) -> Result<(), StateError> {
        self.read_parameters(row);
        self.layout.gather(state, row)
    }

    /// Parameters stand behind what is read of the state.
    pub(crate) fn read_parameters(&self, row: &mut [f64]) {
        let parameters = &mut row[self.layout.len()..];
        parameters.iter_mut().zip(&self.parameters).for_each(|(to, parameter)| *to = parameter.value);
    }
}

/// Formulas in the graph of the scope they were traced in.
pub(super) struct Traced {
    pub arguments: Vec<(Input, Vec<Expr>)>,
    pub parameters: Vec<Parameter>,
    pub out: Vec<Vec<Expr>>,
    pub loaded: Vec<usize>,
}

/// The links that wrenches act on: those asked for, or all where a quantity is nothing without wrenches and none were.
pub(super) fn loads(model: &Model, quantities: &[Quantity], options: &DeriveOptions) -> Vec<usize> {
    let needed = quantities.iter().any(|quantity| quantity.reads().is_nothing_without_wrenches());
    match options.loaded.is_empty() && needed {
        true => (0..model.links().len()).collect(),
        false => options.loaded.clone(),
    }
}

/// Runs the formulas of quantities on symbols. `exact` takes short decimals as the fractions they are.
pub(super) fn trace(
    model: &Model,
    quantities: &[Quantity],
    options: &DeriveOptions,
    loaded: Vec<usize>,
    exact: bool,
) -> Result<Traced, DeriveError> {
    let (symbolic, parameters) = match options.parameters {
        Parameters::Numeric if exact => (parameters::numeric(model), Vec::new()),
        Parameters::Numeric => (model.map(&mut Expr::from_f64), Vec::new()),
        Parameters::Symbolic => parameters::symbolic(model),
        Parameters::Base if exact => parameters::base(model, Form::Literature),
        Parameters::Base => parameters::base(model, Form::PseudoInertia),
    };
    if options.parameters == Parameters::Numeric {
        quantities.iter().try_for_each(|quantity| quantity.check_somewhere(model))?;
    }
    let (mut arguments, mut results) = (Vec::new(), Vec::with_capacity(quantities.len()));
    for quantity in quantities {
        let entry = quantity.entry();
        if options.parameters == Parameters::Base && entry.inertias == Inertias::Bodies {
            return Err(DeriveError::Regrouped(entry.name));
        }
        let (state, read) = arguments::symbols(&symbolic, quantity.reads(), &loaded);
        let mut out = vec![Expr::zero(); entry.shape.size(model)];
        quantity.evaluate_into(options.path, &symbolic, &state, &mut Workspace::new(&symbolic), &mut out)?;
        results.push(out);
        arguments::merge(&mut arguments, read);
    }
    let roots = || results.concat();
    // Programs are looked through when they are made.
    if exact && expr::reachable(&roots()).iter().any(|node| node.number().is_some_and(|x| !x.to_f64().is_finite())) {
        return Err(not_finite(model, quantities));
    }
    Ok(Traced { arguments, parameters, out: results, loaded })
}

/// Which number of the robot is the likely cause of a constant that is not finite: the one farthest from one.
fn not_finite(model: &Model, quantities: &[Quantity]) -> DeriveError {
    let mut worst = (0.0, 0, "mass", 0.0);
    for (number, link) in model.links().iter().enumerate() {
        let (inertia, motor) = (&link.inertia, link.motor.as_ref());
        let parts = [
            ("mass", vec![inertia.mass]),
            ("centre of mass", inertia.first_moment.0.to_vec()),
            ("inertia", inertia.rotational.to_array().to_vec()),
            ("place", link.placement.translation.0.to_vec()),
            (
                "motor",
                motor.map_or_else(Vec::new, |motor| {
                    vec![motor.inertia, motor.ratio, motor.viscous, motor.stribeck_speed]
                }),
            ),
        ];
        for (parameter, value) in parts.into_iter().flat_map(|(name, list)| list.into_iter().map(move |x| (name, x))) {
            let distance = if value == 0.0 { 0.0 } else { value.abs().log10().abs() };
            // What is no number is farther than any.
            if distance.is_nan() || distance > worst.0 {
                worst = (distance, number, parameter, value);
            }
        }
    }
    let (_, number, parameter, value) = worst;
    DeriveError::NotFinite {
        quantity: quantities.iter().map(|quantity| quantity.name(model)).collect::<Vec<_>>().join(", "),
        link: model.links().get(number).map_or_else(String::new, |link| link.name.clone()),
        parameter,
        value,
    }
}

/// The elements of a quantity as expressions of the current graph: over the symbols `q[0]`, `qd[0]`, … of the state, and
/// over the [`Parameter`]s' names.
///
/// # Errors
/// A quantity that the robot does not have.
pub fn expressions(model: &Model, quantity: &Quantity, options: &DeriveOptions) -> Result<Vec<Expr>, DeriveError> {
    let quantities = std::slice::from_ref(quantity);
    Ok(trace(model, quantities, options, loads(model, quantities, options), true)?.out.remove(0))
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
    let list: Vec<Quantity> = quantities.iter().map(|(_, quantity)| *quantity).collect();
    derive_loaded(model, quantities, options, loads(model, &list, options))
}

/// As [`derive_together`], with wrenches on these links and no others.
pub(crate) fn derive_loaded(
    model: &Model,
    quantities: &[(&str, Quantity)],
    options: &DeriveOptions,
    loaded: Vec<usize>,
) -> Result<Derivation, DeriveError> {
    // Angles stay apart whatever is asked for: a sum of angles of 10⁸ rad rounds off 10⁻⁸ rad.
    expr::scope(Rules { angle_sums: false, for_numbers: true }, || {
        let list: Vec<Quantity> = quantities.iter().map(|(_, quantity)| *quantity).collect();
        let Traced { arguments, parameters, out, loaded } = trace(model, &list, options, loaded, false)?;
        let named: Vec<Expr> = parameters.iter().map(|parameter| Expr::symbol(&parameter.symbol.text)).collect();
        let read = arguments.iter().filter(|(_, vector)| !vector.is_empty());
        let mut inputs: Vec<(&str, &[Expr])> = read.map(|(input, vector)| (input.key(), vector.as_slice())).collect();
        let reads = arguments.iter().map(|(input, vector)| (*input, vector.len())).collect();
        let layout = Layout::new(model, reads, loaded);
        if !named.is_empty() {
            inputs.push(("parameters", &named));
        }
        let outputs: Vec<(&str, &[Expr])> =
            quantities.iter().zip(&out).map(|((name, _), out)| (*name, out.as_slice())).collect();
        let improve = options.simplify != Simplify::None;
        let passes = Options { factor: improve, fuse: improve };
        let program = Program::with_options(&inputs, &outputs, passes)?;
        if program.constants().iter().any(|constant| !constant.is_finite()) {
            return Err(not_finite(model, &list));
        }
        Ok(Derivation { program, parameters, layout })
    })
}
