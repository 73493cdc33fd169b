//! Units as products of powers, so that the unit of an element follows from that of its quantity.
//!
//! A unit is written with the symbols it was made of: a torque stays N m and a mass matrix kg m², although a newton is made
//! of kilograms too. Radians count for nothing in arithmetic; they are written where a number is an angle or its rate.

use std::fmt;

/// A product of powers of newton, kilogram, joule, radian, metre and second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Unit {
    newton: i16,
    kilogram: i16,
    joule: i16,
    radian: i16,
    metre: i16,
    second: i16,
}

impl Unit {
    /// A plain number.
    pub const ONE: Self = Self { newton: 0, kilogram: 0, joule: 0, radian: 0, metre: 0, second: 0 };
    /// Newton.
    pub const NEWTON: Self = Self { newton: 1, ..Self::ONE };
    /// Kilogram.
    pub const KILOGRAM: Self = Self { kilogram: 1, ..Self::ONE };
    /// Joule.
    pub const JOULE: Self = Self { joule: 1, ..Self::ONE };
    /// Radian.
    pub const RADIAN: Self = Self { radian: 1, ..Self::ONE };
    /// Metre.
    pub const METRE: Self = Self { metre: 1, ..Self::ONE };

    /// Times metres to a power.
    #[must_use]
    pub const fn metres(self, power: i16) -> Self {
        Self { metre: self.metre + power, ..self }
    }

    /// Times seconds to a power.
    #[must_use]
    pub const fn seconds(self, power: i16) -> Self {
        Self { second: self.second + power, ..self }
    }

    /// As it is written for a number that is no angle.
    #[must_use]
    pub const fn without_radians(self) -> Self {
        Self { radian: 0, ..self }
    }

    /// The quotient of two units.
    #[must_use]
    pub const fn per(self, other: Self) -> Self {
        Self {
            newton: self.newton - other.newton,
            kilogram: self.kilogram - other.kilogram,
            joule: self.joule - other.joule,
            radian: self.radian - other.radian,
            metre: self.metre - other.metre,
            second: self.second - other.second,
        }
    }
}

impl fmt::Display for Unit {
    /// `kg m²`, `N m/s`, `1/(kg m²)`; `1` for a plain number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let powers = [
            ("N", self.newton),
            ("kg", self.kilogram),
            ("J", self.joule),
            ("rad", self.radian),
            ("m", self.metre),
            ("s", self.second),
        ];
        let side = |sign: i16| -> Vec<String> {
            let here = powers.iter().filter(|(_, power)| power.signum() == sign);
            here.map(|(symbol, power)| format!("{symbol}{}", superscript(power.unsigned_abs()))).collect()
        };
        let (above, below) = (side(1), side(-1));
        let above = if above.is_empty() { "1".to_owned() } else { above.join(" ") };
        match below.as_slice() {
            [] => f.pad(&above),
            [one] => f.pad(&format!("{above}/{one}")),
            several => f.pad(&format!("{above}/({})", several.join(" "))),
        }
    }
}

/// A power as it is written: nothing for one.
fn superscript(power: u16) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    if power == 1 {
        return String::new();
    }
    power.to_string().bytes().map(|digit| DIGITS[usize::from(digit - b'0')]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_written_as_in_a_book() {
        let inertia = Unit::KILOGRAM.metres(2);
        for (unit, text) in [
            (Unit::ONE, "1"),
            (inertia, "kg m²"),
            (inertia.seconds(-2), "kg m²/s²"),
            (Unit::ONE.per(inertia), "1/(kg m²)"),
            (Unit::NEWTON.metres(1).seconds(1), "N m s"),
            (Unit::RADIAN.seconds(-12), "rad/s¹²"),
            (Unit::NEWTON.metres(1).per(inertia), "N/(kg m)"),
        ] {
            assert_eq!(unit.to_string(), text);
        }
    }
}
