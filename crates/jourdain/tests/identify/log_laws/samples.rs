//! Which rows are read and become samples, and that their curves are what the method says.

use super::rows::{Seen, cutoff, keep, near, read, table};
use crate::logs::Random;
use jourdain::formats::table::Table;
use jourdain::identify::log::{Options, bandwidth, read as read_text, read_table};
use jourdain::identify::{Coordinates, IdentifyError};
use jourdain::{Model, formats, robots};
use nalgebra::{DMatrix, DVector};
use std::f64::consts::PI;
use std::ops::ControlFlow;

fn motion(t: f64, joint: usize) -> f64 {
    if joint == 0 { (2.0 * t).sin() } else { 0.4 * (3.0 * t + 1.0).cos() }
}

/// Rows of two joints; the torque of the first is the number of the row.
fn log(stamps: &[f64], noise: f64) -> Table {
    let mut random = Random(17);
    let off: Vec<f64> = (0..2 * stamps.len()).map(|_| noise * random.normal()).collect();
    let position = |i: usize, j: usize| motion(stamps[i], j) + off[2 * i + j];
    let torque = |i: usize, j: usize| if j == 0 { i as f64 } else { -1.0 };
    table(stamps, 2, &[("q", &position), ("tau", &torque)])
}

/// The same table with one other number.
fn with(table: &Table, name: &str, row: usize, value: f64) -> Table {
    let column = |k: usize| {
        let mut column = table.column(k).to_vec();
        if table.headings()[k] == name {
            column[row] = value;
        }
        (table.headings()[k].clone(), column)
    };
    Table::new((0..table.headings().len()).map(column).collect()).unwrap()
}

/// Two windows of rows, a gap in each, at a rate that gaps leave alone.
#[test]
fn gaps_in_any_window_lose_both_their_sides_and_are_counted() {
    let after = |i: usize| {
        if i >= 4150 {
            3.4
        } else if i >= 1000 {
            0.4
        } else {
            0.0
        }
    };
    let stamps: Vec<f64> = (0..4300).map(|i| 0.01 * i as f64 + after(i)).collect();
    let (summary, seen) = read("planar2r", &log(&stamps, 0.0), &cutoff(22.0)).unwrap();
    assert_eq!((summary.filtering.unwrap().rate, summary.gaps, summary.rows), (100.0, 2, 4300));
    // A period of the cut-off is 0.045 s.
    let lost = |i: &usize| [0, 1000, 4150].iter().any(|start| (*start..start + 5).contains(i)) || last_five(*i);
    let known: Vec<usize> = (0..4300).filter(|i| !lost(i)).collect();
    assert_eq!(seen.iter().map(|sample| sample.tau[0] as usize).collect::<Vec<_>>(), known);
    for (sample, &i) in seen.iter().zip(&known) {
        near(&[sample.t, sample.tau[1]], &[stamps[i], -1.0], 1e-6, "time and torque");
        near(&sample.q, &[motion(sample.t, 0), motion(sample.t, 1)], 1e-4, "position");
    }
}

fn last_five(i: usize) -> bool {
    [1000, 4150, 4300].iter().any(|end| (end - 5..*end).contains(&i))
}

#[test]
fn a_gap_is_longer_than_a_period_of_the_cut_off_and_than_two_and_a_half_steps() {
    for (pause, hertz, gaps) in [(0.11, 10.0, 1), (0.09, 10.0, 0), (0.02, 45.0, 0), (0.03, 45.0, 1), (0.9, 1.0, 0)] {
        let stamps: Vec<f64> =
            (0..400).map(|i| 0.01 * f64::from(i) + if i >= 200 { pause - 0.01 } else { 0.0 }).collect();
        let (summary, _) = read("planar2r", &log(&stamps, 0.0), &cutoff(hertz)).unwrap();
        assert_eq!(summary.gaps, gaps, "{pause} s at {hertz} Hz");
    }
}

