//! `jourdain base-parameters`: the smallest set of parameters with the same equations of motion.

use crate::failure::Failure;
use crate::input;
use crate::numbers;
use crate::output::{BAD, FAINT, GOOD, HEADING, Output, WARN};
use jourdain::Model;
use jourdain::dynamics::closed_form;
use jourdain::parameters::names::{Name, frame_columns, standard_names};
use jourdain::parameters::rank::{NumericRank, numeric_rank};
use jourdain::parameters::symbolic::SymbolicRegrouping;
use jourdain::parameters::{
    BaseParameters, Elimination, Method, Relation, eliminations, exact_rank, relations, symbolic_relations,
};
use serde_json::{Value, json};

/// Seed of the random states, so that every run prints the same.
const SEED: u64 = 1990;

/// A gap between singular values beyond doubt.
const WIDE: f64 = 1e12;

/// Most links: the regrouping matrix grows with their square.
const MOST_LINKS: usize = 1000;

/// Show the base parameters of a robot: kept, regrouped into what, without effect
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Ten parameters per link, m, mX, mY, mZ, XX, XY, XZ, YY, YZ, ZZ (inertia about the link origin), and those \
                  of the drives. Moving links are numbered from 1. XXR3 is XX3 with others regrouped into it.\n\
                  The count is found from the geometry alone, for any tree, and beside it the rank of the regressor: \
                  exactly, modulo a prime, and in floating point with the gap of its singular values."
)]
pub struct Arguments {
    /// Built-in name, file, or - for native JSON on standard input
    robot: String,

    /// Coefficients as formulas in the lengths: D3, R4
    #[arg(long)]
    symbolic: bool,

    /// Print the relations as LaTeX
    #[arg(long)]
    latex: bool,
}

/// All that is to be told.
struct Findings {
    base: BaseParameters,
    relations: Vec<Relation>,
    values: Vec<f64>,
    names: Vec<Name>,
    /// Per column, whether it belongs to a link that is a mere frame.
    frames: Vec<bool>,
    eliminations: Vec<Elimination>,
    numeric: Option<NumericRank>,
    exact: Option<usize>,
    is_symbolic: bool,
}

/// Runs the command; the exit code is 1 if the rank of the regressor contradicts the count.
pub fn run(arguments: &Arguments, output: &Output) -> Result<u8, Failure> {
    let model = input::load_robot(&arguments.robot, output)?;
    if model.links().len() > MOST_LINKS {
        let count = model.links().len();
        let message = format!("{} has {count} links; base-parameters takes at most {MOST_LINKS}", model.name());
        let hint = "`jourdain info` counts the base parameters of robots of any size";
        return Err(Failure::new("too-large", message).file(&arguments.robot).hint(hint));
    }
    let findings = find(&model, arguments, output)?;
    if output.is_json() {
        output.json(&to_json(&findings))?;
    } else if arguments.latex {
        output.text(&to_latex(&findings.relations))?;
    } else {
        output.text(&to_text(&model, &findings))?;
    }
    for notice in findings.base.notices() {
        output.note(&format!("{WARN}note{WARN:#}: {notice}"));
    }
    Ok(u8::from(!agree(&findings)))
}

fn find(model: &Model<f64>, arguments: &Arguments, output: &Output) -> Result<Findings, Failure> {
    let base = BaseParameters::new(model);
    let symbolic = if arguments.symbolic { symbolic(model, &base, arguments, output)? } else { None };
    let values = base.values(&closed_form::parameters(model));
    if let Some(at) = values.iter().position(|value| !value.is_finite()) {
        let message = format!("{} of {} is too large for a number", base.labels()[base.kept()[at]], model.name());
        return Err(Failure::new("not-finite", message).file(&arguments.robot));
    }
    Ok(Findings {
        is_symbolic: symbolic.is_some(),
        relations: symbolic.unwrap_or_else(|| relations(model, &base)),
        values,
        names: standard_names(model),
        frames: frame_columns(model),
        eliminations: eliminations(model, &base),
        numeric: numeric_rank(model, SEED),
        exact: exact_rank(model, SEED),
        base,
    })
}

