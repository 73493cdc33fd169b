//! From logs to samples: which rows become samples and when, what curves, delays and late columns make of them, and what is refused.

use jourdain::formats::table::Table;
use jourdain::identify::log::{
    Clock, Late, Options, RotorLog, Summary, bandwidth, read_rotors, read_rotors_table, read_table, read_tables,
};
use jourdain::identify::{Coordinates, Hysteresis, IdentifyError, Sample};
use jourdain::{Model, formats, robots};
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// A sample that is kept.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    t: f64,
    q: Vec<f64>,
    qd: Vec<f64>,
    qdd: Vec<f64>,
    tau: Vec<f64>,
    z: Vec<f64>,
}

fn keep(sample: &Sample<'_>) -> Seen {
    let Sample { t, q, qd, qdd, tau, z } = *sample;
    Seen { t, q: q.to_vec(), qd: qd.to_vec(), qdd: qdd.to_vec(), tau: tau.to_vec(), z: z.to_vec() }
}

fn read_of(model: &Model<f64>, table: &Table, options: &Options) -> Result<(Summary, Vec<Seen>), IdentifyError> {
    let mut seen = Vec::new();
    let go_on = |_| ControlFlow::Continue(());
    let summary = read_table(table, model, options, go_on, |sample| seen.push(keep(sample)))?;
    Ok((summary, seen))
}

fn read(table: &Table, options: &Options) -> Result<(Summary, Vec<Seen>), IdentifyError> {
    read_of(&robots::load("planar2r").unwrap(), table, options)
}

/// Positions of two joints, or their derivatives.
fn motion(t: f64, order: i32) -> [f64; 2] {
    let quarter = std::f64::consts::FRAC_PI_2 * f64::from(order);
    [2.0_f64.powi(order) * (2.0 * t + quarter).sin(), 0.4 * 3.0_f64.powi(order) * (3.0 * t + 1.0 + quarter).cos()]
}

/// Torques that straight lines between rows give exactly.
fn torque(t: f64) -> [f64; 2] {
    [3.0 * t - 1.0, 0.5 - 2.0 * t]
}

fn even(rows: usize, rate: f64) -> Vec<f64> {
    (0..rows).map(|i| i as f64 / rate).collect()
}

/// A log of that motion at times, with as many derivatives as are asked for.
fn log_at(times: &[f64], orders: &[i32]) -> Table {
    let mut columns = vec![("t".to_owned(), times.to_vec())];
    for order in orders {
        let letters = ["q", "qd", "qdd"][*order as usize];
        for j in 0..2 {
            columns.push((format!("{letters}{}", j + 1), times.iter().map(|t| motion(*t, *order)[j]).collect()));
        }
    }
    for j in 0..2 {
        columns.push((format!("tau{}", j + 1), times.iter().map(|t| torque(*t)[j]).collect()));
    }
    Table::new(columns).unwrap()
}

/// The same table with other columns of some names.
fn with(table: &Table, changed: &[(&str, Vec<f64>)]) -> Table {
    let column = |(k, name): (usize, &String)| {
        let other = changed.iter().find(|(changed, _)| changed == name);
        (name.clone(), other.map_or_else(|| table.column(k).to_vec(), |(_, values)| values.clone()))
    };
    Table::new(table.headings().iter().enumerate().map(column).collect()).unwrap()
}

/// The same table without columns of some names.
fn without(table: &Table, names: &[&str]) -> Table {
    let kept = table.headings().iter().enumerate().filter(|(_, name)| !names.contains(&name.as_str()));
    Table::new(kept.map(|(k, name)| (name.clone(), table.column(k).to_vec())).collect()).unwrap()
}

fn cutoff(hertz: f64) -> Options {
    Options { cutoff: Some(hertz), ..Options::default() }
}

fn near(found: &[f64], known: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), known.len(), "{what}");
    let off =
        found.iter().zip(known).find(|(a, b)| (*a - *b).abs().partial_cmp(&tolerance).is_none_or(Ordering::is_gt));
    assert!(off.is_none(), "{what}: found and known {off:?}");
}

/// Noise without a generator: the same for the same row.
fn rough(i: usize) -> f64 {
    let x = (i as f64 * 12.9898).sin() * 43_758.545_3;
    x - x.floor() - 0.5
}

#[test]
fn an_even_log_loses_its_ends_and_every_other_row_is_a_sample_on_the_motion() {
    // The ends lose the period of the cut-off, at most half a second.
    for (hertz, lost) in [(8.0, 13), (16.0, 7), (1.6, 50)] {
        let (summary, seen) = read(&log_at(&even(1000, 100.0), &[0]), &cutoff(hertz)).unwrap();
        let filtering = summary.filtering.clone().unwrap();
        assert_eq!((summary.rows, summary.samples, summary.gaps), (1000, 1000 - 2 * lost as u64, 0), "{hertz}");
        assert_eq!((filtering.dropped, filtering.cutoff, filtering.from_spectrum), (lost, hertz, false));
        assert_eq!((filtering.rate, filtering.tick, filtering.decimate), (100.0, None, 1));
        assert_eq!((summary.start, summary.clock), (Some(0.0), Clock::Seconds));
        assert_eq!(summary.counts().edges, 2 * lost as u64);
        for (sample, i) in seen.iter().zip(lost..) {
            let t = i as f64 / 100.0;
            assert_eq!((sample.t, &sample.tau[..]), (t, &torque(t)[..]));
            // Near the ends, and with a cut-off close to the motion, curves are less good.
            if hertz > 2.0 && (200..800).contains(&i) {
                near(&sample.q, &motion(t, 0), 1e-4, "position");
                near(&sample.qd, &motion(t, 1), 1e-3, "velocity");
                near(&sample.qdd, &motion(t, 2), 1e-2, "acceleration");
            }
        }
    }
}

