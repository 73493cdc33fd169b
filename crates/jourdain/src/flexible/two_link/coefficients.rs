//! The coefficients of the explicit two-link model with two modes per link, under the names that DS print.
//!
//! Five h are printed wrong in the paper and right here: h107 (factor 2), h117 and h118 (sign), h412 and h413 (the slope's
//! index). b331, b341, b441, b551, b561 and b661 are printed as they become for modes that belong to the arm's own
//! boundary: m₁, 0, m₁, m₂, 0, m₂. They are assembled here, so that any mode shapes and payloads are right.

use super::super::arm::FlexibleArm;
use jourdain_symbolic::Constant;

/// What the printed coefficients have in common.
struct Parts<T> {
    /// m₂ d₂ + m_p ℓ₂
    moment: T,
    /// J_h2 + J_o2 + J_p + m_p ℓ₂²
    turning: T,
    /// m_h2 + m₂ + m_p
    beyond: T,
    /// v₂ⱼ + m_p φ₂ⱼ
    sway: [T; 2],
    /// w₂ⱼ + J_p φ'₂ⱼ + m_p ℓ₂ φ₂ⱼ
    swing: [T; 2],
    /// J_h1 + J_o1
    inertia1: T,
}

impl<T: Constant> Parts<T> {
    fn new(arm: &FlexibleArm<T>) -> Self {
        let (one, two, payload) = (&arm.links()[0], &arm.links()[1], arm.payload());
        let square = two.length * two.length;
        let swing = |j: usize| two.w[j] + payload.inertia * two.tip_slope[j] + payload.mass * two.length * two.tip[j];
        Self {
            moment: two.first_moment + payload.mass * two.length,
            turning: two.hub_inertia + two.inertia + payload.inertia + payload.mass * square,
            beyond: two.hub_mass + two.mass + payload.mass,
            sway: [0, 1].map(|j| two.v[j] + payload.mass * two.tip[j]),
            swing: [0, 1].map(swing),
            inertia1: one.hub_inertia + one.inertia,
        }
    }
}

