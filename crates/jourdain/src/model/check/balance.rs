//! What holds a joint beside its motor: there is a function of its position, and it has numbers all over its range.

use super::super::description::Description;
use super::super::lowered::Lowered;
use super::{Findings, joint_error};

/// So many positions of the range are tried.
const TRIED: usize = 101;

pub(super) fn check(description: &Description, lowered: &Lowered<f64>, findings: &mut Findings) {
    for (link, lowered) in description.links.iter().zip(&lowered.links) {
        let Some(balance) = &link.balance else { continue };
        let name = &link.joint.name;
        let error = |message: String| joint_error(link, "balance", "balance", message);
        if (link.joint.kind.degrees_of_freedom(), link.joint.kind.nq()) != (1, 1) {
            let message = format!("the joint `{name}` has a balance, but no one number that it could depend on");
            findings.add(error(message).hint("only revolute, prismatic and helical joints have one"));
            continue;
        }
        let placement = lowered.placement.clone().into();
        let formula = match balance.formula(&placement, &lowered.motion) {
            Ok(formula) => formula,
            Err(reason) => {
                let message = format!("the balance of joint `{name}` gives no torque: {reason}");
                let hint = "spring { stiffness, rest }, formula, table or cylinder: docs/robot-files.md";
                findings.add(error(message).hint(hint));
                continue;
            }
        };
        let [low, high] = link.joint.limits.map_or([-std::f64::consts::PI, std::f64::consts::PI], |limits| {
            limits.map(|limit| limit.value.clamp(-1e6, 1e6))
        });
        let positions = (0..TRIED).map(|k| low + (high - low) * k as f64 / (TRIED - 1) as f64);
        if let Some(q) = positions.into_iter().find(|&q| !formula.at(q).is_finite()) {
            let message = format!("the balance of joint `{name}` has no number at q = {q}");
            findings.add(error(message).hint(
                "a root of a negative number, or a division by zero: within the limits of the joint it must have one",
            ));
        }
    }
}