#[test]
fn every_row_is_used_doubled_thinned_or_at_an_edge() {
    let mut table = log_at(&even(1000, 100.0), &[0]);
    // Rows 301 and 302 are 300 once more, but for their stamps.
    let twice = |k: usize| {
        let mut column = table.column(k).to_vec();
        (column[301], column[302]) = (column[300], column[300]);
        column
    };
    let doubled: Vec<(&str, Vec<f64>)> = ["q1", "q2", "tau1", "tau2"].into_iter().zip((1..5).map(twice)).collect();
    table = with(&table, &doubled);
    for decimate in [1, 7] {
        let options = Options { decimate: Some(decimate), ..cutoff(8.0) };
        let (summary, seen) = read(&table, &options).unwrap();
        let counts = summary.counts();
        assert_eq!((counts.read, counts.doubled, counts.edges), (1000, 2, 26));
        let kept = |i: &u64| i.is_multiple_of(decimate) && *i != 301 && *i != 302;
        assert_eq!(counts.used, (13..987).filter(kept).count() as u64);
        assert_eq!((counts.used, counts.used + counts.thinned), (seen.len() as u64, 972));
        // Torques are measured ones, so that they tell the row.
        for (sample, i) in seen.iter().zip((13..987).filter(kept)) {
            assert_eq!(sample.tau, torque(i as f64 / 100.0), "row {i}");
        }
    }
    // Thinning by nothing is no thinning.
    let (none, _) = read(&table, &Options { decimate: Some(0), ..cutoff(8.0) }).unwrap();
    assert_eq!((none.samples, none.thinned), (972, 0));
}

/// A noisy log of several windows with a gap, and with rows that came twice where parts meet.
fn long() -> Table {
    let times: Vec<f64> = (0..9500).map(|i| 0.01 * f64::from(i) + if i >= 6000 { 3.0 } else { 0.0 }).collect();
    let table = log_at(&times, &[0]);
    let noisy = |k: usize| {
        let mut column: Vec<f64> =
            table.column(k).iter().enumerate().map(|(i, x)| x + 1e-3 * rough(k + 7 * i)).collect();
        for i in [4999, 5000, 5001, 9000, 8192] {
            column[i] = column[i - 1];
        }
        column
    };
    let columns: Vec<(&str, Vec<f64>)> = ["q1", "q2", "tau1", "tau2"].into_iter().zip((1..5).map(noisy)).collect();
    with(&table, &columns)
}