/// Declares the struct, the constructor and the list of names from one table. What the formulas may name is handed in, since
/// names inside a macro are its own.
macro_rules! coefficients {
    (|$arm:ident| { $($prelude:tt)* } $($name:ident = $formula:expr;)*) => {
        /// The coefficients of (32)–(34).
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Coefficients<T> {
            $(#[doc = stringify!($formula)] pub $name: T,)*
        }

        impl<T: Constant> Coefficients<T> {
            /// From an arm of two links with two modes each.
            pub(super) fn new($arm: &FlexibleArm<T>) -> Self {
                $($prelude)*
                Self { $($name: $formula,)* }
            }

            /// All coefficients with their printed names.
            #[must_use]
            pub fn named(&self) -> Vec<(&'static str, T)> {
                vec![$((stringify!($name), self.$name)),*]
            }
        }
    };
}

coefficients! {
    |arm| {
        let Parts { moment, turning, beyond, sway: [sway21, sway22], swing: [swing21, swing22], inertia1 } =
            Parts::new(arm);
        let (one, link, two) = (&arm.links()[0], &arm.links()[1], T::from_f64(2.0));
        let (l1, mp, jp) = (one.length, arm.payload().mass, arm.payload().inertia);
        let ([phi11, phi12], [dphi11, dphi12]) = ([one.tip[0], one.tip[1]], [one.tip_slope[0], one.tip_slope[1]]);
        let ([phi21, phi22], [dphi21, dphi22]) = ([link.tip[0], link.tip[1]], [link.tip_slope[0], link.tip_slope[1]]);
        let ([w11, w12], [z111, z112, z122]) = ([one.w[0], one.w[1]], [one.z[0], one.z[1], one.z[3]]);
        let [z211, z212, z222] = [link.z[0], link.z[1], link.z[3]];
    }
    b111 = inertia1 + turning + beyond * l1 * l1;
    b112 = two * moment * l1;
    b113 = two * moment;
    b114 = -two * l1;
    b121 = turning;
    b122 = moment * l1;
    b123 = moment;
    b124 = -l1;
    b131 = w11 + turning * dphi11 + beyond * l1 * phi11;
    b132 = moment * (phi11 + l1 * dphi11);
    b133 = -(phi11 + l1 * dphi11);
    b134 = -moment * (phi11 * dphi12 - phi12 * dphi11);
    b141 = w12 + turning * dphi12 + beyond * l1 * phi12;
    b142 = moment * (phi12 + l1 * dphi12);
    b143 = -(phi12 + l1 * dphi12);
    b144 = -moment * (phi12 * dphi11 - phi11 * dphi12);
    b151 = swing21;
    b152 = sway21 * l1;
    b153 = sway21;
    b161 = swing22;
    b162 = sway22 * l1;
    b163 = sway22;
    b221 = turning;
    b231 = turning * dphi11;
    b232 = moment * phi11;
    b233 = -phi11;
    b234 = -moment * phi11;
    b241 = turning * dphi12;
    b242 = moment * phi12;
    b243 = -phi12;
    b244 = -moment * phi12;
    b251 = swing21;
    b261 = swing22;
    b331 = z111 + beyond * phi11 * phi11 + turning * dphi11 * dphi11;
    b332 = two * moment * phi11 * dphi11;
    b333 = -two * phi11 * dphi11;
    b341 = z112 + beyond * phi11 * phi12 + turning * dphi11 * dphi12;
    b342 = moment * (phi11 * dphi12 + phi12 * dphi11);
    b343 = -(phi11 * dphi12 + phi12 * dphi11);
    b351 = swing21 * dphi11;
    b352 = sway21 * phi11;
    b353 = -sway21 * phi11;
    b361 = swing22 * dphi11;
    b362 = sway22 * phi11;
    b363 = -sway22 * phi11;
    b441 = z122 + beyond * phi12 * phi12 + turning * dphi12 * dphi12;
    b442 = two * moment * phi12 * dphi12;
    b443 = -two * phi12 * dphi12;
    b451 = swing21 * dphi12;
    b452 = sway21 * phi12;
    b453 = -sway21 * phi12;
    b461 = swing22 * dphi12;
    b462 = sway22 * phi12;
    b463 = -sway22 * phi12;
    b551 = z211 + mp * phi21 * phi21 + jp * dphi21 * dphi21;
    b561 = z212 + mp * phi21 * phi22 + jp * dphi21 * dphi22;
    b661 = z222 + mp * phi22 * phi22 + jp * dphi22 * dphi22;
    t11 = phi11 - l1 * dphi11;
    t12 = phi12 - l1 * dphi12;
    t21 = sway21;
    t22 = sway22;
    t31 = dphi11;
    t32 = dphi12;
    h101 = -two * moment * l1;
    h102 = two * moment * (phi11 - l1 * dphi11);
    h103 = two * moment * (phi12 - l1 * dphi12);
    h104 = -two * sway21 * l1;
    h105 = -two * sway22 * l1;
    h106 = -moment * l1;
    h107 = -two * moment * l1 * dphi11;
    h108 = -two * moment * l1 * dphi12;
    h109 = -two * sway21 * l1;
    h110 = -two * sway22 * l1;
    h111 = -two * sway21 * l1 * dphi11;
    h112 = -two * sway22 * l1 * dphi11;
    h113 = -two * sway21 * l1 * dphi12;
    h114 = -two * sway22 * l1 * dphi12;
    h115 = two * moment;
    h116 = moment;
    h117 = sway21;
    h118 = sway22;
    h119 = -two * l1;
    h120 = -l1;
    h121 = -(phi11 + l1 * dphi11);
    h122 = -(phi12 + l1 * dphi12);
    h123 = -moment * (phi11 * dphi12 - phi12 * dphi11);
    h124 = -moment * (phi12 * dphi11 - phi11 * dphi12);
    h201 = moment * l1;
    h202 = two * moment * phi11;
    h203 = two * moment * phi12;
    h204 = -moment;
    h205 = -sway21;
    h206 = -sway22;
    h207 = l1;
    h208 = phi11 + l1 * dphi11;
    h209 = phi12 + l1 * dphi12;
    h210 = moment * (phi11 * dphi12 - phi12 * dphi11);
    h211 = moment * (phi12 * dphi11 - phi11 * dphi12);
    h212 = phi11 * dphi11;
    h213 = phi11 * dphi12 + phi12 * dphi11;
    h214 = sway21 * phi11;
    h215 = sway22 * phi11;
    h216 = phi12 * dphi12;
    h217 = sway21 * phi12;
    h218 = sway22 * phi12;
    h301 = -moment * (phi11 - l1 * dphi11);
    h302 = -two * moment * phi11;
    h303 = two * moment * (phi12 * dphi11 - phi11 * dphi12);
    h304 = -two * sway21 * phi11;
    h305 = -two * sway22 * phi11;
    h306 = -moment * phi11;
    h307 = -two * moment * phi11 * dphi11;
    h308 = -two * moment * phi11 * dphi12;
    h309 = -two * sway21 * phi11;
    h310 = -two * sway22 * phi11;
    h311 = -two * sway21 * phi11 * dphi11;
    h312 = -two * sway22 * phi11 * dphi11;
    h313 = -two * sway21 * phi11 * dphi12;
    h314 = -two * sway22 * phi11 * dphi12;
    h315 = -(phi11 + l1 * dphi11);
    h316 = -phi11;
    h317 = -two * phi11 * dphi11;
    h318 = -(phi11 * dphi12 + phi12 * dphi11);
    h319 = -moment * phi11;
    h320 = -sway21 * phi11;
    h321 = -sway22 * phi11;
    h322 = -moment * (phi11 * dphi12 - phi12 * dphi11);
    h401 = -moment * (phi12 - l1 * dphi12);
    h402 = -two * moment * phi12;
    h403 = two * moment * (phi11 * dphi12 - phi12 * dphi11);
    h404 = -two * sway21 * phi12;
    h405 = -two * sway22 * phi12;
    h406 = -moment * phi12;
    h407 = -two * moment * phi12 * dphi11;
    h408 = -two * moment * phi12 * dphi12;
    h409 = -two * sway21 * phi12;
    h410 = -two * sway22 * phi12;
    h411 = -two * sway21 * phi12 * dphi11;
    h412 = -two * sway22 * phi12 * dphi11;
    h413 = -two * sway21 * phi12 * dphi12;
    h414 = -two * sway22 * phi12 * dphi12;
    h415 = -(phi12 + l1 * dphi12);
    h416 = -phi12;
    h417 = -(phi11 * dphi12 + phi12 * dphi11);
    h418 = -two * phi12 * dphi12;
    h419 = -moment * phi12;
    h420 = -sway21 * phi12;
    h421 = -sway22 * phi12;
    h422 = -moment * (phi12 * dphi11 - phi11 * dphi12);
    h501 = sway21 * l1;
    h502 = two * sway21 * phi11;
    h503 = two * sway21 * phi12;
    h504 = sway21;
    h505 = -sway21 * phi11;
    h506 = -sway21 * phi12;
    h601 = sway22 * l1;
    h602 = two * sway22 * phi11;
    h603 = two * sway22 * phi12;
    h604 = sway22;
    h605 = -sway22 * phi11;
    h606 = -sway22 * phi12;
}