/// Around the rows that count as many are read as a curve feels: 32/π periods of the cut-off, and eight; before them
/// five more, by which doubled ones are known. What is wrong with others is not seen.
#[test]
fn a_part_of_a_log_is_what_the_whole_gives_and_reads_no_more_than_it_feels() {
    let stamps: Vec<f64> = (0..4400).map(|i| 0.01 * f64::from(i)).collect();
    let whole = log(&stamps, 1e-3);
    let part = |rows: std::ops::Range<u64>| Options { rows: Some(rows), ..cutoff(20.0) };
    let (_, samples) = read("planar2r", &whole, &cutoff(20.0)).unwrap();
    let inside: Vec<Seen> = samples.into_iter().filter(|sample| (4200.0..4300.0).contains(&sample.tau[0])).collect();
    let (summary, seen) = read("planar2r", &whole, &part(4200..4300)).unwrap();
    assert_eq!((summary.rows, summary.samples, seen.len()), (100, 100, 100));
    assert!(seen == inside);
    let margin = (32.0 / (PI * 20.0) * 100.0_f64).ceil() as usize + 8;
    let first = 4096 - margin - 5;
    let end = 4096 + margin;
    for (rows, bad, good) in [
        (4200..4300, first - 1, true),
        (4200..4300, first, false),
        (4200..4300, 4399, false),
        (10..20, end - 1, false),
        (10..20, end, true),
    ] {
        match read("planar2r", &with(&whole, "tau2", bad, 2e15), &part(rows.clone())) {
            Ok(_) => assert!(good, "row {bad} beside {rows:?}"),
            Err(IdentifyError::TooLarge { place, column, .. }) => {
                assert!(!good && (place.number(), column) == (bad as u64 + 1, 5), "row {bad} beside {rows:?}");
            }
            Err(other) => panic!("{other}"),
        }
    }
    // Text is passed over in the same way.
    let text = text(&whole);
    let mut lines: Vec<&str> = text.lines().collect();
    lines[100] = "not,a,number,at,all";
    let mut found = Vec::new();
    let model = robots::load("planar2r").unwrap();
    let mut skip_bad = lines.join("\n");
    skip_bad.push('\n');
    let rate = Options { rate: None, ..part(4200..4300) };
    let summary = read_text(skip_bad.as_bytes(), &model, &rate, |sample| found.push(keep(sample))).unwrap();
    assert_eq!(summary.samples, 100);
    assert!(found.iter().zip(&inside).all(|(a, b)| a.tau == b.tau && (a.q[0] - b.q[0]).abs() < 1e-9));
}

fn text(table: &Table) -> String {
    let mut text = table.headings().join(",") + "\n";
    for i in 0..table.rows() {
        let cells: Vec<String> = (0..table.headings().len()).map(|k| table.column(k)[i].to_string()).collect();
        text += &(cells.join(",") + "\n");
    }
    text
}

/// What is wrong is told where it stands: the first wrong thing of all, counted with the heading.
#[test]
fn the_first_bad_line_of_a_text_is_told() {
    let stamps: Vec<f64> = (0..120).map(|i| 0.01 * f64::from(i)).collect();
    let good = text(&log(&stamps, 0.0));
    let model = robots::load("planar2r").unwrap();
    let told = |changed: &[(usize, &str)]| {
        let mut lines: Vec<&str> = good.lines().collect();
        changed.iter().for_each(|(line, text)| lines[line - 1] = text);
        let error = read_text(lines.join("\n").as_bytes(), &model, &cutoff(20.0), |_| ()).unwrap_err();
        (error.kind().to_owned(), error.place())
    };
    let large = "0.015,0,0,2e15,0";
    let (kind, _) = told(&[(3, large)]);
    for line in [2, 3, 4, 5, 60] {
        let (bad, place) = told(&[(line, "1,2,x,4,5")]);
        assert_ne!(bad, kind);
        assert_eq!(place.map(|(line, _)| line), Some(line as u64), "line {line}: {bad}");
        if line > 3 {
            // One that is too large stands before it.
            assert_eq!(told(&[(3, large), (line, "1,2,x,4,5")]), (kind.clone(), told(&[(3, large)]).1), "line {line}");
        }
    }
    let error = |text: &str| read_text(text.as_bytes(), &model, &cutoff(20.0), |_| ()).unwrap_err();
    let lines: Vec<&str> = good.lines().collect();
    let changed = |at: usize| [&lines[..at - 1], &[large], &lines[at..]].concat().join("\n");
    let Err(IdentifyError::TooLarge { place, column, value }) = Err::<(), _>(error(&changed(3))) else { panic!() };
    assert_eq!((place.to_string(), column, value), ("line 3".to_owned(), 4, 2e15));
}

