//! Pictures with 255 colours and what changes between them, for formats that count colours.
//!
//! Drawings have few colours and many mixtures of them at edges: the colours that cover most are kept as they are, the mixtures are
//! gathered into as many as are left. Nothing is dithered: moving dots would be noise.

use super::{Movie, WIDTH, next};
use crate::host::Host;
use crate::plot::png::{self, Image};
use crate::problem::Problem;
use std::collections::{BTreeMap, HashMap};

/// The number of the colour that is none: what was there stays.
pub const UNCHANGED: u8 = 0;
/// Colours that are kept as they are.
const KEPT: usize = 120;
/// All colours but the one that is none.
const MOST: usize = 255;
/// Pictures that the colours are chosen by.
const SAMPLES: usize = 12;

/// Pixels by the number of their colour, in a rectangle of the picture.
pub struct Change {
    /// Left edge.
    pub x: u32,
    /// Upper edge.
    pub y: u32,
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Numbers of colours; [`UNCHANGED`] where there is nothing new.
    pub pixels: Vec<u8>,
}

/// A movie as pictures of few colours.
pub struct Reel {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green, blue of each colour; the first is [`UNCHANGED`].
    pub colours: Vec<[u8; 3]>,
    scale: f64,
    known: HashMap<[u8; 3], u8>,
    last: Vec<u8>,
}

impl Reel {
    /// Chooses size and colours.
    ///
    /// # Errors
    /// The pictures are too large.
    pub fn new(movie: &Movie<'_>, pixels_wide: u32) -> Result<Self, Problem> {
        let scale = f64::from(pixels_wide) / WIDTH;
        let count = movie.timing.times.len();
        let mut shares: BTreeMap<[u8; 3], u64> = BTreeMap::new();
        let (mut width, mut height) = (0, 0);
        let step = count.div_ceil(SAMPLES).max(1);
        for frame in (0..count).step_by(step) {
            let image = png::raster(&movie.frame(frame, movie.theme.look()), scale)?;
            (width, height) = (image.width, image.height);
            for pixel in pixels(&image) {
                *shares.entry(pixel).or_default() += 1;
            }
        }
        let mut colours = vec![[0; 3]];
        colours.extend(chosen(shares));
        Ok(Self { width, height, colours, scale, known: HashMap::new(), last: Vec::new() })
    }

    /// The next picture: what differs from the one before.
    ///
    /// # Errors
    /// The picture is too large, or no longer wanted.
    pub fn change(&mut self, frame: usize, movie: &Movie<'_>, host: &dyn Host) -> Result<Change, Problem> {
        next(frame, movie, host)?;
        let image = png::raster(&movie.frame(frame, movie.theme.look()), self.scale)?;
        let now: Vec<u8> = pixels(&image).map(|pixel| self.number(pixel)).collect();
        let (width, height) = (self.width as usize, self.height as usize);
        let whole = self.last.len() != now.len();
        let differs = |at: usize| whole || self.last[at] != now[at];
        let rows = || (0..height).filter(|y| (0..width).any(|x| differs(y * width + x)));
        let (top, bottom) = (rows().next().unwrap_or(0), rows().next_back().unwrap_or(0));
        let columns = || (0..width).filter(|x| (top..=bottom).any(|y| differs(y * width + x)));
        let (left, right) = (columns().next().unwrap_or(0), columns().next_back().unwrap_or(0));
        let mut pixels = Vec::with_capacity((right + 1 - left) * (bottom + 1 - top));
        for y in top..=bottom {
            pixels.extend((left..=right).map(|x| {
                let at = y * width + x;
                if differs(at) { now[at] } else { UNCHANGED }
            }));
        }
        self.last = now;
        let [x, y, width, height] = [left, top, right + 1 - left, bottom + 1 - top].map(|n| n as u32);
        Ok(Change { x, y, width, height, pixels })
    }

    fn number(&mut self, pixel: [u8; 3]) -> u8 {
        let colours = &self.colours;
        *self.known.entry(pixel).or_insert_with(|| {
            let far = |colour: &[u8; 3]| distance(*colour, pixel);
            let places = (1..colours.len()).min_by_key(|place| far(&colours[*place]));
            places.unwrap_or(1) as u8
        })
    }
}

fn pixels(image: &Image) -> impl Iterator<Item = [u8; 3]> + '_ {
    image.rgba.chunks_exact(4).map(|pixel| [pixel[0], pixel[1], pixel[2]])
}

fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    // Green is seen best, blue least.
    let part = |k: usize, weight: u32| weight * u32::from(a[k].abs_diff(b[k])).pow(2);
    part(0, 3) + part(1, 4) + part(2, 2)
}

/// At most [`MOST`] colours for pictures in which these have so many pixels.
fn chosen(shares: BTreeMap<[u8; 3], u64>) -> Vec<[u8; 3]> {
    let mut all: Vec<([u8; 3], u64)> = shares.into_iter().collect();
    // The order of equals is that of the colours: the same movie is the same file.
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    if all.len() <= MOST {
        return all.into_iter().map(|(colour, _)| colour).collect();
    }
    let rest = all.split_off(KEPT);
    let mut colours: Vec<[u8; 3]> = all.into_iter().map(|(colour, _)| colour).collect();
    let mut boxes = vec![rest];
    while boxes.len() < MOST - KEPT {
        let widest = boxes.iter().enumerate().filter(|(_, one)| one.len() > 1).max_by_key(|(_, one)| spread(one).1);
        let Some((place, _)) = widest else { break };
        let mut one = boxes.swap_remove(place);
        let channel = spread(&one).0;
        one.sort_by_key(|(colour, _)| colour[channel]);
        let other = one.split_off(one.len() / 2);
        boxes.extend([one, other]);
    }
    colours.extend(boxes.iter().map(|one| middle(one)));
    colours
}

/// The channel in which colours differ most, and by how much.
fn spread(colours: &[([u8; 3], u64)]) -> (usize, u64) {
    let of = |channel: usize| {
        let values = || colours.iter().map(|(colour, _)| colour[channel]);
        u64::from(values().max().unwrap_or(0) - values().min().unwrap_or(0))
    };
    let widths = [0, 1, 2].map(of);
    let channel = (0..3).fold(0, |best, k| if widths[k] > widths[best] { k } else { best });
    let weight: u64 = colours.iter().map(|(_, count)| count).sum();
    (channel, widths[channel] * widths[channel] * weight.isqrt())
}

fn middle(colours: &[([u8; 3], u64)]) -> [u8; 3] {
    let weight: u64 = colours.iter().map(|(_, count)| count).sum::<u64>().max(1);
    [0, 1, 2].map(|k| (colours.iter().map(|(colour, count)| u64::from(colour[k]) * count).sum::<u64>() / weight) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_and_many_are_gathered() {
        let few: BTreeMap<[u8; 3], u64> = (0..100).map(|k| ([k, 0, 0], u64::from(k) + 1)).collect();
        assert_eq!(chosen(few).len(), 100);
        let many: BTreeMap<[u8; 3], u64> =
            (0..4000_u32).map(|k| ([(k % 256) as u8, (k / 256) as u8, 7], if k == 77 { 100_000 } else { 1 })).collect();
        let colours = chosen(many);
        assert_eq!(colours.len(), MOST);
        assert_eq!(colours[0], [77, 0, 7]);
    }
}
