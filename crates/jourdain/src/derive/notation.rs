//! How the state and the quantities are written.

use crate::model::Model;
use crate::quantity::{Kind, Quantity};
use jourdain_symbolic::collect::{Role, Symbol};

/// The symbol of a number of the state, such as `qd[0]`, counted from one in print.
pub(super) fn state_symbol(name: &str, nv: usize) -> Option<Symbol> {
    let (vector, place) = name.strip_suffix(']')?.split_once('[')?;
    let place: usize = place.parse().ok()?;
    let n = place + 1;
    let symbol = |text: String, latex: String, role| Some(Symbol { text, latex, role });
    let motion = |order| Role::Motion { order };
    match vector {
        "q" => symbol(format!("q{n}"), format!("q_{{{n}}}"), Role::Position),
        "qd" => symbol(format!("qd{n}"), format!("\\dot{{q}}_{{{n}}}"), motion(1)),
        "qdd" => symbol(format!("qdd{n}"), format!("\\ddot{{q}}_{{{n}}}"), motion(2)),
        "qddd" => symbol(format!("qddd{n}"), format!("\\dddot{{q}}_{{{n}}}"), motion(3)),
        "qdddd" => symbol(format!("qdddd{n}"), format!("q_{{{n}}}^{{(4)}}"), motion(4)),
        "derivatives" => {
            let (order, n) = (5 + place / nv.max(1), place % nv.max(1) + 1);
            symbol(format!("q{n}_d{order}"), format!("q_{{{n}}}^{{({order})}}"), motion(order))
        }
        "qd_r" => symbol(format!("qd_r{n}"), format!("\\dot{{q}}_{{\\mathrm{{r}},{n}}}"), motion(1)),
        "qdd_r" => symbol(format!("qdd_r{n}"), format!("\\ddot{{q}}_{{\\mathrm{{r}},{n}}}"), motion(2)),
        "tau" => symbol(format!("tau{n}"), format!("\\tau_{{{n}}}"), Role::Parameter),
        "wrenches" => symbol(format!("w{n}"), format!("w_{{{n}}}"), Role::Parameter),
        _ => None,
    }
}

/// The letter of a quantity, in plain text and in LaTeX.
pub(super) fn letter(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::MassMatrix => ("M", "M"),
        Kind::MassMatrixDot => ("Md", "\\dot{M}"),
        Kind::MassMatrixDdot => ("Mdd", "\\ddot{M}"),
        Kind::MassMatrixDq => ("dM_dq", "\\partial_q M"),
        Kind::MassMatrixInverse => ("Minv", "\\bar{M}"),
        Kind::CoriolisMatrix => ("C", "C"),
        Kind::CoriolisMatrixDot => ("Cd", "\\dot{C}"),
        Kind::CoriolisMatrixDdot => ("Cdd", "\\ddot{C}"),
        Kind::CoriolisMatrixDq => ("dC_dq", "\\partial_q C"),
        Kind::CoriolisMatrixDqd => ("dC_dqd", "\\partial_{\\dot{q}} C"),
        Kind::CoriolisChristoffel => ("C", "C"),
        Kind::ChristoffelSymbols => ("Gamma", "\\Gamma"),
        Kind::Gravity => ("g", "g"),
        Kind::GravityDot => ("gd", "\\dot{g}"),
        Kind::GravityDdot => ("gdd", "\\ddot{g}"),
        Kind::GravityDq => ("dg_dq", "\\partial_q g"),
        Kind::InverseDynamics => ("tau", "\\tau"),
        Kind::InverseDynamicsDot => ("taud", "\\dot{\\tau}"),
        Kind::InverseDynamicsDdot => ("taudd", "\\ddot{\\tau}"),
        Kind::InverseDynamicsD3 => ("tau_d3", "\\tau^{(3)}"),
        Kind::InverseDynamicsD4 => ("tau_d4", "\\tau^{(4)}"),
        Kind::InverseDynamicsDq => ("dtau_dq", "\\partial_q \\tau"),
        Kind::InverseDynamicsDqd => ("dtau_dqd", "\\partial_{\\dot{q}} \\tau"),
        Kind::ForwardDynamics => ("qdd", "\\ddot{q}"),
        Kind::ForwardDynamicsDq => ("dqdd_dq", "\\partial_q \\ddot{q}"),
        Kind::ForwardDynamicsDqd => ("dqdd_dqd", "\\partial_{\\dot{q}} \\ddot{q}"),
        Kind::Regressor | Kind::SlotineLiRegressor | Kind::MomentumRegressor | Kind::BaseRegressor => ("Y", "Y"),
        Kind::EnergyRegressor => ("y", "y"),
        Kind::Pose => ("T", "T"),
        Kind::Jacobian => ("J", "J"),
        Kind::BodyJacobian => ("Jb", "J_{\\mathrm{b}}"),
        Kind::JacobianDot => ("Jd", "\\dot{J}"),
        Kind::JacobianDq => ("dJ_dq", "\\partial_q J"),
        Kind::Com => ("p_com", "p_{\\mathrm{com}}"),
        Kind::ComJacobian => ("J_com", "J_{\\mathrm{com}}"),
        Kind::ComJacobianDot => ("Jd_com", "\\dot{J}_{\\mathrm{com}}"),
        Kind::KineticEnergy => ("T", "T"),
        Kind::PotentialEnergy => ("V", "V"),
        _ => ("f", "f"),
    }
}

/// What the elements of a quantity are called, row-major: in plain text and in LaTeX.
pub(super) fn elements(model: &Model, quantity: &Quantity) -> Vec<[String; 2]> {
    let entry = quantity.entry();
    let (text, latex) = letter(entry.kind);
    let lengths = entry.shape.lengths(model);
    let wide = lengths.iter().any(|&length| length > 9);
    let mut names = vec![Vec::<usize>::new()];
    for length in lengths {
        names = names.into_iter().flat_map(|index| (1..=length).map(move |k| [&index[..], &[k]].concat())).collect();
    }
    let name = |index: Vec<usize>| {
        let digits: Vec<String> = index.iter().map(usize::to_string).collect();
        if digits.is_empty() {
            return [text.to_owned(), latex.to_owned()];
        }
        // A letter that has an index of its own keeps it inside braces.
        let base = if latex.contains('_') || latex.contains('^') { format!("{{{latex}}}") } else { latex.to_owned() };
        let joined = digits.join(if wide && digits.len() > 1 { "," } else { "" });
        [format!("{text}{}", digits.join("_")), format!("{base}_{{{joined}}}")]
    };
    names.into_iter().map(name).collect()
}