#[test]
fn parts_of_a_log_give_sample_by_sample_what_the_whole_gives() {
    let table = long();
    for (hertz, decimate, coordinates) in [(20.0, 1, None), (0.5, 3, Some(Coordinates::joints(2)))] {
        let options = Options { decimate: Some(decimate), coordinates, ..cutoff(hertz) };
        let (whole, samples) = read(&table, &options).unwrap();
        assert_eq!((whole.gaps, whole.doubled, whole.rows), (1, 5, 9500));
        let (mut seen, mut sums) = (Vec::new(), [0; 5]);
        for rows in [0..5000, 5000..5001, 5001..9000, 9000..20_000] {
            let part = Options { rows: Some(rows), ..options.clone() };
            let (summary, samples) = read(&table, &part).unwrap();
            seen.extend(samples);
            let counts = [summary.rows, summary.samples, summary.doubled, summary.thinned, summary.gaps];
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        assert_eq!(sums, [whole.rows, whole.samples, whole.doubled, whole.thinned, whole.gaps], "{hertz}");
        assert!(seen == samples, "{hertz} Hz");
    }
}

/// Samples far from where a log was cut do not feel that it was, wherever windows end.
#[test]
fn what_is_far_from_a_cut_is_as_without_it() {
    let table = long();
    for (hertz, from) in [(20.0, 1500), (0.5, 1500)] {
        let (_, whole) = read(&table, &cutoff(hertz)).unwrap();
        let tail = |k: usize| (table.headings()[k].clone(), table.column(k)[from..].to_vec());
        let (_, seen) = read(&Table::new((0..5).map(tail).collect()).unwrap(), &cutoff(hertz)).unwrap();
        // What a curve has forgotten: 32/π periods of the cut-off.
        let first = table.column(0)[from] + 11.0 / hertz + 0.005;
        let late: Vec<&Seen> = whole.iter().filter(|sample| sample.t > first).collect();
        let found: Vec<&Seen> = seen.iter().filter(|sample| sample.t > first).collect();
        assert!(late.len() > 4000 && late.len() == found.len(), "{} {}", late.len(), found.len());
        for (a, b) in late.iter().zip(&found) {
            near(&[a.t], &[b.t], 1e-6, "time");
            assert_eq!(a.tau, b.tau);
            // Knots stand elsewhere, which noise of a millimetre shows by a tenth of it.
            near(&a.q, &b.q, 5e-5, "position");
            near(&a.qd, &b.qd, 2e-2, "velocity");
        }
    }
}

#[test]
fn a_gap_is_longer_than_the_period_of_the_cut_off_and_loses_both_its_sides() {
    for (pause, hertz, gaps) in [(0.11, 10.0, 1), (0.09, 10.0, 0), (0.6, 10.0, 1), (0.02, 45.0, 0), (0.03, 45.0, 1)] {
        let times: Vec<f64> =
            (0..1000).map(|i| 0.01 * f64::from(i) + if i >= 500 { pause - 0.01 } else { 0.0 }).collect();
        let (summary, seen) = read(&log_at(&times, &[0]), &cutoff(hertz)).unwrap();
        assert_eq!(summary.gaps, gaps, "{pause}");
        let edge = 1.0 / hertz;
        let lost = |t: &&f64| {
            let ends = [times[0], times[999]].iter().any(|end| (*t - end).abs() < edge - 1e-9);
            ends || gaps == 1 && [times[499], times[500]].iter().any(|end| (*t - end).abs() < edge - 1e-9)
        };
        let known: Vec<f64> = times.iter().filter(|t| !lost(t)).copied().collect();
        near(&seen.iter().map(|sample| sample.t).collect::<Vec<_>>(), &known, 1e-6, "times of samples");
    }
}

#[test]
fn torques_belong_to_the_motion_a_delay_later() {
    let options = Options { delay: 0.035, ..cutoff(16.0) };
    let (_, seen) = read(&log_at(&even(1000, 100.0), &[0]), &options).unwrap();
    for sample in seen.iter().filter(|sample| (2.0..8.0).contains(&sample.t)) {
        assert_eq!(sample.tau, torque(sample.t));
        near(&sample.q, &motion(sample.t + 0.035, 0), 1e-4, "position");
        near(&sample.qd, &motion(sample.t + 0.035, 1), 1e-3, "velocity");
    }
}

#[test]
fn what_columns_are_late_by_is_taken_back() {
    let times = even(1000, 100.0);
    let table = log_at(&times, &[0]);
    let (by_q, by_tau) = ([0.02, -0.013], [0.0, 0.254]);
    let late_by =
        |f: fn(f64) -> [f64; 2], j: usize, late: f64| times.iter().map(|t| f(t - late)[j]).collect::<Vec<f64>>();
    let position = |t| motion(t, 0);
    let table = with(
        &table,
        &[
            ("q1", late_by(position, 0, by_q[0])),
            ("q2", late_by(position, 1, by_q[1])),
            ("tau2", late_by(torque, 1, by_tau[1])),
        ],
    );
    let late = Late { positions: by_q.to_vec(), torques: by_tau.to_vec() };
    let (summary, seen) = read(&table, &Options { late: late.clone(), ..cutoff(16.0) }).unwrap();
    for sample in &seen {
        near(&sample.tau, &torque(sample.t), 1e-12, "torque");
        if (2.0..8.0).contains(&sample.t) {
            near(&sample.q, &motion(sample.t, 0), 1e-4, "position");
            near(&sample.qdd, &motion(sample.t, 2), 1e-2, "acceleration");
        }
    }
    // A torque is known up to the last row less what it is late by: t = 9.99 − 0.254; the ends lose 0.0625 s.
    assert_eq!((seen[0].t, seen[seen.len() - 1].t, summary.samples), (0.07, 9.73, seen.len() as u64));
    let early = Late { positions: Vec::new(), torques: vec![-0.254, 0.0] };
    let (_, seen) = read(&table, &Options { late: early, ..cutoff(16.0) }).unwrap();
    assert_eq!((seen[0].t, seen[seen.len() - 1].t), (0.26, 9.92));
    // With late columns a log is smoothed even if it has all derivatives.
    let all = log_at(&times, &[0, 1, 2]);
    assert!(read(&all, &Options { late, ..Options::default() }).unwrap().0.filtering.is_some());
    assert!(read(&all, &Options::default()).unwrap().0.filtering.is_none());
}

/// Stamps and times that are sums of powers of two, so that a late torque may stand exactly at a row.
#[test]
fn late_torques_are_known_up_to_the_outermost_rows() {
    let times = even(640, 64.0);
    let seen = |late: [f64; 2]| {
        let column = |j: usize| times.iter().map(|t| torque(t - late[j])[j]).collect::<Vec<f64>>();
        let table = with(&log_at(&times, &[0]), &[("tau1", column(0)), ("tau2", column(1))]);
        let late = Late { positions: Vec::new(), torques: late.to_vec() };
        read(&table, &Options { late, ..cutoff(16.0) }).unwrap().1
    };
    let last = times[639];
    for (late, first, end) in [
        ([0.25, 0.125], 0.0625, last - 0.25),
        ([-0.25, -0.125], 0.25, last - 0.0625),
        ([0.125, -0.25], 0.25, last - 0.125),
    ] {
        let seen = seen(late);
        assert_eq!((seen[0].t, seen[seen.len() - 1].t), (first, end), "{late:?}");
        assert_eq!(seen.len() as f64, (end - first) * 64.0 + 1.0);
        seen.iter().for_each(|sample| near(&sample.tau, &torque(sample.t), 1e-12, "torque"));
    }
}

/// A column that is late by more than a curve remembers is still on its curve where a window of rows ends.
#[test]
fn late_positions_are_on_their_curves_across_windows() {
    let times = even(4700, 100.0);
    let late = Late { positions: vec![1.5, -1.5], torques: Vec::new() };
    let column = |j: usize| times.iter().map(|t| motion(t - late.positions[j], 0)[j]).collect::<Vec<f64>>();
    let table = with(&log_at(&times, &[0]), &[("q1", column(0)), ("q2", column(1))]);
    let (_, seen) = read(&table, &Options { late, ..cutoff(20.0) }).unwrap();
    for sample in seen.iter().filter(|sample| (3.0..44.0).contains(&sample.t)) {
        near(&sample.q, &motion(sample.t, 0), 1e-4, "position");
        near(&sample.qd, &motion(sample.t, 1), 1e-3, "velocity");
    }
}

/// The unit of time is told by joints that move; of a slow robot it is the one with which it moves as robots do.
#[test]
fn the_unit_of_stamps_is_told_by_what_moves() {
    let times = even(400, 50.0);
    let milli: Vec<f64> = times.iter().map(|t| 1e3 * t).collect();
    let clock = |table: &Table| read(table, &cutoff(8.0)).unwrap().0.clock;
    let table = with(&log_at(&times, &[0, 1]), &[("t", milli.clone())]);
    assert_eq!(clock(&table), Clock::Milliseconds);
    // A joint whose velocity is zero, or whose positions do not change, says nothing.
    let noise: Vec<f64> = (0..400).map(|i| 0.3 + 1e-4 * rough(i)).collect();
    assert_eq!(clock(&with(&table, &[("q2", noise), ("qd2", vec![0.0; 400])])), Clock::Milliseconds);
    assert_eq!(clock(&with(&table, &[("q2", vec![0.3; 400])])), Clock::Milliseconds);
    // A joint that rests for nearly half of the time, creeping, speaks by the rest of it.
    let resting = |order: i32| -> Vec<f64> {
        let at = |(i, t): (usize, &f64)| match (i < 180, order) {
            (true, 0) => motion(times[180], 0)[0] + 1e-6 * i as f64,
            (true, _) => 0.0,
            (false, _) => motion(*t, order)[0],
        };
        times.iter().enumerate().map(at).collect()
    };
    let alone = [("q1", resting(0)), ("qd1", resting(1)), ("q2", vec![0.3; 400]), ("qd2", vec![0.0; 400])];
    assert_eq!(clock(&with(&table, &alone)), Clock::Milliseconds);
    // Without velocities, stamps twenty apart and 0.03 rad/s if they are milliseconds, 30 rad/s if they are microseconds.
    let slow = |speed: f64| times.iter().map(|t| speed * t + 1e-3 * (9.0 * t).sin()).collect::<Vec<f64>>();
    let bare = log_at(&times, &[0]);
    let still = vec![0.0; 400];
    let changed = with(&bare, &[("t", milli), ("q1", slow(0.03)), ("q2", still.clone())]);
    assert_eq!(clock(&changed), Clock::Milliseconds);
    // Stamps a fiftieth apart are seconds, however slow the robot.
    assert_eq!(clock(&with(&bare, &[("q1", slow(3e-4)), ("q2", still)])), Clock::Seconds);
}

#[test]
fn late_columns_have_a_mark_of_their_own_and_none_is_zero() {
    let late = |positions: &[f64], torques: &[f64]| Late { positions: positions.to_vec(), torques: torques.to_vec() };
    for none in [late(&[], &[]), late(&[0.0, 0.0], &[0.0])] {
        assert!(none.is_empty() && none.mark() == 0);
    }
    let marks = [
        late(&[0.01, 0.0], &[]),
        late(&[0.0, 0.01], &[]),
        late(&[], &[0.01, 0.0]),
        late(&[-0.01, 0.0], &[]),
        late(&[0.01, 0.0], &[0.01]),
    ]
    .map(|late| {
        assert!(!late.is_empty());
        late.mark()
    });
    for (i, mark) in marks.iter().enumerate() {
        assert!(*mark > 1 && !marks[..i].contains(mark), "{marks:?}");
    }
}

/// With all derivatives each row is a sample as it stands.
#[test]
fn rows_with_all_derivatives_are_samples_as_they_stand() {
    let times = even(500, 50.0);
    let table = log_at(&times, &[0, 1, 2]);
    let options = Options { decimate: Some(3), rows: Some(100..200), ..Options::default() };
    let (summary, seen) = read(&table, &options).unwrap();
    assert_eq!((summary.rows, summary.samples, summary.thinned, summary.filtering.is_none()), (100, 33, 67, true));
    assert_eq!((summary.start, summary.counts().edges), (Some(2.0), 0));
    for (sample, i) in seen.iter().zip((102..200).step_by(3)) {
        let t = times[i];
        let known = Seen {
            t,
            q: motion(t, 0).to_vec(),
            qd: motion(t, 1).to_vec(),
            qdd: motion(t, 2).to_vec(),
            tau: torque(t).to_vec(),
            z: Vec::new(),
        };
        assert_eq!(*sample, known);
    }
    // Without a column of time the rate tells it, and without a rate it counts rows.
    let bare = without(&table, &["t"]);
    for (rate, t) in [(Some(50.0), 2.2), (None, 110.0)] {
        let options = Options { rate, rows: Some(110..111), ..Options::default() };
        let (summary, seen) = read(&bare, &options).unwrap();
        assert_eq!((seen[0].t, seen.len(), summary.start), (t, 1, None));
    }
    // Poses at rest have no derivatives, whatever the log has.
    let (_, seen) = read(&table, &Options { at_rest: true, ..Options::default() }).unwrap();
    assert_eq!(seen.len(), 500);
    assert!(seen.iter().all(|sample| sample.qd == [0.0; 2] && sample.qdd == [0.0; 2]));
    assert_eq!(read(&log_at(&times, &[0]), &Options { at_rest: true, ..Options::default() }).unwrap().0.samples, 500);
}

#[test]
fn hysteresis_follows_the_whole_motion_even_where_few_rows_count() {
    let times = even(600, 50.0);
    let mut known = Hysteresis::new(Coordinates::joints(2));
    let elements: Vec<Vec<f64>> = times
        .iter()
        .map(|t| {
            known.advance(&motion(*t, 0));
            known.elements().to_vec()
        })
        .collect();
    let options = Options { coordinates: Some(Coordinates::joints(2)), rows: Some(300..310), ..Options::default() };
    let (summary, seen) = read(&log_at(&times, &[0, 1, 2]), &options).unwrap();
    assert_eq!((summary.rows, seen.len()), (10, 10));
    for (sample, i) in seen.iter().zip(300..) {
        assert_eq!((sample.t, &sample.z), (times[i], &elements[i]));
    }
    // Along a curve it follows the curve, which is the motion to a small part of the shortest element.
    let smoothed = Options { decimate: Some(4), ..Options { cutoff: Some(16.0), ..options } };
    let (_, seen) = read(&log_at(&times, &[0]), &smoothed).unwrap();
    assert_eq!(seen.iter().map(|sample| sample.t).collect::<Vec<_>>(), [6.0, 6.08, 6.16]);
    for (sample, i) in seen.iter().zip((300..).step_by(4)) {
        near(&sample.z, &elements[i], 0.05, "elements");
    }
}

#[test]
fn numbers_that_nothing_on_earth_has_are_refused_where_they_stand() {
    let times = even(400, 50.0);
    for (orders, column) in [(&[0, 1, 2][..], 8), (&[0][..], 4)] {
        let table = log_at(&times, orders);
        for (value, refused) in [(1e15, false), (-1e15, false), (1.1e15, true), (-1.1e15, true)] {
            let mut tau = table.column(column - 1).to_vec();
            tau[70] = value;
            let found = read(&with(&table, &[("tau1", tau)]), &cutoff_unless(orders.len() > 1));
            match found {
                Err(IdentifyError::TooLarge { place, column: at, value: told }) => {
                    assert!(refused && (place.number(), at, told) == (71, column, value), "{value}");
                }
                other => assert!(other.is_ok() && !refused, "{value}"),
            }
        }
    }
    // A clock may count as far as it likes.
    let far: Vec<f64> = times.iter().map(|t| 4e15 + (1e3 * t).round()).collect();
    assert!(read(&with(&log_at(&times, &[0, 1, 2]), &[("t", far)]), &Options::default()).is_ok());
}

fn cutoff_unless(all: bool) -> Options {
    if all { Options::default() } else { cutoff(8.0) }
}

#[test]
fn a_time_that_does_not_rise_is_refused_where_it_stands() {
    let times = even(400, 50.0);
    for orders in [&[0, 1, 2][..], &[0][..]] {
        for (stamp, told) in [(times[99], true), (times[98], true), (0.5 * (times[99] + times[100]), false)] {
            let mut stamps = times.clone();
            stamps[100] = stamp;
            let table = with(&log_at(&times, orders), &[("t", stamps)]);
            match read(&table, &cutoff_unless(orders.len() > 1)) {
                Err(IdentifyError::TimeOrder { place, before, now }) => {
                    assert!(told && (place.number(), before, now) == (101, times[99], stamp));
                }
                other => assert!(other.is_ok() && !told, "{stamp}"),
            }
        }
    }
}

#[test]
fn cut_offs_lie_between_nothing_and_half_the_rate() {
    let table = log_at(&even(400, 50.0), &[0]);
    for (hertz, good) in [(0.0, false), (-1.0, false), (f64::NAN, false), (25.0, false), (26.0, false), (24.9, true)] {
        match read(&table, &cutoff(hertz)) {
            Err(IdentifyError::Cutoff { cutoff, rate }) => {
                assert!(!good && rate == 50.0 && (cutoff == hertz || hertz.is_nan()), "{hertz}");
            }
            other => assert!(other.is_ok() && good, "{hertz}"),
        }
    }
}

/// Five times the highest frequency of the fastest joint, and never more than a fifth of the rate.
#[test]
fn a_cut_off_that_is_not_stated_leaves_the_motion_alone() {
    let times = even(4096, 100.0);
    let table = log_at(&times, &[0]);
    let (summary, _) = read(&table, &Options::default()).unwrap();
    let filtering = summary.filtering.unwrap();
    let highest = bandwidth(table.column(1), 100.0).unwrap().max(bandwidth(table.column(2), 100.0).unwrap());
    assert!((filtering.cutoff - 5.0 * highest).abs() < 1e-9 && filtering.from_spectrum, "{filtering:?}");
    let fast: Vec<f64> = times.iter().map(|t| 0.1 * (2.0 * std::f64::consts::PI * 9.0 * t).sin()).collect();
    let still = vec![0.3; 4096];
    for changed in [vec![("q1", fast)], vec![("q1", still.clone()), ("q2", still)]] {
        let (summary, _) = read(&with(&table, &changed), &Options::default()).unwrap();
        assert_eq!(summary.filtering.unwrap().cutoff, 20.0);
    }
}

#[test]
fn what_has_to_be_found_by_differentiation_is_told() {
    let times = even(400, 50.0);
    for (orders, missing) in [
        (&[0][..], "velocities and accelerations"),
        (&[0, 2][..], "velocities"),
        (&[0, 1][..], "accelerations"),
        (&[0, 1, 2][..], "nothing"),
    ] {
        let table = log_at(&times, orders);
        let (summary, _) = read(&table, &cutoff(8.0)).unwrap();
        assert_eq!(summary.filtering.unwrap().found, missing);
        let untimed = read(&without(&table, &["t"]), &Options { rate: None, ..cutoff(8.0) });
        assert!(matches!(untimed, Err(IdentifyError::NoTime { missing: told }) if told == missing), "{missing}");
        let rated = Options { rate: Some(50.0), ..cutoff(8.0) };
        let (summary, seen) = read(&without(&table, &["t"]), &rated).unwrap();
        assert_eq!((summary.filtering.unwrap().rate, seen[0].t), (50.0, 0.14));
    }
}

/// Positions on parabolas, whose change a trapezium of velocities knows exactly.
#[test]
fn velocities_and_accelerations_in_other_units_are_told_by_their_ratio() {
    let times = even(400, 50.0);
    let parabola = |order: usize, factor: f64| -> Vec<f64> {
        times.iter().map(|t| factor * [t * t - 3.0 * t, 2.0 * t - 3.0, 2.0][order]).collect()
    };
    let table = with(
        &log_at(&times, &[0, 1, 2]),
        &[("q2", parabola(0, 1.0)), ("qd2", parabola(1, 1.0)), ("qdd2", parabola(2, 1.0))],
    );
    let told = |table: &Table| match read(table, &Options::default()) {
        Ok(_) => None,
        Err(IdentifyError::Units { what, joint, evidence }) => Some((what, joint, evidence)),
        Err(other) => panic!("{other}"),
    };
    assert_eq!(told(&table), None);
    for (factor, ratio) in [(-20.0, "-5.0000e-2"), (0.05, "2.0000e1"), (11.0, "9.0909e-2")] {
        let (what, joint, evidence) = told(&with(&table, &[("qdd2", parabola(2, factor))])).unwrap();
        assert_eq!((what, joint.as_str()), ("accelerations", "link2"));
        assert_eq!(evidence, format!("the rates of the velocities are {ratio} times the accelerations"));
        // Velocities that are off make accelerations off, unless these go with them.
        let both = [("qd2", parabola(1, factor)), ("qdd2", parabola(2, factor))];
        let (what, _, evidence) = told(&with(&table, &both)).unwrap();
        assert_eq!(what, "velocities");
        assert_eq!(evidence, format!("the rates of the positions are {ratio} times the velocities"));
        // Velocities are judged as well where they only serve to find the times.
        let smoothed = without(&with(&table, &both), &["qdd1", "qdd2"]);
        assert!(matches!(read(&smoothed, &cutoff(8.0)), Err(IdentifyError::Units { what: "velocities", .. })));
    }
    for factor in [9.0, 0.12, -9.0] {
        assert_eq!(told(&with(&table, &[("qdd2", parabola(2, factor))])), None, "{factor}");
    }
    // What does not go together is no matter of units.
    let loose: Vec<f64> = (0..400).map(|i| 1e3 * rough(i)).collect();
    assert_eq!(told(&with(&table, &[("qdd2", loose)])), None);
    assert_eq!(told(&with(&table, &[("qdd2", vec![0.0; 400])])), None);
    // Rates of 100 against accelerations of 2000 that go with them to 0.8, and to 0.95.
    let steep = [("q2", parabola(0, 50.0)), ("qd2", parabola(1, 50.0))];
    for (together, apart) in [(0.8, 0.6), (0.95, 0.312)] {
        let swaying = (0..400).map(|i| 2000.0 * (together + if i % 2 == 0 { apart } else { -apart })).collect();
        let found = told(&with(&with(&table, &steep), &[("qdd2", swaying)]));
        assert_eq!(found.is_some(), together > 0.9, "{found:?}");
    }
}

fn ball() -> Model<f64> {
    let reading = formats::read_str(
        r#"{"name": "ball", "link": [
            {"name": "arm", "mass": 1, "com": [0.1, 0, 0], "inertia": [0.01, 0, 0, 0.01, 0, 0.01],
             "joint": {"name": "hinge", "type": "revolute"}},
            {"name": "hand", "parent": "arm", "mass": 1, "com": [0.1, 0, 0], "inertia": [0.01, 0, 0, 0.01, 0, 0.01],
             "joint": {"name": "socket", "type": "spherical"}}]}"#,
        formats::Format::Json,
    );
    Model::from_description(&reading.description.unwrap()).unwrap()
}

