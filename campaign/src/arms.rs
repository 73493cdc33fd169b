//! Random flexible arms against finite elements, which know nothing of modes: chains of one to three beams with locked joints at
//! rest, and one beam that spins or hangs.
//!
//! Modes are a basis that is cut off, so that squares of frequencies lie above those of the finite elements (Rayleigh), and how far
//! depends on how many modes there are.

use crate::beam::ElementBeam;
use crate::chain::{ChainLink, ElementChain};
use crate::common::random_tree::Random;
use crate::stage::{Setup, Worker};
use crate::tally::Tally;
use jourdain::flexible::{BuiltArm, linearise, linearise_moving};
use std::fmt::Write as _;

/// Of ω² of the lowest two, relative, with as many modes as are used here.
const CHAIN: f64 = 2e-2;
const BEAM: f64 = 5e-3;
/// How far below the finite elements, which are extrapolated to elements without length: that leaves some 1e-8.
const BELOW: f64 = 1e-7;

fn chain(seed: u64, random: &mut Random, tally: &mut Tally) -> Result<(), String> {
    let count = 1 + random.below(3);
    let payload = [random.range(0.02, 0.5), random.range(1e-4, 1e-2)];
    let (mut links, mut angles) = (Vec::new(), Vec::new());
    let mut text = format!("name = \"chain\"\npayload = {{ mass = {:?}, inertia = {:?} }}\n", payload[0], payload[1]);
    for _ in 0..count {
        let link = ChainLink {
            length: random.range(0.3, 1.2),
            density: random.range(0.1, 1.0),
            rigidity: random.range(0.5, 20.0),
            hub: [random.range(0.0, 1.0), random.range(1e-3, 0.1)],
            angle: random.range(-2.5, 2.5),
        };
        let ChainLink { length, density, rigidity, hub: [mass, inertia], angle } = link;
        write!(
            text,
            "[[link]]\nlength = {length:?}\ndensity = {density:?}\nrigidity = {rigidity:?}\nmodes = 6\n\
             hub = {{ mass = {mass:?}, inertia = {inertia:?} }}\n"
        )
        .map_err(|error| error.to_string())?;
        angles.push(angle);
        links.push(link);
    }
    let arm = text.parse::<BuiltArm>().map_err(|error| format!("{error:?}"))?.arm;
    let found = linearise(&arm, &angles).map_err(|error| error.to_string())?.locked_squares();
    let known = ElementChain { links, payload }.squares().ok_or("finite elements without frequencies")?;
    tally.count(&format!("chains of {count} links"), 1);
    for (number, (found, known)) in found.iter().zip(&known).take(2).enumerate() {
        let relative = found / known - 1.0;
        let name = format!("ω² number {} of chains of {count}", number + 1);
        tally.compare("finite elements", &name, seed, relative.abs(), CHAIN);
        tally.compare("Rayleigh: not below", &name, seed, (-relative).max(0.0), BELOW);
    }
    Ok(())
}

fn beam(seed: u64, random: &mut Random, tally: &mut Tally) -> Result<(), String> {
    let [length, density, rigidity] = [random.range(0.4, 1.5), random.range(0.3, 2.0), random.range(0.5, 10.0)];
    let tip = [random.range(0.0, 1.0), random.range(1e-3, 2e-2)];
    // Rates and accelerations in units of the beam: √(EI/ρℓ⁴), EI/ρℓ³.
    let rate = (rigidity / density).sqrt() / (length * length);
    let spins = random.chance(0.5);
    let spin = if spins { rate * random.range(0.2, 3.0) } else { 0.0 };
    let weight = tip[0] + density * length;
    let pull = if spins { 0.0 } else { rigidity / (length * length * weight) * random.range(-0.8, 2.0) };
    let text = format!(
        "name = \"beam\"\ngravity = [{pull:?}, 0.0]\nkinematics = \"{}\"\npayload = {{ mass = {:?}, inertia = {:?} }}\n\
         [[link]]\nlength = {length:?}\ndensity = {density:?}\nrigidity = {rigidity:?}\nmodes = 6\nhub = {{ inertia = 1.0 }}\n",
        ["stiffened", "exact"][random.below(2)],
        tip[0],
        tip[1],
    );
    let arm = text.parse::<BuiltArm>().map_err(|error| format!("{error:?}"))?.arm;
    let mut qd = vec![0.0; arm.size()];
    qd[0] = spin;
    let found = linearise_moving(&arm, &[0.0], &qd).map_err(|error| error.to_string())?.locked_squares();
    let elements = ElementBeam { length, density, rigidity, tip, spin, pull };
    let what = if spins { "a spinning beam" } else { "a beam under its weight" };
    tally.count(what, 1);
    for number in 1..=2 {
        let known = elements.square(number);
        let error = (found[number - 1] - known).abs() / known.abs().max(rate * rate);
        tally.compare("finite elements", &format!("ω² number {number} of {what}"), seed, error, BEAM);
    }
    Ok(())
}

pub fn worker(_: &Setup) -> Result<Worker, String> {
    Ok(Box::new(|seed, tally| {
        let mut random = Random::new(0xf1e8_0000 + seed);
        let done = if seed % 2 == 0 { chain(seed, &mut random, tally) } else { beam(seed, &mut random, tally) };
        if let Err(problem) = done {
            tally.fail(seed, problem);
        }
    }))
}
