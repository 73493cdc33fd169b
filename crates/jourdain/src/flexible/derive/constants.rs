//! The constants of an arm as symbols or as numbers of formulas.
//!
//! Constants are named as DS do: l1, m1, d1, Jo1, mh1, Jh1, v11, w11, z111, k111, phi11e, dphi11e, … and mp, Jp; integrals over slopes
//! H_111, G0_111, G1_111, F_1111, Q_11111. What is zero in the arm stays zero.

use super::ArmParameter;
use crate::flexible::arm::{FlexibleArm, Kinematics, Link, Payload};
use crate::flexible::slopes::Slopes;
use jourdain_symbolic::collect::{Role, Symbol};
use jourdain_symbolic::{Expr, Scalar};

/// The named constants of an arm in the order of their first use.
#[derive(Default)]
pub(super) struct Names(pub Vec<ArmParameter>);

impl Names {
    fn of(&mut self, text: String, latex: String, role: Role, value: f64) -> Expr {
        if value == 0.0 {
            return Expr::zero();
        }
        let expr = Expr::symbol(&text);
        if self.0.iter().all(|known| known.symbol.text != text) {
            self.0.push(ArmParameter { symbol: Symbol { text, latex, role }, value });
        }
        expr
    }

    pub fn arm(&mut self, arm: &FlexibleArm<f64>) -> FlexibleArm<Expr> {
        let linear = Role::Linear;
        let links = arm.links().iter().zip(1..).map(|(link, i)| self.link(link, i, arm.kinematics())).collect();
        let payload = Payload {
            mass: self.of("mp".into(), "m_p".into(), linear, arm.payload().mass),
            inertia: self.of("Jp".into(), "J_p".into(), linear, arm.payload().inertia),
        };
        let [gx, gy] = arm.gravity();
        let gravity = [
            self.of("gx".into(), "g_x".into(), Role::Parameter, gx),
            self.of("gy".into(), "g_y".into(), Role::Parameter, gy),
        ];
        FlexibleArm::new(arm.name().to_owned(), gravity, arm.kinematics(), payload, links)
    }

    fn link(&mut self, link: &Link<f64>, i: usize, kinematics: Kinematics) -> Link<Expr> {
        let m = link.mode_count();
        let separator = if m > 9 || i > 9 { "_" } else { "" };
        let mut one = |letter: &str, latex: &str, role: Role, value: f64| {
            self.of(format!("{letter}{i}"), format!("{latex}{i}}}"), role, value)
        };
        let length = one("l", "\\ell_{", Role::Parameter, link.length);
        let mass = one("m", "m_{", Role::Linear, link.mass);
        let centre = one("d", "d_{", Role::Parameter, link.first_moment / link.mass);
        let inertia = one("Jo", "J_{o", Role::Linear, link.inertia);
        let hub_mass = one("mh", "m_{h", Role::Linear, link.hub_mass);
        let hub_inertia = one("Jh", "J_{h", Role::Linear, link.hub_inertia);
        let viscous = one("F", "F_{", Role::Linear, link.viscous);
        let mut each = |letter: &str, end: &str, latex: [&str; 2], role: Role, values: &[f64]| {
            let list = values.iter().zip(1..).map(|(&value, j)| {
                let text = format!("{letter}{i}{separator}{j}{end}");
                self.of(text, format!("{}{i}{j}{}", latex[0], latex[1]), role, value)
            });
            list.collect::<Vec<_>>()
        };
        let v = each("v", "", ["v_{", "}"], Role::Linear, &link.v);
        let w = each("w", "", ["w_{", "}"], Role::Linear, &link.w);
        let tip = each("phi", "e", ["\\phi_{", ",e}"], Role::Parameter, &link.tip);
        let tip_slope = each("dphi", "e", ["{\\phi'}_{", ",e}"], Role::Parameter, &link.tip_slope);
        let damping = each("D", "", ["D_{", "}"], Role::Linear, &link.damping);
        let mut pairs = |letter: &str, values: &[f64]| {
            let list = values.iter().enumerate().map(|(place, &value)| {
                // Symmetric: one name for both.
                let (row, column) = (place / m + 1, place % m + 1);
                let (j, k) = (row.min(column), row.max(column));
                let text = format!("{letter}{i}{separator}{j}{separator}{k}");
                self.of(text, format!("{letter}_{{{i}{j}{k}}}"), Role::Linear, value)
            });
            list.collect::<Vec<_>>()
        };
        let z = pairs("z", &link.z);
        let stiffness = pairs("k", &link.stiffness);
        let slopes = if kinematics.is_stiffened() { self.slopes(link, i, separator) } else { Slopes::none(m) };
        let first_moment = mass * centre;
        Link {
            length,
            mass,
            first_moment,
            inertia,
            hub_mass,
            hub_inertia,
            v,
            w,
            z,
            stiffness,
            tip,
            tip_slope,
            slopes,
            damping,
            viscous,
        }
    }