#[test]
fn quaternions_are_scaled_to_unit_length_if_they_are_nearly_so() {
    let (model, unit) = (ball(), [0.5, -0.5, 0.7, 0.1]);
    let read = |length: f64, derivatives: bool| {
        let mut columns = vec![("t".to_owned(), vec![0.0, 0.1, 0.2]), ("q1".to_owned(), vec![2.0; 3])];
        for (k, x) in unit.iter().enumerate() {
            columns.push((format!("q{}", k + 2), vec![*x, *x, x * length]));
        }
        for letters in ["qd", "qdd", "tau"].into_iter().filter(|letters| derivatives || *letters == "tau") {
            columns.extend((1..=4).map(|j| (format!("{letters}{j}"), vec![0.1 * f64::from(j); 3])));
        }
        read_of(&model, &Table::new(columns).unwrap(), &Options::default())
    };
    for length in [1.0, 0.9991, 1.0009] {
        let (_, seen) = read(length, true).unwrap();
        near(&seen[2].q, &[2.0, 0.5, -0.5, 0.7, 0.1], 1e-15, "position");
    }
    for length in [0.9989, 1.0011, 2.0] {
        let Err(IdentifyError::Quaternion { place, joint, length: told }) = read(length, true) else {
            panic!("{length}")
        };
        assert_eq!((place.number(), joint.as_str()), (3, "socket"));
        near(&[told], &[length], 1e-12, "length");
    }
    assert!(matches!(
        read(1.0, false),
        Err(IdentifyError::QuaternionDerivatives { joint }) if joint == "socket"
    ));
}

