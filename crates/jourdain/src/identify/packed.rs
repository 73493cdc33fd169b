//! Factors as bytes: less than half of their JSON, and the same to the last bit on every machine.
//!
//! A mark, the length of a heading, the heading as JSON (all but the triangles), the numbers of the triangles little-endian, row by row from the
//! diagonal on, those of the whole first and then those of each stretch of time, and a hash of all that. The same factors are always the
//! same bytes, so that a hash of them can stand for them.

use super::blocks::{Block, Blocks};
use super::error::IdentifyError;
use super::factors::{DriveSettings, Factors, Range};
use super::hash::Hash;
use super::identity::Identity;
use super::triangle::Triangle;
use serde::{Deserialize, Serialize};

/// What every such file begins with; the number is that of the form.
const MARK: &[u8; 8] = b"JDNFACT2";
/// The longest heading, bytes.
const LONGEST: usize = 1 << 28;

/// All but the triangles.
#[derive(Serialize, Deserialize)]
pub(super) struct Heading {
    parameters: Vec<String>,
    samples: u64,
    joints: Vec<JointHeading>,
    drives: Option<DriveSettings>,
    block_seconds: f64,
    blocks: Vec<BlockHeading>,
    identity: Identity,
}

#[derive(Serialize, Deserialize)]
struct JointHeading {
    /// Columns of its triangles.
    width: usize,
    position: Option<[f64; 2]>,
    speed: f64,
    acceleration: f64,
    /// Torques that count; all samples if it is not said.
    rows: Option<u64>,
}

#[derive(Serialize, Deserialize)]
struct BlockHeading {
    number: i64,
    samples: u64,
}

impl Heading {
    pub fn new(factors: &Factors) -> Self {
        let joint = |(triangle, range): (&Triangle, &Range)| JointHeading {
            width: triangle.width(),
            position: (range.least <= range.most).then_some([range.least, range.most]),
            speed: range.speed,
            acceleration: range.acceleration,
            rows: Some(range.rows),
        };
        let block = |block: &Block| BlockHeading { number: block.number, samples: block.samples };
        Self {
            parameters: factors.names.clone(),
            samples: factors.samples,
            joints: factors.triangles.iter().zip(&factors.ranges).map(joint).collect(),
            drives: factors.drives.clone(),
            block_seconds: factors.blocks.seconds,
            blocks: factors.blocks.iter().map(block).collect(),
            identity: factors.identity.clone(),
        }
    }

    /// The widths of the triangles, whole and stretches alike; checked, because they come from a file.
    fn widths(&self) -> Result<Vec<usize>, IdentifyError> {
        let most = self.parameters.len() + 1;
        match self.joints.iter().position(|joint| joint.width > most) {
            Some(at) => Err(bad(format!("the triangle of joint {} is wider than there are parameters", at + 1))),
            None => Ok(self.joints.iter().map(|joint| joint.width).collect()),
        }
    }

    /// With the numbers of the triangles, one triangle after the other.
    pub fn factors(self, numbers: &[f64]) -> Result<Factors, IdentifyError> {
        let widths = self.widths()?;
        if numbers.iter().any(|x| !x.is_finite()) {
            return Err(bad("it has numbers that are not finite".to_owned()));
        }
        let mut rest = numbers;
        let mut triangles = || -> Result<Vec<Triangle>, IdentifyError> {
            let triangle = |width: &usize| {
                let (own, after) = rest.split_at_checked(width * (width + 1) / 2)?;
                rest = after;
                Triangle::from_packed(*width, own)
            };
            let all = widths.iter().map(triangle).collect::<Option<Vec<_>>>();
            all.ok_or_else(|| bad("it has fewer numbers than its triangles".to_owned()))
        };
        let whole = triangles()?;
        let mut blocks = Vec::with_capacity(self.blocks.len());
        for BlockHeading { number, samples } in self.blocks {
            blocks.push(Block { number, samples, triangles: triangles()? });
        }
        if !rest.is_empty() {
            return Err(bad("it has more numbers than its triangles".to_owned()));
        }
        let blocks = Blocks::from_file(&widths, self.block_seconds, blocks);
        let blocks = blocks.ok_or_else(|| bad("its blocks are not in order".to_owned()))?;
        let range = |joint: &JointHeading| {
            let [least, most] = joint.position.unwrap_or([f64::INFINITY, f64::NEG_INFINITY]);
            let rows = joint.rows.unwrap_or(self.samples);
            Range { least, most, speed: joint.speed, acceleration: joint.acceleration, rows }
        };
        Ok(Factors {
            ranges: self.joints.iter().map(range).collect(),
            names: self.parameters,
            samples: self.samples,
            triangles: whole,
            blocks,
            drives: self.drives,
            identity: self.identity,
        })
    }
}

/// The numbers of all triangles, one after the other.
pub(super) fn numbers(factors: &Factors) -> impl Iterator<Item = f64> + '_ {
    let blocks = factors.blocks.iter().flat_map(|block| &block.triangles);
    factors.triangles.iter().chain(blocks).flat_map(Triangle::packed)
}

