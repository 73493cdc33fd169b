//! A simulated robot as a moving picture.

use crate::host::Host;
use crate::movie::Animate;
use crate::movie::robot::{Play, Sampled, energies, quaternions, sampled};
use crate::plot::look::Theme;
use crate::problem::Problem;
use jourdain::Model;
use jourdain::elastic::ElasticModel;
use jourdain::simulate::{Elastic, Trajectory};

/// What drives a motion, in words.
#[must_use]
pub fn driven(law: &str) -> String {
    match law {
        "none" => "left to itself".to_owned(),
        "constant" => "constant torques".to_owned(),
        "table" => "torques of a table".to_owned(),
        "custom" => "a law of one's own".to_owned(),
        law => law.to_owned(),
    }
}

/// Writes the motion of a robot, if an animation is asked for; of elastic joints with their motors.
///
/// # Errors
/// Nothing moves, an option is out of its range, or the file cannot be written.
pub fn motion(
    model: &Model<f64>,
    elastic: Option<&ElasticModel<f64>>,
    motion: &Trajectory,
    theme: Theme,
    options: &Animate,
    host: &dyn Host,
) -> Result<(), Problem> {
    let Some(Sampled { timing, samples, trail }) = sampled(motion, options, &quaternions(model))? else {
        return Ok(());
    };
    let own = |q: Vec<f64>| q[..model.nq()].to_vec();
    let trail = trail.into_iter().map(own).collect();
    let positions = samples.iter().map(|sample| own(sample.q.clone())).collect();
    let twists = elastic.map_or_else(Vec::new, |elastic| {
        let system = Elastic::new(elastic);
        let twist = |q: &[f64]| system.rotors(q).iter().zip(q).map(|(motor, link)| motor - link).collect();
        samples.iter().map(|sample| twist(&sample.q)).collect()
    });
    let title = format!("{} · {}", model.name(), driven(motion.law));
    let curves = Some(energies(&samples));
    Play { positions, trail, twists, curves, theme, ..Play::new(model, title, timing) }.write(options, host)
}