#[test]
fn parts_of_wrenches_that_are_unknown_double_or_missing_are_refused() {
    let table = log_at(&even(100, 50.0), &[0, 1, 2]);
    let told = |names: &[&str]| {
        let mut columns: Vec<(String, Vec<f64>)> =
            table.headings().iter().enumerate().map(|(k, name)| (name.clone(), table.column(k).to_vec())).collect();
        columns.extend(names.iter().map(|name| ((*name).to_owned(), vec![0.0; 100])));
        read(&Table::new(columns).unwrap(), &Options::default()).map_err(|error| (error.to_string(), error.place()))
    };
    let all = ["fx", "fy", "fz", "mx", "my", "mz"].map(|part| format!("wrench:link2[{part}]"));
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    assert!(told(&all).is_ok() && told(&all[..3]).is_ok());
    assert!(told(&["fx_link1", "fy_link1", "fz_link1", "fx_link2", "fz_link2", "fy_link2"]).is_ok());
    // Columns that begin like a wrench by chance are left alone.
    assert!(told(&["fx_hand", "my_link", "fx"]).is_ok());
    for name in ["wrench:link3[fx]", "wrench:link2[fw]"] {
        let (message, _) = told(&[name]).unwrap_err();
        assert_eq!(message, format!("column 10: `{name}` is no part of a wrench on a link of the robot"));
    }
    let missing = |names: &[&str], part: &str| {
        let (message, _) = told(names).unwrap_err();
        assert_eq!(message, format!("the wrench on link `link2` has no column `wrench:link2[{part}]`"));
    };
    missing(&all[1..3], "fx");
    missing(&all[..2], "fz");
    missing(&all[..4], "my");
    missing(&[all[0], all[1], all[2], all[4], all[5]], "mx");
    let twice = [all[0], all[1], all[2], "fy_link2"];
    assert_eq!(told(&twice).unwrap_err().1.map(|(_, column)| column), Some(13));
}

