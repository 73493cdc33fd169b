//! `balance = { … }`: what holds a joint beside its motor, in one of four forms.

use super::document::{Item, entry, floats};
use super::table::{Context, Table, vector};
use super::write::{list, number};
use crate::model::{BalanceDescription, Cylinder, Formula, Number, Rise};

const FORMS: &str = "give one of `stiffness`, `formula`, `table` and `cylinder`";

/// `{ stiffness, rest }`, `{ formula }`, `{ table }` or `{ cylinder = { from, to, force, length, stiffness or gas } }`.
pub(super) fn read(mut table: Table<'_>, context: &mut Context<'_>) -> Option<BalanceDescription> {
    let stiffness = table.number("stiffness", context);
    let rest = table.number("rest", context);
    let formula = read_formula(&mut table, context);
    let points = read_points(&mut table, context);
    let cylinder = table.table("cylinder", context).map(|cylinder| read_cylinder(cylinder, context));
    let spring =
        stiffness.map(|stiffness| BalanceDescription::Spring { stiffness, rest: rest.unwrap_or(Number::ZERO) });
    if stiffness.is_none() {
        table.refuse(&["rest"], "it is where the spring of `stiffness` is at rest, and there is none", context);
    }
    let node = table.node();
    let given =
        ["stiffness", "formula", "table", "cylinder"].map(|key| usize::from(table.place(key, context).is_some()));
    let forms = [
        spring,
        formula,
        points.map(BalanceDescription::Table),
        cylinder.map(|cylinder| BalanceDescription::Cylinder(Box::new(cylinder))),
    ];
    if given.iter().sum::<usize>() != 1 {
        let message = "a balance has one form, and this one has none or several".to_owned();
        context.error_with_hint(node, "balance", message, Some(FORMS.to_owned()));
    }
    table.finish(context);
    forms.into_iter().flatten().next()
}

fn read_formula(table: &mut Table<'_>, context: &mut Context<'_>) -> Option<BalanceDescription> {
    let text = table.text("formula", context)?;
    let node = table.get("formula")?;
    if let Err(error) = Formula::parse(text) {
        let hint = "numbers, q (rad or m), pi, + - * / ^, sin, cos, sqrt: \"350*sin(q) - 20*(q - 0.1)\"".to_owned();
        context.error_with_hint(node, "balance", format!("`formula` cannot be read: {error}"), Some(hint));
        return None;
    }
    Some(BalanceDescription::Formula(text.to_owned()))
}

fn read_points(table: &mut Table<'_>, context: &mut Context<'_>) -> Option<Vec<[f64; 2]>> {
    let items = table.list("table", context)?;
    items.iter().map(|item| Some(vector::<2>(item, "table", context)?.map(|x| x.value))).collect()
}

fn read_cylinder(mut table: Table<'_>, context: &mut Context<'_>) -> Cylinder {
    for key in ["from", "to", "force", "length"] {
        table.require(key, context);
    }
    table.exclude("stiffness", "gas", context);
    let zero = [Number::ZERO; 3];
    let stiffness = table.number("stiffness", context).unwrap_or(Number::ZERO);
    let cylinder = Cylinder {
        from: table.vector("from", context).unwrap_or(zero),
        to: table.vector("to", context).unwrap_or(zero),
        force: table.number("force", context).unwrap_or(Number::ZERO),
        length: table.number("length", context).unwrap_or(Number::ZERO),
        rise: table.number("gas", context).map_or(Rise::Stiffness(stiffness), Rise::Gas),
    };
    table.finish(context);
    cylinder
}

/// Its keys.
pub(super) fn entries(balance: &BalanceDescription) -> Vec<(String, Item)> {
    match balance {
        BalanceDescription::Spring { stiffness, rest } => {
            vec![entry("stiffness", number(stiffness)), entry("rest", number(rest))]
        }
        BalanceDescription::Formula(text) => vec![entry("formula", Item::Text(text.clone()))],
        BalanceDescription::Table(points) => {
            vec![entry("table", Item::List(points.iter().map(|point| floats(point)).collect()))]
        }
        BalanceDescription::Cylinder(cylinder) => {
            let Cylinder { from, to, force, length, rise } = &**cylinder;
            let rise = match rise {
                Rise::Stiffness(stiffness) => entry("stiffness", number(stiffness)),
                Rise::Gas(gas) => entry("gas", number(gas)),
            };
            let keys = [("from", list(from)), ("to", list(to)), ("force", number(force)), ("length", number(length))];
            let keys = keys.into_iter().map(|(key, item)| entry(key, item)).chain([rise]).collect();
            vec![entry("cylinder", Item::Table(keys))]
        }
    }
}
