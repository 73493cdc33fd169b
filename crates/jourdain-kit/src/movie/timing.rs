//! Which moments of a motion become pictures, and how long each is shown.
//!
//! GIF counts hundredths of a second: the times of the pictures follow what the file can say, so that clocks are right.

use super::{Format, Showing};
use crate::problem::Problem;

/// Pictures per second that may be asked for.
const RATES: std::ops::RangeInclusive<u32> = 1..=60;
/// Pixels in a row that may be asked for.
const WIDTHS: std::ops::RangeInclusive<u32> = 160..=1920;
/// How long an animation lasts, s, unless told otherwise: shorter motions are slowed down, longer ones are sped up.
const LASTS: [f64; 2] = [1.5, 20.0];
/// The longest time that any format can show a picture, s.
const LONGEST_DELAY: f64 = 60.0;

/// When pictures are taken and shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// The moments of the motion, s.
    pub times: Vec<f64>,
    /// How long each is shown, s.
    pub delay: f64,
    /// Seconds of the motion in a second of the animation.
    pub speed: f64,
    /// True if there are fewer pictures per second than were asked for.
    pub sparse: bool,
}

impl Timing {
    /// For a motion of so many seconds.
    ///
    /// # Errors
    /// An option is out of its range, or nothing moves.
    pub fn new(options: &Showing, duration: f64, format: Format) -> Result<Self, Problem> {
        check(options)?;
        if !(duration > 0.0 && duration.is_finite()) {
            let message = "there is nothing to animate: the motion takes no time";
            return Err(Problem::new("nothing-moves", message).hint("give it a --duration above 0"));
        }
        let speed = match options.playback_speed {
            Some(speed) if speed > 0.0 && speed.is_finite() => speed,
            Some(speed) => {
                let message = format!("--playback-speed {speed}: an animation cannot go at this speed");
                return Err(Problem::usage(message).hint("0.5 shows a motion at half its speed, 2 at twice"));
            }
            None => usual_speed(duration),
        };
        let asked = format.shown_for(1.0 / f64::from(options.frame_rate));
        let lasts = duration / speed;
        let most = format.most_frames();
        let delay =
            if lasts / asked + 1.0 > most as f64 { format.shown_at_least(lasts / (most - 1) as f64) } else { asked };
        if delay > LONGEST_DELAY {
            let message = format!(
                "--playback-speed {speed}: the animation would last {lasts:.0} s, with at most {most} pictures"
            );
            return Err(Problem::usage(message).hint("raise --playback-speed"));
        }
        let count = (lasts / delay + 1e-9).floor() as usize + 1;
        if count < 2 {
            let message = format!("at this speed the motion of {duration} s is over before the second picture");
            return Err(Problem::usage(message).hint("lower --playback-speed or raise --frame-rate"));
        }
        let times = (0..count).map(|k| (k as f64 * delay * speed).min(duration)).collect();
        Ok(Self { times, delay, speed, sparse: delay > asked * (1.0 + 1e-9) })
    }

    /// For so many points without a time, shown evenly.
    ///
    /// # Errors
    /// As [`Timing::new`]; `times` are the places of the points, from 0.
    pub fn of_points(options: &Showing, points: usize, format: Format) -> Result<Self, Problem> {
        check(options)?;
        if options.playback_speed.is_some() {
            return Err(Problem::usage("a path has no time of its own, so that --playback-speed says nothing here"));
        }
        if points < 2 {
            let message = "there is nothing to animate: the path has a single point";
            return Err(Problem::new("nothing-moves", message).hint("--plot draws it"));
        }
        let delay = format.shown_for(1.0 / f64::from(options.frame_rate));
        let most = ((LASTS[1] / 2.0 / delay) as usize).clamp(2, format.most_frames());
        let count = points.min(most);
        let share = (points - 1) as f64 / (count - 1) as f64;
        let times = (0..count).map(|k| (k as f64 * share).round()).collect();
        Ok(Self { times, delay, speed: 1.0, sparse: false })
    }

    /// How long the animation lasts, s.
    #[must_use]
    pub fn lasts(&self) -> f64 {
        self.delay * self.times.len() as f64
    }