/// A row is told by its number, and by the column that is wrong.
#[test]
fn tables_one_after_the_other_are_one_log_from_any_row_on() {
    let model = robots::load("planar2r").unwrap();
    for orders in [&[0, 1, 2][..], &[0][..]] {
        let table = log_at(&even(700, 50.0), orders);
        let options = Options { rows: Some(250..450), ..cutoff_unless(orders.len() > 1) };
        let piece = |rows: std::ops::Range<usize>| {
            let column = |k: usize| (table.headings()[k].clone(), table.column(k)[rows.clone()].to_vec());
            Table::new((0..table.headings().len()).map(column).collect()).unwrap()
        };
        let mut seen = Vec::new();
        let pieces = [0..0, 0..200, 200..260, 260..260, 260..700].map(|rows| Ok(piece(rows)));
        let summary = read_tables(pieces, &model, &options, |sample| seen.push(keep(sample))).unwrap();
        assert_eq!((summary, seen), read(&table, &options).unwrap());
    }
}

/// Positions of links and of the motors of both joints, which lead by a little.
fn rotor_log(times: &[f64], stamp: impl Fn(f64) -> f64) -> Table {
    let column = |f: &dyn Fn(f64) -> f64| times.iter().map(|t| f(*t)).collect::<Vec<f64>>();
    let columns: [(&str, Vec<f64>); 7] = [
        ("t", column(&stamp)),
        ("q1", column(&|t| motion(t, 0)[0])),
        ("q2", column(&|t| motion(t, 0)[1])),
        ("theta1", column(&|t| motion(t + 0.1, 0)[0])),
        ("theta2", column(&|t| motion(t + 0.2, 0)[1])),
        ("tau1", column(&|t| torque(t)[0])),
        ("tau2", column(&|t| torque(t)[1])),
    ];
    Table::new(columns.map(|(name, values)| (name.to_owned(), values)).to_vec()).unwrap()
}

