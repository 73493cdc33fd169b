//! Volume and inertia of the primitive shapes at density one, solid and as shells.
//!
//! Sizes are half sizes. Shells have the exact surface integrals, but for the ellipsoid, where MuJoCo's own
//! approximations are taken: Thomsen's area, and the inertia of what lies between it and the ellipsoid a little larger.

use std::f64::consts::PI;

/// How much longer the half axes of the larger ellipsoid are, m.
const OFFSET: f64 = 1e-6;

/// The shapes that have a volume of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::formats) enum Shape {
    Sphere,
    Capsule,
    Ellipsoid,
    Cylinder,
    Box,
}

impl Shape {
    /// How many sizes it takes.
    pub fn sizes(self) -> usize {
        match self {
            Self::Sphere => 1,
            Self::Capsule | Self::Cylinder => 2,
            Self::Ellipsoid | Self::Box => 3,
        }
    }

    /// Volume (m³) and principal moments (m⁵) of the solid.
    pub fn solid(self, [a, b, c]: [f64; 3]) -> (f64, [f64; 3]) {
        let about = |volume: f64, share: f64| {
            [b * b + c * c, a * a + c * c, a * a + b * b].map(|squares| volume * share * squares)
        };
        match self {
            Self::Sphere => {
                let volume = 4.0 / 3.0 * PI * a.powi(3);
                (volume, [0.4 * volume * a * a; 3])
            }
            Self::Box => {
                let volume = 8.0 * a * b * c;
                (volume, about(volume, 1.0 / 3.0))
            }
            Self::Ellipsoid => {
                let volume = 4.0 / 3.0 * PI * a * b * c;
                (volume, about(volume, 0.2))
            }
            Self::Cylinder => {
                let volume = 2.0 * PI * a * a * b;
                let across = volume * (3.0 * a * a + 4.0 * b * b) / 12.0;
                (volume, [across, across, volume * a * a / 2.0])
            }
            Self::Capsule => {
                let length = 2.0 * b;
                let (middle, ends) = (PI * a * a * length, 4.0 / 3.0 * PI * a.powi(3));
                let across = middle * (3.0 * a * a + length * length) / 12.0
                    + ends * (0.4 * a * a + 0.375 * a * length + length * length / 4.0);
                (middle + ends, [across, across, middle * a * a / 2.0 + 0.4 * ends * a * a])
            }
        }
    }

    /// Area (m²) and principal moments (m⁴) of the surface.
    pub fn shell(self, [a, b, c]: [f64; 3]) -> (f64, [f64; 3]) {
        match self {
            Self::Sphere => {
                let area = 4.0 * PI * a * a;
                (area, [2.0 / 3.0 * area * a * a; 3])
            }
            Self::Box => {
                let half = [a, b, c];
                // ∫x² over the faces: two at ±a, where it is a², and four along which it runs from −a to a.
                let squares: [f64; 3] = std::array::from_fn(|i| {
                    let (p, j, k) = (half[i], half[(i + 1) % 3], half[(i + 2) % 3]);
                    8.0 * j * k * p * p + 8.0 * p.powi(3) / 3.0 * (j + k)
                });
                let moments = std::array::from_fn(|i| squares[(i + 1) % 3] + squares[(i + 2) % 3]);
                (8.0 * (a * b + b * c + c * a), moments)
            }
            Self::Cylinder => {
                let (caps, wall) = (2.0 * PI * a * a, 4.0 * PI * a * b);
                let across = caps * (a * a / 4.0 + b * b) + wall * (a * a / 2.0 + b * b / 3.0);
                (caps + wall, [across, across, caps * a * a / 2.0 + wall * a * a])
            }
            Self::Capsule => {
                let (ends, wall) = (4.0 * PI * a * a, 4.0 * PI * a * b);
                // Half a sphere's surface has its centre of mass at half its radius.
                let across = ends * (2.0 / 3.0 * a * a + a * b + b * b) + wall * (a * a / 2.0 + b * b / 3.0);
                (ends + wall, [across, across, ends * 2.0 / 3.0 * a * a + wall * a * a])
            }
            Self::Ellipsoid => {
                const P: f64 = 1.6075;
                let area = 4.0 * PI * (((a * b).powf(P) + (a * c).powf(P) + (b * c).powf(P)) / 3.0).powf(1.0 / P);
                let (abc, growth) = (a * b * c, a * b + b * c + c * a + OFFSET * (a + b + c + OFFSET));
                let moment = |p: f64, q: f64| {
                    let squares = (p + OFFSET).powi(2) + (q + OFFSET).powi(2);
                    area / 5.0 * (squares + 2.0 * abc * (p + q + OFFSET) / growth)
                };
                (area, [moment(b, c), moment(a, c), moment(a, b)])
            }
        }
    }
}
