//! Magnitude and phase of a frequency response, with poles and zeros.
//!
//! The phase is unwrapped by what the response is made of, K Π(iω − z) / Π(iω − p): every factor turns steadily, so that at a pole on
//! the left the phase falls and at a zero it rises, on the right the other way round. Trap: the samples alone do not tell how the
//! phase of an undamped pole goes on, since half a turn up and half a turn down end alike. A pole or zero on the axis counts as the
//! limit of one on the left: vanishing damping takes half a turn away at a pole.

use super::figure::{Axis, Block, Curve, Figure, Height, Kind, Panel, Root, RootKind, Scale, extent};
use super::look::Hue;
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

/// Points of a curve between the lowest and the highest frequency.
const POINTS: usize = 900;

/// Roots this much smaller than the largest are at the origin, and those this close to the axis are on it.
const DUST: f64 = 1e-6;

/// How close to an undamped pole or zero a curve is followed, as a share of the frequency.
const CLOSE: [f64; 6] = [3e-2, 1e-2, 3e-3, 1e-3, 1e-4, 1e-5];

/// What is shown around an undamped pole or zero does not count for the range of the magnitude.
const AROUND: f64 = 0.02;

/// A response with its roots, real and imaginary parts in rad/s.
pub struct Response<'r> {
    /// At an angular frequency, rad/s; `None` at a pole.
    pub at: &'r dyn Fn(f64) -> Option<[f64; 2]>,
    /// Its poles, conjugates included.
    pub poles: &'r [[f64; 2]],
    /// Its zeros, conjugates included.
    pub zeros: &'r [[f64; 2]],
}

/// Samples of a response.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// Frequencies, Hz.
    pub hertz: Vec<f64>,
    /// Magnitudes, dB.
    pub magnitude: Vec<f64>,
    /// Phases, degrees, unwrapped.
    pub phase: Vec<f64>,
}

impl Response<'_> {
    /// Samples from one frequency to another, Hz, denser at poles and zeros.
    #[must_use]
    pub fn sampled(&self, [low, high]: [f64; 2]) -> Samples {
        let [poles, zeros] = [self.poles, self.zeros].map(cleaned);
        let mut hertz: Vec<f64> = (0..=POINTS).map(|k| low * (high / low).powf(k as f64 / POINTS as f64)).collect();
        for [_, im] in poles.iter().chain(&zeros).filter(|[_, im]| *im > 0.0) {
            let at = im / TAU;
            hertz.extend(CLOSE.iter().flat_map(|share| [at * (1.0 - share), at * (1.0 + share)]));
        }
        hertz.retain(|f| (low..=high).contains(f));
        hertz.sort_by(f64::total_cmp);
        let turned = |omega: f64| angles(&zeros, omega) - angles(&poles, omega);
        let samples: Vec<(f64, f64, f64)> = (hertz.iter())
            .filter_map(|f| {
                let [re, im] = (self.at)(TAU * f)?;
                let size = re.hypot(im);
                (size > 0.0 && size.is_finite()).then(|| (*f, 20.0 * size.log10(), im.atan2(re)))
            })
            .collect();
        // The sign of the gain: what most samples say.
        let negative = samples.iter().filter(|(f, _, angle)| (angle - turned(TAU * f)).cos() < 0.0).count();
        let gain = if 2 * negative > samples.len() { -PI } else { 0.0 };
        // The first phase between −200° and 160°, so that −180° is not 180°.
        let first = samples.first().map_or(0.0, |(f, _, _)| turned(TAU * f) + gain);
        let whole = gain - TAU * ((first + 20_f64.to_radians()) / TAU).round();
        let phase = |(f, _, angle): &(f64, f64, f64)| {
            let guide = turned(TAU * f) + whole;
            (angle + TAU * ((guide - angle) / TAU).round()).to_degrees()
        };
        Samples {
            hertz: samples.iter().map(|sample| sample.0).collect(),
            magnitude: samples.iter().map(|sample| sample.1).collect(),
            phase: samples.iter().map(phase).collect(),
        }
    }

    /// Two panels: magnitude with poles and zeros, phase.
    #[must_use]
    pub fn figure(&self, range: [f64; 2], label: &str, unit: &str, hue: Hue) -> Figure {
        let samples = self.sampled(range);
        let [poles, zeros] = [self.poles, self.zeros].map(cleaned);
        let undamped = |roots: &[[f64; 2]]| -> Vec<f64> {
            roots.iter().filter(|[re, im]| *re == 0.0 && *im > 0.0).map(|[_, im]| im / TAU).collect()
        };
        let sharp: Vec<f64> = undamped(&poles).into_iter().chain(undamped(&zeros)).collect();
        let is_sharp = |f: f64| sharp.iter().any(|at| (f / at - 1.0).abs() < AROUND);
        let calm = samples.hertz.iter().zip(&samples.magnitude).filter(|(f, _)| !is_sharp(**f)).map(|(_, y)| *y);
        let bounds = extent(calm).map(|[low, high]| {
            let air = (0.12 * (high - low)).max(10.0);
            [low - air, high + air]
        });
        let cut_off = !undamped(&poles).is_empty();
        let x: Arc<[f64]> = samples.hertz.into();
        let mut roots = Vec::new();
        let (shown_poles, shown_zeros) = apart(&poles, &zeros);
        for (kind, all) in [(RootKind::Pole, &shown_poles), (RootKind::Zero, &shown_zeros)] {
            let upper = all.iter().filter(|[_, im]| *im > 0.0).map(|[_, im]| im / TAU);
            let hue = if kind == RootKind::Pole { Hue::Ink } else { hue };
            roots.extend(upper.filter(|f| (range[0]..=range[1]).contains(f)).map(|at| Root { at, kind, hue }));
        }
        let right = zeros.iter().filter(|[re, _]| *re > 0.0).count();
        let note = if cut_off { "peaks cut off" } else { "" };
        let curve = |y: Vec<f64>| vec![Curve::new(&x, y, hue).labelled(label).drawn(Kind::Emphasis)];
        let magnitude = Panel {
            name: "Magnitude".to_owned(),
            unit: format!("dB re 1 {unit}"),
            note: note.to_owned(),
            height: Height::Tall,
            range: bounds,
            curves: curve(samples.magnitude),
            roots,
            ..Panel::default()
        };
        let phase = Panel {
            name: "Phase".to_owned(),

            note: if sharp.is_empty() { "unwrapped" } else { "of vanishing damping, unwrapped" }.to_owned(),
            scale: Scale::Degrees,
            curves: curve(samples.phase),
            ..Panel::default()
        };
        let minimum = if right > 0 { "not minimum phase".to_owned() } else { String::new() };
        Figure {
            notes: vec![minimum],
            x: Axis { name: "frequency".to_owned(), unit: "Hz".to_owned(), scale: Scale::Logarithmic },
            blocks: vec![Block { cells: vec![vec![magnitude, phase]], wide: false }],
            ..Figure::default()
        }
    }
}