fn symbolic(
    model: &Model<f64>,
    base: &BaseParameters,
    arguments: &Arguments,
    output: &Output,
) -> Result<Option<Vec<Relation>>, Failure> {
    if model.has_mimic() {
        let message = format!("{} has coupled joints, whose regrouping has no formulas", model.name());
        let failure = Failure::new("coupled-joints", message).file(&arguments.robot);
        return Err(failure.hint("leave out --symbolic").unsolved());
    }
    let found = SymbolicRegrouping::new(model);
    let relations = found.as_ref().and_then(|found| symbolic_relations(model, base, found));
    if relations.is_none() {
        let why = match found {
            None => "the formulas grow beyond reading",
            Some(_) => "with free lengths other parameters are kept",
        };
        output.note(&format!("{WARN}note{WARN:#}: {why}; coefficients are numbers"));
    }
    Ok(relations)
}

/// True if the rank of the regressor is the count. The exact rank is that of the numbers as they are written, where
/// oblique directions that agree to rounding differ, so it decides only where there is no other.
fn agree(findings: &Findings) -> bool {
    let rank = findings.numeric.map(|numeric| numeric.rank).or(findings.exact);
    rank.is_none_or(|rank| rank == findings.base.count())
}

fn to_json(findings: &Findings) -> Value {
    let Findings { base, relations, values, names, eliminations, numeric, exact, .. } = findings;
    let text = |column: &usize| names[*column].text();
    let columns = base.labels().len();
    let matrix: Vec<&[f64]> = base.matrix().as_slice().chunks_exact(columns.max(1)).collect();
    let parameters: Vec<_> = relations
        .iter()
        .zip(values)
        .map(|(relation, value)| {
            json!({
                "name": relation.name,
                "formula": relation.formula,
                "latex": relation.latex,
                "value": value,
            })
        })
        .collect();
    let regrouped: Vec<_> = eliminations
        .iter()
        .filter(|it| !it.to.is_empty())
        .map(|it| {
            json!({
                "name": text(&it.column),
                "to": it.to.iter().map(text).collect::<Vec<_>>(),
                "why": it.reason.to_string(),
            })
        })
        .collect();
    json!({
        "count": base.count(),
        "per_link": base.per_link(),
        "labels": names.iter().map(Name::text).collect::<Vec<_>>(),
        "matrix": matrix,
        "parameters": parameters,
        "no_effect": base.no_effect().iter().map(text).collect::<Vec<_>>(),
        "numeric_rank": numeric.map(|numeric| numeric.rank),
        "gap": numeric.and_then(|numeric| numeric.gap()),
        "exact_rank": exact,
        "regrouped": regrouped,
        "columns": base.labels(),
        "method": match base.method() {
            Method::Structural => "structural",
            Method::Rank => "rank",
            Method::Uncoupled => "uncoupled",
        },
        "notices": base.notices().iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn to_latex(relations: &[Relation]) -> String {
    let lines: Vec<_> = relations.iter().map(|relation| relation.latex.replacen(" = ", " &= ", 1)).collect();
    format!("\\begin{{align*}}\n{}\n\\end{{align*}}\n", lines.join(" \\\\\n"))
}

fn to_text(model: &Model<f64>, findings: &Findings) -> String {
    let Findings { base, relations, values, names, frames, eliminations, .. } = findings;
    let eliminations: Vec<_> = eliminations.iter().filter(|it| !frames[it.column]).collect();
    let inertial: usize = base.per_link().iter().sum();
    let drives = base.count() - inertial;
    let of = if drives == 0 { String::new() } else { format!(": {inertial} inertial and {drives} of drives") };
    let mut text = format!(
        "{HEADING}{}{HEADING:#}: {} base parameters for {} standard ones{of}\n",
        model.name(),
        base.count(),
        frames.iter().filter(|is_frame| !**is_frame).count()
    );
    text.push_str(&witness(findings));

    let mut rows = vec![vec!["kept", "value", "made of"]];
    let shown: Vec<_> = values.iter().map(|&value| numbers::short(value)).collect();
    for (relation, value) in relations.iter().zip(&shown) {
        let formula = if relation.formula == relation.name { "" } else { relation.formula.as_str() };
        rows.push(vec![&relation.name, value, formula]);
    }
    text.push_str(&table(&rows));

    let name = |column: &usize| names[*column].text();
    let moved: Vec<_> = eliminations.iter().filter(|it| !it.to.is_empty()).map(|it| describe(it, &name)).collect();
    if !moved.is_empty() {
        let mut rows = vec![vec!["regrouped", "into", "by"]];
        rows.extend(moved.iter().map(|row| row.iter().map(String::as_str).collect::<Vec<_>>()));
        text.push_str(&table(&rows));
    }

    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for it in eliminations.iter().filter(|it| it.to.is_empty()) {
        let reason = it.reason.to_string();
        match groups.iter_mut().find(|(other, _)| *other == reason) {
            Some((_, members)) => members.push(name(&it.column)),
            None => groups.push((reason, vec![name(&it.column)])),
        }
    }
    if !groups.is_empty() {
        let members: Vec<_> = groups.iter().map(|(reason, members)| (members.join(" "), reason)).collect();
        let mut rows = vec![vec!["without effect", "by"]];
        rows.extend(members.iter().map(|(members, reason)| vec![members.as_str(), reason.as_str()]));
        text.push_str(&table(&rows));
    }
    text.push_str(&legend(findings));
    text
}

/// The ranks beside the count.
fn witness(findings: &Findings) -> String {
    let count = findings.base.count();
    let mut text = String::new();
    if let Some(exact) = findings.exact {
        let (style, remark) = match exact == count {
            true => (GOOD, ""),
            false => (WARN, ": the numbers as written, where directions or lengths may agree to rounding only"),
        };
        text.push_str(&format!("rank of the regressor modulo a prime: {style}{exact}{style:#}{remark}\n"));
    }
    match findings.numeric {
        Some(numeric) => {
            let (style, remark) = if agree(findings) { (GOOD, "") } else { (BAD, ", which is not the count") };
            let gap = match numeric.gap() {
                None => String::new(),
                // Beyond this the small ones are rounding, which differs from machine to machine.
                Some(gap) if gap >= WIDE => format!(", singular values more than {WIDE:e} apart"),
                Some(gap) => format!(", singular values {gap:.0e} apart"),
            };
            let states = numeric.states;
            text.push_str(&format!(
                "rank of the regressor over {states} random states: {style}{}{style:#}{gap}{remark}\n",
                numeric.rank
            ));
        }
        None if count == 0 => {}
        None => text.push_str("too many parameters for the rank of the regressor in floating point\n"),
    }
    text.push_str(match findings.base.method() {
        Method::Structural => "",
        Method::Rank => "joints are coupled: the parameters are found by the rank of the regressor\n",
        Method::Uncoupled => "joints are coupled, which is left out of account: there may be fewer parameters\n",
    });
    text
}

fn describe(it: &Elimination, name: &impl Fn(&usize) -> String) -> [String; 3] {
    [name(&it.column), it.to.iter().map(name).collect::<Vec<_>>().join(" "), it.reason.to_string()]
}

fn table(rows: &[Vec<&str>]) -> String {
    let lines = numbers::align_left(rows);
    let (header, body) = lines.split_first().map_or((String::new(), String::new()), |(h, b)| (h.clone(), b.join("\n")));
    format!("\n{FAINT}{header}{FAINT:#}\n{body}\n")
}

fn legend(findings: &Findings) -> String {
    let cites = findings.eliminations.iter().any(|it| it.reason.to_string().starts_with("GK"));
    let mut notes = Vec::new();
    if cites {
        notes.push("GK: Gautier and Khalil 1990.");
    }
    if findings.is_symbolic {
        notes.push("D, R: lengths along x and z, `a` and `d` of a DH table.");
    }
    if notes.is_empty() { String::new() } else { format!("\n{FAINT}{}{FAINT:#}\n", notes.join(" ")) }
}