    /// H, G₀, G₁ by two modes, F by three and Q by four, each under one name for what is symmetric.
    fn slopes(&mut self, link: &Link<f64>, i: usize, separator: &str) -> Slopes<Expr> {
        let m = link.mode_count();
        // Pairs of modes in the order in which they are stored, counted from one.
        let pairs: Vec<[usize; 2]> = (1..=m).flat_map(|high| (1..=high).map(move |low| [low, high])).collect();
        link.slopes.map(|name, values| {
            // Stations belong to kinematics without formulas.
            let modes = |place: usize| -> Option<Vec<usize>> {
                Some(match name {
                    "H" | "G0" | "G1" => {
                        let (j, k) = (place / m + 1, place % m + 1);
                        vec![j.min(k), j.max(k)]
                    }
                    "F" => [&[place / pairs.len() + 1][..], &pairs[place % pairs.len()]].concat(),
                    "Q" => {
                        let (a, b) = (pairs[place / pairs.len()], pairs[place % pairs.len()]);
                        [a.min(b), a.max(b)].concat()
                    }
                    _ => return None,
                })
            };
            let one = |(place, &value): (usize, &f64)| {
                let modes: Vec<String> = modes(place)?.iter().map(usize::to_string).collect();
                let text = format!("{name}_{i}{separator}{}", modes.join(separator));
                let letter = name.replace("G0", "G^{0}").replace("G1", "G^{1}");
                Some(self.of(text, format!("{letter}_{{{i}{}}}", modes.concat()), Role::Linear, value))
            };
            values.iter().enumerate().filter_map(one).collect()
        })
    }
}

/// The arm with its numbers as constants of formulas.
pub(super) fn numeric(arm: &FlexibleArm<f64>) -> FlexibleArm<Expr> {
    let all = |values: &[f64]| values.iter().map(|&x| Expr::from_f64(x)).collect::<Vec<_>>();
    let number = Expr::from_f64;
    let links = arm.links().iter().map(|link| Link {
        length: number(link.length),
        mass: number(link.mass),
        first_moment: number(link.first_moment),
        inertia: number(link.inertia),
        hub_mass: number(link.hub_mass),
        hub_inertia: number(link.hub_inertia),
        v: all(&link.v),
        w: all(&link.w),
        z: all(&link.z),
        stiffness: all(&link.stiffness),
        tip: all(&link.tip),
        tip_slope: all(&link.tip_slope),
        slopes: if arm.kinematics().is_stiffened() {
            link.slopes.map(|_, values| all(values))
        } else {
            Slopes::none(link.mode_count())
        },
        damping: all(&link.damping),
        viscous: number(link.viscous),
    });
    let payload = Payload { mass: number(arm.payload().mass), inertia: number(arm.payload().inertia) };
    FlexibleArm::new(arm.name().to_owned(), arm.gravity().map(number), arm.kinematics(), payload, links.collect())
}