#[test]
fn whoever_waits_is_told_every_1024_rows_how_far_it_is() {
    let stamps: Vec<f64> = (0..2500).map(|i| 0.01 * f64::from(i)).collect();
    let (table, model, mut told) = (log(&stamps, 0.0), robots::load("planar2r").unwrap(), Vec::new());
    let progress = |share: f64| {
        told.push(share);
        ControlFlow::Continue(())
    };
    read_table(&table, &model, &cutoff(20.0), progress, |_| ()).unwrap();
    assert_eq!(told, [0.0, 1024.0 / 2500.0, 2048.0 / 2500.0]);
}

/// Velocities or accelerations alone do not make a row a sample.
#[test]
fn a_log_with_one_of_two_derivatives_is_smoothed() {
    let stamps: Vec<f64> = (0..200).map(|i| 0.02 * f64::from(i)).collect();
    let position = |i: usize, j: usize| motion(stamps[i], j);
    let velocity = |i: usize, j: usize| (motion(stamps[i] + 1e-6, j) - motion(stamps[i] - 1e-6, j)) / 2e-6;
    let torque = |i: usize, _: usize| i as f64;
    for (letters, missing) in [("qd", "accelerations"), ("qdd", "velocities")] {
        let table = table(&stamps, 2, &[("q", &position), (letters, &velocity), ("tau", &torque)]);
        let (summary, _) = read("planar2r", &table, &Options::default()).unwrap();
        let filtering = summary.filtering.unwrap();
        assert!(filtering.from_spectrum && filtering.found == missing, "{filtering:?}");
    }
}

/// Turning about x: of the quaternion it is w that stands where ω_x is among the velocities, and w hardly changes.
#[test]
fn rates_of_quaternions_are_no_velocities_to_be_compared() {
    let reading = formats::read_str(
        r#"{"name": "ball", "link": [
            {"name": "hand", "mass": 1, "com": [0.1, 0, 0], "inertia": [0.01, 0, 0, 0.01, 0, 0.01],
             "joint": {"name": "socket", "type": "spherical"}}]}"#,
        formats::Format::Json,
    );
    let model = Model::from_description(&reading.description.unwrap()).unwrap();
    for axis in 0..3 {
        for first in [0.1, 2.9] {
            let stamps: Vec<f64> = (0..50).map(|i| 0.01 * f64::from(i)).collect();
            let angle = |i: usize| first + 0.2 * stamps[i];
            let mut columns = vec![("t".to_owned(), stamps.clone())];
            for k in 0..4 {
                let part = |i: usize| match k {
                    0 => (0.5 * angle(i)).cos(),
                    _ if k == axis + 1 => (0.5 * angle(i)).sin(),
                    _ => 0.0,
                };
                columns.push((format!("q{}", k + 1), (0..50).map(part).collect()));
            }
            for (letters, value) in [("qd", 0.2), ("qdd", 0.0), ("tau", 0.3)] {
                for k in 0..3 {
                    let value = if letters == "qd" && k != axis { 0.0 } else { value };
                    columns.push((format!("{letters}{}", k + 1), vec![value; 50]));
                }
            }
            let (table, mut count) = (Table::new(columns).unwrap(), 0);
            let go_on = |_| ControlFlow::Continue(());
            let summary = read_table(&table, &model, &Options::default(), go_on, |_| count += 1);
            assert_eq!(summary.map(|summary| summary.samples), Ok(50), "axis {axis} from {first}");
            assert_eq!(count, 50);
        }
    }
}

