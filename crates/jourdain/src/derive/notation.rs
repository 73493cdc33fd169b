//! How the state and the quantities are written.

use crate::model::Model;
use crate::quantity::Quantity;
use crate::state::{Course, Input};
use jourdain_symbolic::collect::{Role, Symbol};

/// The symbol of a number of the state, such as `qd[0]`, counted from one in print; `loaded` is how many links wrenches act
/// on.
pub(super) fn state_symbol(name: &str, nv: usize, loaded: usize) -> Option<Symbol> {
    let (key, place) = name.strip_suffix(']')?.split_once('[')?;
    let (input, place): (Input, usize) = (Input::from_key(key)?, place.parse().ok()?);
    let role = match input.course() {
        Course::Motion(0) => Role::Position,
        Course::Motion(order) | Course::Reference(order) => Role::Motion { order },
        Course::Load => Role::Parameter,
    };
    let (text, latex, role) = match input {
        Input::Higher => {
            let (order, n) = (Input::FIRST_HIGHER + place / nv.max(1), place % nv.max(1) + 1);
            (format!("q{n}_d{order}"), format!("q_{{{n}}}^{{({order})}}"), Role::Motion { order })
        }
        Input::Wrenches => {
            let (text, latex) = wrench_symbol(place, loaded);
            (text, latex, role)
        }
        _ => (format!("{key}{}", place + 1), input.latex(place + 1), role),
    };
    Some(Symbol { text, latex, role })
}

/// `fx1` for the force along x on the first loaded link, `nz2d` for the rate of the moment about z on the second.
fn wrench_symbol(place: usize, loaded: usize) -> (String, String) {
    const COMPONENTS: [(char, char); 6] = [('f', 'x'), ('f', 'y'), ('f', 'z'), ('n', 'x'), ('n', 'y'), ('n', 'z')];
    let (rate, link) = (place / (6 * loaded.max(1)), place / 6 % loaded.max(1) + 1);
    let (letter, axis) = COMPONENTS[place % 6];
    let dots = match rate {
        0 => letter.to_string(),
        rate => format!("\\{}ot{{{letter}}}", "d".repeat(rate)),
    };
    (format!("{letter}{axis}{link}{}", "d".repeat(rate)), format!("{dots}_{{{axis},{link}}}"))
}

/// What the elements of a quantity are called, row-major: in plain text and in LaTeX.
pub(super) fn elements(model: &Model, quantity: &Quantity) -> Vec<[String; 2]> {
    let entry = quantity.entry();
    let [text, latex] = quantity.symbol();
    let lengths = entry.shape.lengths(model);
    let wide = lengths.iter().any(|&length| length > 9);
    let mut names = vec![Vec::<usize>::new()];
    for length in lengths {
        names = names.into_iter().flat_map(|index| (1..=length).map(move |k| [&index[..], &[k]].concat())).collect();
    }
    let name = |index: Vec<usize>| {
        let digits: Vec<String> = index.iter().map(usize::to_string).collect();
        if digits.is_empty() {
            return [text.clone(), latex.clone()];
        }
        // A letter that has an index of its own keeps it inside braces.
        let base = if latex.contains('_') || latex.contains('^') { format!("{{{latex}}}") } else { latex.clone() };
        let joined = digits.join(if wide && digits.len() > 1 { "," } else { "" });
        [format!("{text}{}", digits.join("_")), format!("{base}_{{{joined}}}")]
    };
    names.into_iter().map(name).collect()
}