fn rotors(table: &Table, rate: Option<f64>) -> Result<RotorLog, IdentifyError> {
    read_rotors_table(table, &robots::load("planar2r").unwrap(), rate)
}

fn rotor_samples(log: &RotorLog, cutoff: f64, delay: f64, decimate: u64) -> Vec<(Seen, Seen)> {
    let mut seen = Vec::new();
    let count = log.samples(cutoff, delay, decimate, |sample| {
        let part = |[q, qd, qdd]: [&[f64]; 3]| Seen {
            t: sample.t,
            q: q.to_vec(),
            qd: qd.to_vec(),
            qdd: qdd.to_vec(),
            tau: sample.tau.to_vec(),
            z: Vec::new(),
        };
        seen.push((part(sample.links), part(sample.rotors)));
    });
    assert_eq!(count.unwrap(), seen.len() as u64);
    seen
}

#[test]
fn motors_and_links_of_a_log_are_on_curves_of_their_own() {
    let times = even(1000, 100.0);
    let log = rotors(&rotor_log(&times, |t| t), None).unwrap();
    assert_eq!((&log.elastic[..], log.rows, log.doubled, log.clock), (&[0, 1][..], 1000, 0, Clock::Seconds));
    near(&[log.rate()], &[100.0], 1e-9, "rate");
    for (delay, decimate) in [(0.0, 1), (0.03, 4), (0.0, 0)] {
        let seen = rotor_samples(&log, 16.0, delay, decimate);
        let kept: Vec<f64> = (7..993).filter(|i| i % decimate.max(1) == 0).map(|i| i as f64 / 100.0).collect();
        near(&seen.iter().map(|(links, _)| links.t).collect::<Vec<_>>(), &kept, 1e-12, "times");
        for (links, motors) in seen.iter().filter(|(links, _)| (2.0..8.0).contains(&links.t)) {
            let t = links.t + delay;
            near(&links.tau, &torque(links.t), 1e-12, "torque");
            near(&links.q, &motion(t, 0), 1e-4, "link");
            near(&links.qdd, &motion(t, 2), 1e-2, "acceleration of a link");
            near(&motors.q, &[motion(t + 0.1, 0)[0], motion(t + 0.2, 0)[1]], 1e-4, "motor");
            near(&motors.qd, &[motion(t + 0.1, 1)[0], motion(t + 0.2, 1)[1]], 1e-3, "velocity of a motor");
        }
    }
    for (cutoff, good) in [(0.0, false), (-1.0, false), (49.9, true), (50.1, false), (f64::NAN, false)] {
        assert_eq!(log.samples(cutoff, 0.0, 1, |_| ()).is_ok(), good, "{cutoff}");
    }
    // Stamps in milliseconds are seen from how far apart they are.
    let milli = rotors(&rotor_log(&times, |t| 1e3 * t), None).unwrap();
    assert_eq!(milli.clock, Clock::Milliseconds);
    near(&[milli.rate()], &[100.0], 1e-9, "rate");
    // Without time the rate tells it.
    let untimed = without(&rotor_log(&times, |t| t), &["t"]);
    assert!(matches!(rotors(&untimed, None), Err(IdentifyError::NoTime { .. })));
    let log = rotors(&untimed, Some(50.0)).unwrap();
    near(&[log.rate(), rotor_samples(&log, 8.0, 0.0, 1)[0].0.t], &[50.0, 0.14], 1e-9, "rate and first time");
    // One motor of its own is a spring at that joint alone.
    let one = rotors(&without(&rotor_log(&times, |t| t), &["theta1"]), None).unwrap();
    assert_eq!(one.elastic, [1]);
    let (_, motor) = &rotor_samples(&one, 16.0, 0.0, 1)[400];
    near(&motor.q, &[motion(motor.t + 0.2, 0)[1]], 1e-4, "motor");
    // From a text it is the same.
    let table = rotor_log(&times[..200], |t| t);
    let mut text = table.headings().join(",") + "\n";
    for i in 0..200 {
        let cells: Vec<String> = (0..7).map(|k| table.column(k)[i].to_string()).collect();
        text += &(cells.join(",") + "\n");
    }
    let read = read_rotors(text.as_bytes(), &robots::load("planar2r").unwrap(), None).unwrap();
    assert_eq!(rotor_samples(&read, 16.0, 0.0, 1), rotor_samples(&rotors(&table, None).unwrap(), 16.0, 0.0, 1));
}