/// The power of samples less the line through their ends under a Hann window, by the sum that defines it.
fn power(samples: &[f64]) -> Vec<f64> {
    let (n, last) = (samples.len(), (samples.len() - 1) as f64);
    let windowed = |i: usize| {
        let share = i as f64 / last;
        let line = (1.0 - share) * samples[0] + share * samples[n - 1];
        (samples[i] - line) * (PI * share).sin().powi(2)
    };
    let at = |k: usize| {
        let wave = |i: usize| 2.0 * PI * (i * k) as f64 / n as f64;
        let (re, im) = (0..n)
            .map(|i| (windowed(i) * wave(i).cos(), windowed(i) * wave(i).sin()))
            .fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
        re * re + im * im
    };
    (0..n / 2).map(at).collect()
}

#[test]
fn a_motion_ends_where_its_spectrum_last_stands_clear_of_thirty_times_the_floor() {
    let mut random = Random(3);
    for length in [32, 40, 64, 100, 128] {
        for (noise, drift) in [(1e-1, 0.0), (1e-2, 5.0), (3.0, -40.0), (1e-3, 0.3)] {
            for frequency in [0.06, 0.11, 0.19] {
                let at = |i: usize| 3.0 * (2.0 * PI * frequency * i as f64).sin() + drift * i as f64 / length as f64;
                let samples: Vec<f64> = (0..length).map(|i| at(i) + noise * random.normal()).collect();
                // The first power of two of them counts.
                let used = 1 << (length as f64).log2().floor() as usize;
                let power = power(&samples[..used]);
                let mut upper = power[used / 4..].to_vec();
                upper.sort_by(f64::total_cmp);
                let largest = power.iter().copied().fold(0.0, f64::max);
                let floor = (30.0 * upper[upper.len() / 2]).max(1e-9 * largest);
                // Two bins of three, so that one of noise is none of the motion.
                let clear = |k: &usize| power[*k..*k + 3].iter().filter(|x| **x > floor).count() >= 2;
                let known = (1..used / 2 - 2).rev().find(clear).map(|k| (k + 1) as f64 * 50.0 / used as f64);
                assert_eq!(bandwidth(&samples, 50.0), known, "{length} samples, noise {noise}, {frequency}");
            }
        }
    }
    let few: Vec<f64> = (0..31).map(|i| f64::from(i).sin()).collect();
    assert_eq!((bandwidth(&few, 50.0), bandwidth(&few[..16], 50.0)), (None, None));
}

/// The r-th derivative of the B-spline of degree five on the knots 0, 1, …, 6, by truncated powers.
fn b_spline(x: f64, r: i32) -> f64 {
    let factorial: f64 = (1..=5 - r).map(f64::from).product();
    let term = |(k, c): (i32, f64)| c * (x - f64::from(k)).max(0.0).powi(5 - r);
    if !(0.0..6.0).contains(&x) {
        return 0.0;
    }
    (0..=6).zip([1.0, -6.0, 15.0, -20.0, 15.0, -6.0, 1.0]).map(term).sum::<f64>() / factorial
}

/// The curve with the least Σ (x − s)² + λ ∫ s‴², by dense normal equations with Boole's rule for the integral.
fn dense_curve(times: &[f64], x: &[f64], cutoff: f64, rate: f64) -> Vec<[f64; 3]> {
    let spacing = (1.0 / (8.0 * cutoff)).max(1.0 / rate);
    let place = |t: f64| (t - times[0]) / spacing;
    let intervals = place(times[times.len() - 1]).floor() as usize + 1;
    let size = intervals + 5;
    // Coefficient k belongs to the spline that begins five knots before knot k.
    let row = |at: f64, r: i32| DVector::from_fn(size, |k, _| b_spline(at - k as f64 + 5.0, r));
    let lambda = rate / (2.0 * PI * cutoff).powi(6) / spacing.powi(5);
    let (mut square, mut right) = (DMatrix::zeros(size, size), DVector::zeros(size));
    for (t, x) in times.iter().zip(x) {
        let row = row(place(*t), 0);
        square += &row * row.transpose();
        right += row * *x;
    }
    for k in 0..intervals {
        for (part, weight) in [7.0, 32.0, 12.0, 32.0, 7.0].into_iter().enumerate() {
            // Inside of the interval, as the third derivative is asked for at its ends from within.
            let third = row(k as f64 + (0.25 * part as f64).clamp(1e-12, 1.0 - 1e-12), 3);
            square += &third * third.transpose() * (lambda * weight / 90.0);
        }
    }
    let c = square.lu().solve(&right).unwrap();
    let at = |t: &f64| std::array::from_fn(|r| row(place(*t), r as i32).dot(&c) / spacing.powi(r as i32));
    times.iter().map(at).collect()
}

