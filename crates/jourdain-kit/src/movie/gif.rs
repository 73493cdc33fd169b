//! Movies as GIF.

use super::Movie;
use super::colours::{Reel, UNCHANGED};
use crate::host::Host;
use crate::problem::Problem;
use crate::write::Output;
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use std::path::Path;

/// Writes a movie.
///
/// # Errors
/// The file cannot be written, or is no longer wanted.
pub fn write(movie: &Movie<'_>, path: &Path, width: u32, host: &dyn Host) -> Result<(), Problem> {
    let mut reel = Reel::new(movie, width)?;
    let mut output = Output::new(Some(path), host)?;
    let [width, height] = [reel.width, reel.height].map(|side| u16::try_from(side).unwrap_or(u16::MAX));
    let mut colours = reel.colours.concat();
    colours.resize(3 * 256, 0);
    let delay = (100.0 * movie.timing.delay).round() as u16;
    let written = (|| -> Result<Result<(), EncodingError>, Problem> {
        let mut encoder = match Encoder::new(&mut output, width, height, &colours) {
            Ok(encoder) => encoder,
            Err(error) => return Ok(Err(error)),
        };
        if let Err(error) = encoder.set_repeat(Repeat::Infinite) {
            return Ok(Err(error));
        }
        for frame in 0..movie.timing.times.len() {
            let change = reel.change(frame, movie, host)?;
            let [left, top, width, height] =
                [change.x, change.y, change.width, change.height].map(|side| u16::try_from(side).unwrap_or(u16::MAX));
            let picture = Frame {
                delay,
                dispose: DisposalMethod::Keep,
                transparent: Some(UNCHANGED),
                left,
                top,
                width,
                height,
                buffer: change.pixels.into(),
                ..Frame::default()
            };
            if let Err(error) = encoder.write_frame(&picture) {
                return Ok(Err(error));
            }
        }
        Ok(encoder.into_inner().map(drop))
    })()?;
    match written {
        Ok(()) => output.finish(),
        Err(EncodingError::Io(error)) => Err(output.problem(&error)),
        Err(error) => Err(Problem::new("cannot-animate", format!("cannot write the animation: {error}"))),
    }
}