/// Roots without the dust of rounding.
fn cleaned(roots: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let size = |[re, im]: &[f64; 2]| re.hypot(*im);
    // A root at infinity is no measure of the others.
    let largest = roots.iter().map(size).filter(|size| *size < 1e12).fold(0.0, f64::max);
    let clean = |root: &[f64; 2]| {
        let own = size(root);
        if own < DUST * largest {
            return [0.0, 0.0];
        }
        root.map(|part| if part.abs() < DUST * own { 0.0 } else { part })
    };
    roots.iter().map(clean).collect()
}

/// Poles and zeros that do not cancel each other: motions that this input does not drive, or that this output does not show.
fn apart(poles: &[[f64; 2]], zeros: &[[f64; 2]]) -> (Vec<[f64; 2]>, Vec<[f64; 2]>) {
    let mut zeros = zeros.to_vec();
    let cancels = |pole: &[f64; 2], zero: &[f64; 2]| {
        (pole[0] - zero[0]).hypot(pole[1] - zero[1]) <= DUST * pole[0].hypot(pole[1])
    };
    let mut kept = Vec::new();
    for pole in poles {
        match zeros.iter().position(|zero| cancels(pole, zero)) {
            Some(found) => drop(zeros.swap_remove(found)),
            None => kept.push(*pole),
        }
    }
    (kept, zeros)
}