#[test]
fn rows_of_motors_that_came_twice_are_left_out_and_bad_ones_refused_where_they_stand() {
    let times = even(400, 100.0);
    let table = rotor_log(&times, |t| t);
    let names = ["q1", "q2", "theta1", "theta2", "tau1", "tau2"];
    let twice: Vec<(&str, Vec<f64>)> = names
        .into_iter()
        .zip(1..)
        .map(|(name, k)| {
            let mut column = table.column(k).to_vec();
            column[150] = column[149];
            (name, column)
        })
        .collect();
    let log = rotors(&with(&table, &twice), None).unwrap();
    assert_eq!((log.rows, log.doubled), (400, 1));
    let changed = |name: &str, value: f64| {
        let mut column = table.column(table.headings().iter().position(|own| own == name).unwrap()).to_vec();
        column[70] = value;
        rotors(&with(&table, &[(name, column)]), None)
    };
    for (name, column) in [("q2", 3), ("theta1", 4), ("tau2", 7)] {
        assert!(changed(name, 1e15).is_ok() || name != "tau2");
        let Err(IdentifyError::TooLarge { place, column: at, value }) = changed(name, -1.1e15) else {
            panic!("{name}")
        };
        assert_eq!((place.number(), at, value), (71, column, -1.1e15));
    }
    for stamp in [times[69], times[68]] {
        let Err(IdentifyError::TimeOrder { place, before, now }) = changed("t", stamp) else { panic!("{stamp}") };
        assert_eq!((place.number(), before, now), (71, times[69], stamp));
    }
    // Fewer than 32 rows make no curve.
    for (rows, good) in [(31, false), (32, true)] {
        let found = rotors(&rotor_log(&times[..rows], |t| t), None);
        match found {
            Err(IdentifyError::TooFew { samples, needed }) => assert!(!good && (samples, needed) == (31, 32)),
            other => assert!(other.is_ok() && good, "{rows}"),
        }
    }
    let model = ball();
    assert!(matches!(read_rotors_table(&table, &model, None), Err(IdentifyError::QuaternionDerivatives { .. })));
}

/// Stamps that jitter by a fifth of a step are laid back onto the ticks of the device.
#[test]
fn motors_with_uneven_stamps_stand_on_the_ticks_of_their_device() {
    let times = even(600, 100.0);
    let jittered: Vec<f64> = times.iter().enumerate().map(|(i, t)| t + 4e-3 * rough(i)).collect();
    let log = rotors(&with(&rotor_log(&times, |t| t), &[("t", jittered)]), None).unwrap();
    let seen = rotor_samples(&log, 16.0, 0.0, 1);
    for pair in seen.windows(2).filter(|pair| (1.0..5.0).contains(&pair[0].0.t)) {
        near(&[pair[1].0.t - pair[0].0.t], &[0.01], 1e-4, "step");
    }
}