#[test]
fn curves_are_the_penalised_splines_that_dense_least_squares_give() {
    let mut random = Random(5);
    for (hertz, rate, rows) in [(12.0, 100.0, 60), (5.0, 50.0, 50), (9.0, 80.0, 47)] {
        let stamps: Vec<f64> = (0..rows).map(|i| 20.0 + f64::from(i) / rate).collect();
        let x: Vec<[f64; 2]> = stamps.iter().map(|t| [0, 1].map(|j| motion(*t, j) + 0.3 * random.normal())).collect();
        let position = |i: usize, j: usize| x[i][j];
        let torque = |i: usize, _: usize| i as f64;
        let table = table(&stamps, 2, &[("q", &position), ("tau", &torque)]);
        let (_, seen) = read("planar2r", &table, &cutoff(hertz)).unwrap();
        assert!(seen.len() > 20);
        for joint in 0..2 {
            let column: Vec<f64> = x.iter().map(|x| x[joint]).collect();
            let curve = dense_curve(&stamps, &column, hertz, rate);
            for sample in &seen {
                let [q, qd, qdd] = curve[sample.tau[0] as usize];
                near(&[sample.q[joint]], &[q], 2e-8, "position");
                near(&[sample.qd[joint]], &[qd], 1e-6, "velocity");
                near(&[sample.qdd[joint]], &[qdd], 1e-4, "acceleration");
            }
        }
    }
}

/// A joint that has turned a hundred thousand times moves as it did before.
#[test]
fn a_curve_far_from_zero_is_the_same_curve() {
    let stamps: Vec<f64> = (0..200).map(|i| 0.01 * f64::from(i)).collect();
    let position = |i: usize, j: usize| motion(stamps[i], j);
    let far = |i: usize, j: usize| motion(stamps[i], j) + 1e6;
    let torque = |i: usize, _: usize| i as f64;
    let of = |position: &dyn Fn(usize, usize) -> f64| {
        read("planar2r", &table(&stamps, 2, &[("q", position), ("tau", &torque)]), &cutoff(8.0)).unwrap().1
    };
    let (near_zero, far_off) = (of(&position), of(&far));
    assert_eq!(near_zero.len(), far_off.len());
    for (a, b) in near_zero.iter().zip(&far_off) {
        near(&[b.q[0] - 1e6, b.q[1] - 1e6], &a.q, 1e-6, "position");
        near(&b.qd, &a.qd, 1e-5, "velocity");
        near(&b.qdd, &a.qdd, 1e-2, "acceleration");
    }
}

/// Rows alone between gaps become no samples, but hysteresis follows them.
#[test]
fn curves_through_one_row_or_two_are_curves() {
    for alone in 1..=3 {
        let after = |i: usize| {
            if i < 200 {
                0.0
            } else if i < 200 + alone {
                1.0
            } else {
                2.0
            }
        };
        let stamps: Vec<f64> = (0..400).map(|i| 0.01 * i as f64 + after(i)).collect();
        let options = Options { coordinates: Some(Coordinates::joints(2)), ..cutoff(8.0) };
        let (summary, seen) = read("planar2r", &log(&stamps, 0.0), &options).unwrap();
        assert_eq!((summary.gaps, summary.samples, seen.len()), (2, 400 - alone as u64 - 52, 348 - alone));
    }
}