/// The sum of the angles of iω − r, each steady in ω; roots on the axis as if a little to the left of it.
fn angles(roots: &[[f64; 2]], omega: f64) -> f64 {
    let one = |&[re, im]: &[f64; 2]| {
        if re > 0.0 { PI - ((omega - im) / re).atan() } else { (omega - im).atan2(-re) }
    };
    roots.iter().map(one).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    type Complex = [f64; 2];

    fn product(a: Complex, b: Complex) -> Complex {
        [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
    }

    /// gain · Π(iω − z) / Π(iω − p), by arithmetic that knows nothing of angles.
    fn rational(gain: f64, zeros: &[Complex], poles: &[Complex], omega: f64) -> Option<Complex> {
        let factors =
            |roots: &[Complex]| roots.iter().fold([1.0, 0.0], |all, root| product(all, [-root[0], omega - root[1]]));
        let (above, below) = (factors(zeros), factors(poles));
        let size = below[0] * below[0] + below[1] * below[1];
        let value = product(above, [gain * below[0] / size, -gain * below[1] / size]);
        (size > 0.0).then_some(value)
    }

    fn phases(gain: f64, zeros: &[Complex], poles: &[Complex], places: &[f64]) -> Vec<f64> {
        let at = |omega: f64| rational(gain, zeros, poles, omega);
        let response = Response { at: &at, poles, zeros };
        let samples = response.sampled([1e-3, 1e3]);
        // Whatever is added, it is whole turns.
        for (f, phase) in samples.hertz.iter().zip(&samples.phase) {
            let [re, im] = at(TAU * f).unwrap();
            let off = (phase - im.atan2(re).to_degrees()) / 360.0;
            assert!((off - off.round()).abs() < 1e-9);
        }
        let nearest = |omega: &f64| {
            let f = omega / TAU;
            let at = samples.hertz.partition_point(|other| *other < f).min(samples.hertz.len() - 1);
            samples.phase[at].round()
        };
        places.iter().map(nearest).collect()
    }

    fn pair(re: f64, im: f64) -> [Complex; 2] {
        [[re, im], [re, -im]]
    }

    #[test]
    fn an_undamped_pole_takes_half_a_turn_and_a_zero_gives_it_back() {
        // 1/(s² (s² + 1)), then with zeros at ±0.3i, as of a joint with a flexible link.
        let poles = [[[0.0; 2], [0.0; 2]], pair(0.0, 1.0)].concat();
        assert_eq!(phases(1.0, &[], &poles, &[0.1, 0.5, 2.0, 100.0]), [-180.0, -180.0, -360.0, -360.0]);
        assert_eq!(phases(1.0, &pair(0.0, 0.3), &poles, &[0.1, 0.5, 2.0]), [-180.0, 0.0, -180.0]);
        // Three in a row fall three times.
        let three = [pair(0.0, 1.0), pair(0.0, 10.0), pair(0.0, 100.0)].concat();
        assert_eq!(phases(1.0, &[], &three, &[0.1, 3.0, 30.0, 300.0]), [0.0, -180.0, -360.0, -540.0]);
    }

    #[test]
    fn damping_only_softens_the_fall() {
        let poles = [pair(-0.01, 1.0), pair(-0.1, 10.0)].concat();
        assert_eq!(phases(1.0, &[], &poles, &[0.01, 3.0, 300.0]), [0.0, -180.0, -360.0]);
        assert_eq!(phases(-1.0, &[], &poles, &[0.01, 300.0]), [-180.0, -540.0]);
    }

    #[test]
    fn zeros_on_the_right_fall_and_poles_on_the_right_rise() {
        // (3 − s)/(s + 1): from 0 to −180 although the magnitude only falls.
        assert_eq!(phases(-1.0, &[[3.0, 0.0]], &[[-1.0, 0.0]], &[0.01, 5000.0]), [-1.0, -180.0]);
        // 1/(s − 1): starts at −180 and rises to −90.
        assert_eq!(phases(1.0, &[], &[[1.0, 0.0]], &[0.01, 5000.0]), [-179.0, -90.0]);
        let beam = [pair(0.0, 1.0).to_vec(), pair(0.0, 10.0).to_vec()].concat();
        // A tip: zeros at ±4 cancel in the phase, poles take two half turns.
        assert_eq!(phases(1.0, &[[4.0, 0.0], [-4.0, 0.0]], &beam, &[0.1, 3.0, 300.0]), [-180.0, -360.0, -540.0]);
        assert_eq!(phases(1.0, &pair(0.2, 5.0), &[[-1.0, 0.0]; 3], &[0.01, 5000.0]), [-2.0, -450.0]);
    }

    #[test]
    fn dust_of_rounding_is_no_damping() {
        let poles = [pair(1e-9, 1.0).to_vec(), pair(-3e-8, 10.0).to_vec(), vec![[1e-7, 1e-7], [1e-7, -1e-7]]].concat();
        let exact = [pair(0.0, 1.0).to_vec(), pair(0.0, 10.0).to_vec(), vec![[0.0; 2]; 2]].concat();
        let at = |omega: f64| rational(1.0, &[], &exact, omega);
        let samples = Response { at: &at, poles: &poles, zeros: &[] }.sampled([1e-2, 1e2]);
        assert_eq!((samples.phase[0].round(), samples.phase[samples.phase.len() - 1].round()), (-180.0, -540.0));
    }

    #[test]
    fn poles_and_zeros_are_marked_where_they_are() {
        // The pair at 3 Hz is not driven: there is nothing to be seen of it.
        let hidden = pair(0.0, 3.0 * TAU).to_vec();
        let poles = [pair(-0.1, TAU).to_vec(), hidden.clone()].concat();
        let zeros = [pair(0.0, 2.0 * TAU).to_vec(), vec![[5.0, 0.0]], hidden].concat();
        let at = |omega: f64| rational(1.0, &zeros, &poles, omega);
        let figure =
            Response { at: &at, poles: &poles, zeros: &zeros }.figure([0.1, 10.0], "y", "m/(N m)", Hue::Joint(0));
        let marks: Vec<(f64, RootKind)> =
            figure.blocks[0].cells[0][0].roots.iter().map(|root| (root.at, root.kind)).collect();
        assert_eq!(marks, [(1.0, RootKind::Pole), (2.0, RootKind::Zero)]);
        assert_eq!(figure.notes, ["not minimum phase"]);
    }
}
