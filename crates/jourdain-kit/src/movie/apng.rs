//! Movies as animated PNG: a PNG file that programs without animation show the first picture of.

use super::Movie;
use super::colours::{Change, Reel};
use crate::host::Host;
use crate::plot::png::{SIGNATURE, chunk};
use crate::problem::Problem;
use crate::write::Output;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write as _;
use std::path::Path;

/// Writes a movie.
///
/// # Errors
/// The file cannot be written, or is no longer wanted.
pub fn write(movie: &Movie<'_>, path: &Path, width: u32, host: &dyn Host) -> Result<(), Problem> {
    let mut reel = Reel::new(movie, width)?;
    let mut output = Output::new(Some(path), host)?;
    let count = movie.timing.times.len() as u32;
    let delay = (1000.0 * movie.timing.delay).round() as u16;
    let mut file = SIGNATURE.to_vec();
    // Eight bits, numbers of colours, deflate, filters, not interlaced.
    let header = [&reel.width.to_be_bytes()[..], &reel.height.to_be_bytes(), &[8, 3, 0, 0, 0]].concat();
    chunk(&mut file, b"IHDR", &header);
    chunk(&mut file, b"acTL", &[count.to_be_bytes(), 0_u32.to_be_bytes()].concat());
    chunk(&mut file, b"sRGB", &[0]);
    chunk(&mut file, b"PLTE", &reel.colours.concat());
    // The first colour is none.
    chunk(&mut file, b"tRNS", &[0]);
    let mut sequence = 0_u32;
    for frame in 0..movie.timing.times.len() {
        let change = reel.change(frame, movie, host)?;
        let place = [sequence, change.width, change.height, change.x, change.y].map(u32::to_be_bytes).concat();
        // Milliseconds; what was there stays, and is seen where nothing is new.
        let how = [&delay.to_be_bytes()[..], &1000_u16.to_be_bytes(), &[0, u8::from(frame > 0)]].concat();
        chunk(&mut file, b"fcTL", &[place, how].concat());
        sequence += 1;
        let pixels = deflated(&change).map_err(|error| output.problem(&error))?;
        if frame == 0 {
            chunk(&mut file, b"IDAT", &pixels);
        } else {
            chunk(&mut file, b"fdAT", &[&sequence.to_be_bytes()[..], &pixels].concat());
            sequence += 1;
        }
        output.write_all(&file).map_err(|error| output.problem(&error))?;
        file.clear();
    }
    chunk(&mut file, b"IEND", &[]);
    output.write_all(&file).map_err(|error| output.problem(&error))?;
    output.finish()
}

fn deflated(change: &Change) -> std::io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    for row in change.pixels.chunks_exact(change.width.max(1) as usize) {
        encoder.write_all(&[0])?;
        encoder.write_all(row)?;
    }
    encoder.finish()
}