impl Factors {
    /// As bytes, for a file or a wire.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let heading = serde_json::to_vec(&Heading::new(self)).unwrap_or_default();
        let mut bytes = MARK.to_vec();
        bytes.extend((heading.len() as u64).to_le_bytes());
        bytes.extend(heading);
        bytes.extend(numbers(self).flat_map(f64::to_le_bytes));
        let hash = Hash::of(&bytes);
        bytes.extend(hash.to_le_bytes());
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) or [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    /// Bytes that are none of theirs: other ones, too few, too many, or changed since.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, IdentifyError> {
        if bytes.trim_ascii_start().first() == Some(&b'{') {
            let text = std::str::from_utf8(bytes).map_err(|_| bad("it is not UTF-8".to_owned()))?;
            return Self::from_json(text);
        }
        let rest = match bytes.split_first_chunk::<8>() {
            Some((mark, rest)) if mark == MARK => rest,
            Some((mark, _)) if mark[..7] == MARK[..7] => {
                return Err(bad(format!("it has the form `{}`, not `JDNFACT2`", String::from_utf8_lossy(mark))));
            }
            _ => return Err(bad("it does not begin as one".to_owned())),
        };
        let short = || bad("it ends too early: it is not complete".to_owned());
        let (length, rest) = rest.split_first_chunk::<8>().ok_or_else(short)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok().filter(|length| *length <= LONGEST);
        let (heading, rest) = length.and_then(|length| rest.split_at_checked(length)).ok_or_else(short)?;
        let (numbers, hash) = rest.split_last_chunk::<8>().ok_or_else(short)?;
        if u64::from_le_bytes(*hash) != Hash::of(&bytes[..bytes.len() - 8]) {
            return Err(damaged());
        }
        let heading: Heading = serde_json::from_slice(heading).map_err(|error| bad(error.to_string()))?;
        let (numbers, odd) = numbers.as_chunks::<8>();
        if !odd.is_empty() {
            return Err(short());
        }
        let numbers: Vec<f64> = numbers.iter().map(|number| f64::from_le_bytes(*number)).collect();
        heading.factors(&numbers)
    }
}

/// That a file of factors is none.
pub(super) fn bad(message: String) -> IdentifyError {
    IdentifyError::BadFactors { message }
}

/// That it is not as it was written.
pub(super) fn damaged() -> IdentifyError {
    IdentifyError::DamagedFactors
}

#[cfg(test)]
mod tests {
    use super::super::{Accumulator, Drives, LogPart, LogSettings, Problem, Sample};
    use super::*;
    use crate::random::Random;
    use crate::robots;

    fn factors(samples: usize) -> Factors {
        let model = robots::load("planar2r").unwrap();
        let problem = Problem::new(&model, Drives::default()).unwrap();
        let (mut accumulator, mut random) = (Accumulator::new(&problem), Random(4));
        for i in 0..samples {
            let [q, qd, qdd, tau] = std::array::from_fn(|_| random.vector(2));
            accumulator.add(&Sample { t: 0.01 * i as f64, q: &q, qd: &qd, qdd: &qdd, tau: &tau, z: &[] });
        }
        let mut factors = accumulator.finish();
        let settings = LogSettings { cutoff: Some(1.0 / 3.0), delay: -0.1, decimate: 2, late: 7 };
        let (hash, rows, part) = (0xF123_4567_89AB_CDEF, 700, Some([1, 2]));
        factors.identity.logs.push(LogPart {
            file: "a, b.csv".to_owned(),
            hash,
            rows,
            from: 0,
            to: 350,
            part,
            settings,
            counts: None,
        });
        factors
    }

    #[test]
    fn bytes_and_json_give_the_same_factors_again_to_the_last_bit() {
        for samples in [0, 3, 700] {
            let factors = factors(samples);
            assert_eq!(Factors::from_bytes(&factors.to_bytes()).unwrap(), factors);
            assert_eq!(Factors::from_bytes(factors.to_json().as_bytes()).unwrap().to_bytes(), factors.to_bytes());
            assert!(2 * factors.to_bytes().len() < factors.to_json().len() || samples < 700);
        }
    }

    #[test]
    fn what_is_cut_off_longer_or_changed_is_refused() {
        let bytes = factors(300).to_bytes();
        for end in (0..bytes.len()).step_by(7) {
            let kind = Factors::from_bytes(&bytes[..end]).unwrap_err().kind();
            assert!(kind == "bad-factors" || kind == "damaged-factors", "{end} bytes: {kind}");
        }
        assert_eq!(Factors::from_bytes(&[&bytes[..], &[0]].concat()).unwrap_err().kind(), "damaged-factors");
        for at in (8..bytes.len()).step_by(13) {
            let mut other = bytes.clone();
            other[at] ^= 4;
            assert!(Factors::from_bytes(&other).is_err(), "byte {at}");
        }
        let mut other = bytes;
        other[7] = b'1';
        assert!(
            Factors::from_bytes(&other)
                .unwrap_err()
                .to_string()
                .ends_with("it has the form `JDNFACT1`, not `JDNFACT2`")
        );
    }

    #[test]
    fn a_changed_number_in_a_json_file_is_damage_and_layout_is_not() {
        let text = factors(300).to_json();
        let at = text.find("\"samples\":300").unwrap();
        let mut other = text.clone();
        other.replace_range(at..at + 13, "\"samples\":301");
        assert_eq!(Factors::from_json(&other).unwrap_err().kind(), "damaged-factors");
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        assert_eq!(Factors::from_json(&pretty).unwrap(), factors(300));
        let old = r#"{"format": "jourdain-factors-2", "parameters": [], "samples": 0}"#;
        assert!(Factors::from_json(old).unwrap_err().to_string().contains("an earlier version"));
    }
}