    /// What is said about the time: nothing if it is real.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        let speed = self.speed;
        let said = |factor: f64| {
            let rounded = (factor * 1e4).round() / 1e4;
            format!("{rounded}")
        };
        if (speed - 1.0).abs() < 1e-12 {
            None
        } else if speed < 1.0 {
            Some(format!("{} times slower", said(1.0 / speed)))
        } else {
            Some(format!("{} times faster", said(speed)))
        }
    }
}

fn check(options: &Showing) -> Result<(), Problem> {
    if !RATES.contains(&options.frame_rate) {
        let message = format!(
            "--frame-rate {}: pictures per second are {} to {}",
            options.frame_rate,
            RATES.start(),
            RATES.end()
        );
        return Err(Problem::usage(message));
    }
    if !WIDTHS.contains(&options.frame_width) {
        let message = format!(
            "--frame-width {}: pictures are {} to {} pixels wide",
            options.frame_width,
            WIDTHS.start(),
            WIDTHS.end()
        );
        return Err(Problem::usage(message));
    }
    Ok(())
}

/// Real time, or a round factor that makes a motion long enough to see and short enough to watch.
fn usual_speed(duration: f64) -> f64 {
    let [least, most] = LASTS;
    if (least..=most).contains(&duration) {
        return 1.0;
    }
    let wanted = if duration < least { duration / (2.0 * least) } else { duration / (0.5 * most) };
    let decade = 10.0_f64.powi(wanted.log10().floor() as i32);
    let round = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * decade);
    round.into_iter().rfind(|factor| *factor <= wanted * (1.0 + 1e-9)).unwrap_or(decade)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Showing {
        Showing::default()
    }

    #[test]
    fn pictures_come_at_the_times_that_the_file_shows_them_at() {
        let timing = Timing::new(&options(), 2.0, Format::Gif).unwrap();
        assert_eq!((timing.times.len(), timing.delay, timing.speed), (51, 0.04, 1.0));
        assert_eq!((timing.times[1], timing.times[50]), (0.04, 2.0));
        // 30 a second is no whole number of hundredths.
        let timing = Timing::new(&Showing { frame_rate: 30, ..options() }, 3.0, Format::Gif).unwrap();
        assert_eq!((timing.delay, timing.times.len()), (0.03, 101));
        assert!(timing.note().is_none());
    }

    #[test]
    fn short_motions_are_slowed_down_and_long_ones_have_a_bounded_number_of_pictures() {
        let short = Timing::new(&options(), 0.1, Format::Html).unwrap();
        assert_eq!(short.note().as_deref(), Some("50 times slower"));
        assert!(short.times.len() > 60);
        let long = Timing::new(&Showing { playback_speed: Some(1.0), ..options() }, 600.0, Format::Gif).unwrap();
        assert!(long.sparse && long.times.len() <= Format::Gif.most_frames());
        assert_eq!(Timing::new(&options(), 600.0, Format::Gif).unwrap().note().as_deref(), Some("50 times faster"));
        let path = Timing::of_points(&options(), 401, Format::Html).unwrap();
        assert_eq!((path.times[0], path.times.last().copied()), (0.0, Some(400.0)));
    }

    #[test]
    fn what_cannot_be_shown_is_an_error_with_a_remedy() {
        let bad = [
            (Showing { frame_rate: 0, ..options() }, 1.0),
            (Showing { frame_rate: 1000, ..options() }, 1.0),
            (Showing { frame_width: 10, ..options() }, 1.0),
            (Showing { frame_width: 100_000, ..options() }, 1.0),
            (Showing { playback_speed: Some(0.0), ..options() }, 1.0),
            (Showing { playback_speed: Some(f64::NAN), ..options() }, 1.0),
            (Showing { playback_speed: Some(1e-9), ..options() }, 1.0),
            (Showing { playback_speed: Some(1e9), ..options() }, 1.0),
            (options(), 0.0),
            (options(), f64::NAN),
        ];
        for (options, duration) in bad {
            assert!(Timing::new(&options, duration, Format::Gif).is_err(), "{options:?} {duration}");
        }
        assert!(Timing::of_points(&options(), 1, Format::Gif).is_err());
        assert!(Timing::of_points(&Showing { playback_speed: Some(2.0), ..options() }, 9, Format::Gif).is_err());
    }
}
