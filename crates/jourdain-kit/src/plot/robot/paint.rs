//! The colours of robots in pictures.

use super::super::drawing::{Colour, Paint};
use super::skeleton::Hue;

/// Black or white, to mix with.
const BLACK: Colour = Colour([0; 3]);
const WHITE: Colour = Colour([255; 3]);

/// A colour that hides what is behind.
#[must_use]
pub fn solid(colour: Colour) -> Paint {
    Paint { colour, opacity: 1.0 }
}

/// A share of the second colour in the first.
#[must_use]
pub fn mix(a: Colour, b: Colour, share: f64) -> Colour {
    let channel = |k: usize| (f64::from(a.0[k]) + (f64::from(b.0[k]) - f64::from(a.0[k])) * share).round() as u8;
    Colour([channel(0), channel(1), channel(2)])
}

/// The colours of a picture, by what they are for.
#[derive(Clone, Copy, Debug)]
pub struct Palette {
    /// Behind everything.
    pub surface: Colour,
    /// Words and what matters.
    pub ink: Colour,
    /// Secondary words.
    pub ink_2: Colour,
    /// Notes.
    pub ink_3: Colour,
    /// Hairlines.
    pub line: Colour,
    /// Floor lines.
    pub line_strong: Colour,
    /// Links.
    pub link: Colour,
    /// Their contour.
    pub link_edge: Colour,
    /// Other postures.
    pub ghost: Colour,
    /// x, y, z.
    pub axes: [Colour; 3],
    /// Kinetic energy.
    pub positive: Colour,
    /// Potential energy.
    pub negative: Colour,
    /// What went wrong.
    pub error: Colour,
    /// Joints.
    pub joints: [Colour; 8],
    /// Joints in words.
    pub joint_inks: [Colour; 8],
}

const fn hex(value: u32) -> Colour {
    Colour([(value >> 16) as u8, (value >> 8) as u8, value as u8])
}

/// On white paper.
pub const LIGHT: Palette = Palette {
    surface: hex(0xFF_FF_FF),
    ink: hex(0x14_20_2B),
    ink_2: hex(0x46_53_62),
    ink_3: hex(0x5F_6C_7B),
    line: hex(0xDF_E4_EA),
    line_strong: hex(0xB9_C2_CC),
    link: hex(0xE9_EC_EF),
    link_edge: hex(0x8F_9A_A6),
    ghost: hex(0x5F_6C_7B),
    axes: [hex(0xB4_44_3F), hex(0x4B_8A_3F), hex(0x3F_66_B0)],
    positive: hex(0x1F_4E_79),
    negative: hex(0x9A_4A_1C),
    error: hex(0x9B_1C_1C),
    joints: [
        hex(0x00_3C_AC),
        hex(0xF0_6D_00),
        hex(0x1E_A8_7F),
        hex(0xA3_0F_5A),
        hex(0x23_81_A2),
        hex(0x86_63_0E),
        hex(0x91_73_FB),
        hex(0x82_20_09),
    ],
    joint_inks: [
        hex(0x00_3C_AC),
        hex(0xB4_50_01),
        hex(0x00_7D_5C),
        hex(0xA3_0F_5A),
        hex(0x11_76_97),
        hex(0x86_63_0E),
        hex(0x76_54_DA),
        hex(0x82_20_09),
    ],
};

/// On a dark screen.
pub const DARK: Palette = Palette {
    surface: hex(0x17_1B_21),
    ink: hex(0xE9_ED_F1),
    ink_2: hex(0xB3_BC_C7),
    ink_3: hex(0x8F_9A_A7),
    line: hex(0x2A_32_3B),
    line_strong: hex(0x46_52_5F),
    link: hex(0x77_82_8F),
    link_edge: hex(0xA9_B3_BE),
    ghost: hex(0x8A_95_A2),
    axes: [hex(0xE0_72_6C), hex(0x7D_BB_70), hex(0x7F_9F_E0)],
    positive: hex(0x5B_9B_D8),
    negative: hex(0xD9_8A_55),
    error: hex(0xFF_9C_94),
    joints: [
        hex(0x74_A7_F9),
        hex(0xFC_88_09),
        hex(0x88_D6_A3),
        hex(0xC4_60_96),
        hex(0x69_EF_FE),
        hex(0xF9_DC_27),
        hex(0x90_69_F3),
        hex(0xEB_51_26),
    ],
    joint_inks: [
        hex(0x74_A7_F9),
        hex(0xFC_88_09),
        hex(0x88_D6_A3),
        hex(0xD1_6C_A2),
        hex(0x69_EF_FE),
        hex(0xF9_DC_27),
        hex(0x9A_75_FF),
        hex(0xF5_5A_30),
    ],
};

impl Palette {
    /// What a joint is filled with.
    #[must_use]
    pub fn joint(&self, hue: Hue) -> Colour {
        stepped(self.joints[hue.index % self.joints.len()], hue)
    }

    /// What is written about a joint.
    #[must_use]
    pub fn joint_ink(&self, hue: Hue) -> Colour {
        self.joint_inks[hue.index % self.joint_inks.len()]
    }
}

fn stepped(colour: Colour, hue: Hue) -> Colour {
    match hue.step {
        0 => colour,
        step if step < 0 => mix(colour, BLACK, 0.24),
        _ => mix(colour, WHITE, 0.28),
    }
}
