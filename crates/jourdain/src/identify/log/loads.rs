//! Torques that were not measured, and wrenches that were: from the efforts of a row to those that the equations of motion have.
//!
//! With wrenches W_i on links, M q̈ + C q̇ + g = τ + Σ J_iᵀ W_i: the right side is what the rigid body feels and what parameters are found from. A
//! wrench is one applied **to** a link, in link axes at the link's origin, with columns `wrench:LINK[fx]`, …, `wrench:LINK[mz]` or `fx_LINK`, …,
//! `mz_LINK`; three forces at least.
//!
//! What [balances](crate::dynamics::balance) of the robot file give is put back: τ + s(q) is what the rigid body and its drives take.
//!
//! A free base has no drive: with all wrenches known its six torques are zero. If something unknown holds it they are not measured, and
//! its equations are left out.

use super::super::accumulate::Sample;
use super::super::error::IdentifyError;
use super::columns::Columns;
use crate::dynamics::balance;
use crate::dynamics::recursive::external_forces_into;
use crate::formats::table::TableError;
use crate::model::Model;
use crate::spatial::{Vector, Wrench};
use crate::state::LinkWrench;
use crate::workspace::Workspace;

/// What a free base is held by, where its torques are not in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Nothing but the wrenches of the log.
    Free,
    /// Something that was not measured: its equations are left out.
    Held,
}

/// The columns of the wrench on a link.
#[derive(Clone, Debug, PartialEq)]
pub struct WrenchColumns {
    /// Index of the link.
    pub link: usize,
    /// Force, then moment; `None` for moments that are not there, which are zero.
    pub cells: [Option<usize>; 6],
}

const PARTS: [&str; 6] = ["fx", "fy", "fz", "mx", "my", "mz"];

/// The wrenches that a heading has.
///
/// # Errors
/// Two columns for one number, a link that the robot does not have, wrenches of which a part is missing.
pub(super) fn columns(headings: &[String], model: &Model<f64>) -> Result<Vec<WrenchColumns>, IdentifyError> {
    let link = |name: &str| model.links().iter().position(|link| link.name == name);
    let mut found: Vec<WrenchColumns> = Vec::new();
    for (column, heading) in headings.iter().enumerate() {
        let stated = heading.strip_prefix("wrench:").and_then(|rest| rest.strip_suffix(']')?.rsplit_once('['));
        let (name, part, link) = match stated {
            Some((name, part)) => {
                let part = PARTS.iter().position(|own| *own == part);
                let known = link(name).zip(part).ok_or_else(|| IdentifyError::WrenchColumn {
                    column: column + 1,
                    heading: heading.clone(),
                    links: model.links().iter().map(|link| link.name.clone()).collect(),
                })?;
                (name, known.1, known.0)
            }
            // As other programs have it; a column that begins so by chance is left alone.
            None => {
                let short = heading
                    .split_once('_')
                    .and_then(|(part, name)| Some((name, PARTS.iter().position(|own| *own == part)?, link(name)?)));
                let Some(short) = short else { continue };
                short
            }
        };
        let at = found.iter().position(|wrench| wrench.link == link).unwrap_or_else(|| {
            found.push(WrenchColumns { link, cells: [None; 6] });
            found.len() - 1
        });
        if found[at].cells[part].replace(column).is_some() {
            return Err(TableError::DuplicateColumn { column: column + 1, name: name.to_owned() }.into());
        }
    }
    for wrench in &found {
        let some = wrench.cells[3..].iter().any(Option::is_some);
        if let Some(missing) = (0..6).find(|&k| wrench.cells[k].is_none() && (k < 3 || some)) {
            let name = &model.links()[wrench.link].name;
            return Err(IdentifyError::WrenchPart { link: name.clone(), part: PARTS[missing] });
        }
    }
    Ok(found)
}

/// Makes the torques of the equations of motion from the efforts of rows.
pub(super) struct Loads<'m> {
    model: &'m Model<f64>,
    /// Degrees of freedom whose torque is not known.
    unmeasured: Vec<usize>,
    wrenches: Vec<LinkWrench<f64>>,
    balanced: bool,
    workspace: Option<Workspace<f64>>,
    tau: Vec<f64>,
    held: Vec<f64>,
}

impl<'m> Loads<'m> {
    pub fn new(model: &'m Model<f64>, columns: &Columns, base: Option<Base>) -> Self {
        let n = model.nv();
        let is_free = match base {
            Some(base) => base == Base::Free,
            None => !columns.wrenches.is_empty(),
        };
        let bases = model.links().iter().filter(|link| is_free && link.mimic.is_none() && link.joint.nv() == 6);
        let zero: Vec<usize> = bases.flat_map(|link| link.v..link.v + 6).collect();
        let unmeasured = (0..n).filter(|j| columns.tau[*j].is_none() && !zero.contains(j)).collect();
        let none = || Wrench { force: Vector::zero(), moment: Vector::zero() };
        let wrench = |own: &WrenchColumns| LinkWrench { link: own.link, wrench: none(), dot: none(), ddot: none() };
        let wrenches: Vec<LinkWrench<f64>> = columns.wrenches.iter().map(wrench).collect();
        let workspace = (!wrenches.is_empty()).then(|| Workspace::new(model));
        let balanced = model.balances().next().is_some();
        Self { model, unmeasured, wrenches, balanced, workspace, tau: vec![0.0; n], held: vec![0.0; n] }
    }

    /// Gives a sample with the efforts of a row to `take`, with torques of the equations of motion instead.
    pub fn take_in(&mut self, sample: &Sample<'_>, take: &mut impl FnMut(&Sample<'_>)) {
        if self.unmeasured.is_empty() && self.wrenches.is_empty() && !self.balanced {
            return take(sample);
        }
        let (torques, numbers) = sample.tau.split_at(self.model.nv());
        self.tau.copy_from_slice(torques);
        if let Some(workspace) = &mut self.workspace {
            for (own, numbers) in self.wrenches.iter_mut().zip(numbers.chunks_exact(6)) {
                own.wrench.force = Vector::new(numbers[0], numbers[1], numbers[2]);
                own.wrench.moment = Vector::new(numbers[3], numbers[4], numbers[5]);
            }
            external_forces_into(self.model, sample.q, &self.wrenches, workspace, &mut self.held);
            self.tau.iter_mut().zip(&self.held).for_each(|(tau, held)| *tau -= held);
        }
        if self.balanced {
            self.held.fill(0.0);
            balance::add_torques(self.model, sample.q, &mut self.held);
            self.tau.iter_mut().zip(&self.held).for_each(|(tau, held)| *tau -= held);
        }
        self.unmeasured.iter().for_each(|&j| self.tau[j] = f64::NAN);
        take(&Sample { tau: &self.tau, ..*sample });
    }
}
