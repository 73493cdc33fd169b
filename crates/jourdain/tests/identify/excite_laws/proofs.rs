//! Proofs that nothing comes too near at any time: what is between the times that are looked at, and how far things can move there.

use super::{DOWN, close, limits, robot};
use jourdain::Model;
use jourdain::identify::excite::{Clearance, Near, Series, Surroundings};
use std::f64::consts::PI;

/// Intervals that a proof begins with; it looks at their middles.
const INTERVALS: usize = 64;
const PERIOD: f64 = 5.0;

fn still(offset: f64) -> Series {
    Series { offset, waves: Vec::new() }
}

/// A series that passes its middle at all times that are looked at first, and is farthest from it a quarter of an interval beside them.
fn hidden(offset: f64, amplitude: f64) -> Series {
    let mut waves = vec![[0.0; 2]; INTERVALS];
    waves[INTERVALS - 1] = [amplitude, 0.0];
    Series { offset, waves }
}

fn turn(kind: &str, origin: [f64; 3]) -> String {
    format!("joint = {{ {kind} }}\norigin = {{ xyz = {origin:?} }}\n")
}

fn unit(count: usize, k: usize, size: f64) -> Vec<f64> {
    (0..count).map(|i| if i == k { size } else { 0.0 }).collect()
}

/// A proof gives in just where a speed, with a lever in metres, may take the gap away in half an interval.
#[track_caller]
fn has_lever(model: &Model<f64>, clearance: &Clearance, series: &[Series], gap: f64, joint: usize, lever: f64) {
    let prove = |speed: f64| clearance.prove(model, series, &unit(series.len(), joint, speed), PERIOD);
    let enough = gap / (lever * PERIOD / (2 * INTERVALS) as f64);
    assert!(prove(enough * (1.0 - 1e-7)).is_ok(), "joint {joint}: proved with a lever of {lever}");
    assert!(prove(enough * (1.0 + 1e-7)).is_err(), "joint {joint}: not proved with a lever of {lever}");
}

/// All axes are upright, so that heights are sums. Levers by the triangle inequality: what a joint turns is at most so far from its axis.
#[test]
fn levers_to_the_ground_are_the_lengths_between() {
    let upright = "axis = [0, 0, 1]";
    let ball = "shape = [{ type = \"capsule\", size = [0.02, 0.6], origin = { xyz = [0.4, 0.0, 0.0], rpy = [0.0, 1.5707963267948966, 0.0] } }]";
    let model = robot(
        DOWN,
        &[
            ("post", "base", &turn("type = \"fixed\"", [0.0, 0.0, 1.0])),
            (
                "base_turn",
                "post",
                &turn(&format!("type = \"revolute\", {upright}, point = [0.0, 0.3, 0.0]"), [9.0, 0.0, 0.0]),
            ),
            ("lift", "base_turn", &turn(&format!("type = \"prismatic\", {upright}"), [0.3, 0.4, 0.0])),
            (
                "screw",
                "lift",
                &turn(
                    &format!("type = \"helical\", {upright}, point = [0.0, 4.0, 0.0], pitch = 0.05"),
                    [0.0, 0.0, 0.7],
                ),
            ),
            (
                "follower",
                "screw",
                &turn(
                    &format!(
                        "type = \"helical\", {upright}, point = [0.1, 0.0, 0.0], pitch = 0.02, mimic = {{ joint = \"lift\", multiplier = -2.0, offset = 0.25 }}"
                    ),
                    [0.0, 0.6, 0.8],
                ),
            ),
            (
                "pair",
                "follower",
                &turn(
                    &format!(
                        "type = \"composite\", sequence = [{{ type = \"revolute\", {upright}, point = [0.2, 0.0, 0.0] }}, {{ type = \"prismatic\", {upright} }}, {{ type = \"revolute\", {upright}, point = [0.0, 3.0, 0.0] }}]"
                    ),
                    [0.5, 0.0, 0.0],
                ),
            ),
            (
                "tip",
                "pair",
                &(turn(&format!("type = \"revolute\", {upright}, point = [0.15, 0.0, 0.0]"), [0.0, 0.0, 0.1]) + ball),
            ),
        ],
    );
    let around = Surroundings { ground: Some(0.0), margin: 0.5, ..Surroundings::default() };
    let clearance = Clearance::new(&model, &limits(&model), &around, |_| None);
    assert!(clearance.notices().is_empty());
    let amplitude = 2.4;
    // In the order of q: base_turn, lift, screw, three of the pair, tip.
    let series = [still(0.4), hidden(-0.1, amplitude), still(2.0), still(0.7), still(0.2), still(-1.1), still(-0.5)];
    // The follower turns by −2 q + 0.25 = 0.45 and rises by its pitch with that.
    let height = 1.0 - 0.1 + 0.7 + 0.05 * 2.0 + 0.8 + 0.02 * 0.45 + 0.2 + 0.1 - 0.02;
    let gap = height - 0.5;
    let far = 0.1 + amplitude;
    // From the tip down: how far the capsule's ends can be from the origin of the link that is passed.
    let tip = 0.7;
    let pair = tip + 2.0 * 0.15 + 0.1;
    let after_last = pair + 2.0 * 3.0;
    let after_slide = after_last + 0.2;
    let follower = after_slide + 2.0 * 0.2 + 0.5;
    let screw = follower + 2.0 * 0.1 + 0.02 * (2.0 * far + 0.25) + 1.0;
    let lift = screw + 2.0 * 4.0 + 0.05 * 2.0 + 0.7;
    let base_turn = lift + far + 0.5;
    let levers = [
        base_turn + 0.3,
        // Its own slide, and twice that of its follower.
        1.0 + 2.0 * (follower + 0.1 + 0.02),
        screw + 4.0 + 0.05,
        after_slide + 0.2,
        1.0,
        pair + 3.0,
        tip + 0.15,
    ];
    for (joint, lever) in levers.into_iter().enumerate() {
        has_lever(&model, &clearance, &series, gap, joint, lever);
    }
    let near = clearance.prove(&model, &series, &[0.0; 7], PERIOD).unwrap().unwrap();
    assert_eq!((near.link, near.other), (6, None));
    close("nearest", near.distance, height, 1e-9);
    let breach = clearance.prove(&model, &series, &unit(7, 1, 1e3), PERIOD).unwrap_err();
    // As the lift goes down the follower turns twice as far the other way, and rises.
    close("breach", breach.distance, height - amplitude + 0.02 * 2.0 * amplitude, 1e-9);
}

/// Two arms on a trunk that moves as well, which brings them no nearer to each other.
#[test]
fn levers_between_links_end_at_the_link_that_carries_both() {
    let slide = |axis: &str| format!("type = \"prismatic\", axis = {axis}, limits = [-4.0, 4.0]");
    let ball =
        |x: f64| format!("shape = [{{ type = \"sphere\", size = [0.1], origin = {{ xyz = [{x:?}, 0.0, 0.0] }} }}]");
    let round = "type = \"revolute\", axis = [1, 0, 0], limits = [-3.0, 3.0]";
    let model = robot(
        DOWN,
        &[
            ("a", "base", &turn(round, [0.0; 3])),
            ("b", "a", &turn(&slide("[0, 0, 1]"), [0.0; 3])),
            ("trunk", "b", &turn(round, [0.0; 3])),
            ("left", "trunk", &turn(&slide("[1, 0, 0]"), [1.0, 0.0, 0.0])),
            ("left_tip", "left", &(turn(round, [0.0; 3]) + &ball(0.5))),
            ("right", "trunk", &turn(&slide("[1, 0, 0]"), [-1.0, 0.0, 0.0])),
            ("right_tip", "right", &(turn(round, [0.0; 3]) + &ball(-0.25))),
        ],
    );
    let around = Surroundings { between_links: true, margin: 0.25, ..Surroundings::default() };
    let clearance = Clearance::new(&model, &limits(&model), &around, |_| None);
    // Surfaces are 1.5 + 1.25 − 0.2 apart.
    let gap = 1.5 + 1.25 - 0.2 - 0.25;
    for moving in [3, 5] {
        let mut series = vec![still(0.0); 7];
        series[moving] = hidden(0.0, 2.4);
        for (joint, lever) in [(3, 1.0), (4, 0.5), (5, 1.0), (6, 0.25)] {
            has_lever(&model, &clearance, &series, gap, joint, lever);
        }
        for joint in 0..3 {
            let found = clearance.prove(&model, &series, &unit(7, joint, 1e9), PERIOD).unwrap().unwrap();
            assert_eq!((found.link, found.other), (4, Some(6)), "joint {joint}");
            close("apart", found.distance, gap + 0.25, 1e-9);
        }
        // Both at once add up.
        let sum = |speed: f64| {
            let speeds = [0.0, 0.0, 0.0, speed, 0.0, speed, 0.0];
            clearance.prove(&model, &series, &speeds, PERIOD)
        };
        let enough = gap / (2.0 * PERIOD / (2 * INTERVALS) as f64);
        assert!(sum(enough * (1.0 - 1e-7)).is_ok() && sum(enough * (1.0 + 1e-7)).is_err());
    }
}

/// A ball on an upright slide.
fn lift() -> (Model<f64>, Clearance) {
    let slide = "type = \"prismatic\", axis = [0, 0, 1], limits = [-4.0, 4.0]";
    let shape = "shape = [{ type = \"sphere\", size = [0.1] }]";
    let model = robot(DOWN, &[("lift", "base", &(turn(slide, [0.0; 3]) + shape))]);
    let around = Surroundings { ground: Some(0.0), margin: 0.2, ..Surroundings::default() };
    let clearance = Clearance::new(&model, &limits(&model), &around, |_| None);
    (model, clearance)
}

/// All waves in step once a period: −1 at all other times that are a multiple of half an interval away.
fn pulse(place: f64, depth: f64, offset: f64) -> Series {
    let wave = |l: usize| {
        let (sin, cos) = (2.0 * PI * l as f64 * place).sin_cos();
        [-depth * sin / INTERVALS as f64, -depth * cos / INTERVALS as f64]
    };
    Series { offset, waves: (1..=INTERVALS).map(wave).collect() }
}

#[test]
fn a_short_dip_is_seen_at_the_middle_of_every_interval_that_it_falls_into() {
    let (model, clearance) = lift();
    for interval in 0..INTERVALS {
        let place = (interval as f64 + 0.5) / INTERVALS as f64;
        let found = clearance.prove(&model, &[pulse(place, 1.0, 1.0)], &[0.0], PERIOD);
        let Err(Near { link: 0, other: None, distance }) = found else { panic!("interval {interval}: {found:?}") };
        close("at its lowest", distance, 1.0 - 1.0 - 0.1, 1e-9);
        // Between two middles it is not seen if nothing moves, and found if things may move as fast as they do.
        let place = interval as f64 / INTERVALS as f64;
        let unseen = clearance.prove(&model, &[pulse(place, 1.0, 1.0)], &[0.0], PERIOD).unwrap().unwrap();
        close("at the middles", unseen.distance, 1.0 + 1.0 / 64.0 - 0.1, 0.01);
        let fast = 2.0 * PI / PERIOD * INTERVALS as f64;
        assert!(clearance.prove(&model, &[pulse(place, 1.0, 1.0)], &[fast], PERIOD).is_err(), "interval {interval}");
    }
}

#[test]
fn a_millimetre_more_than_the_margin_is_asked_for() {
    let (model, clearance) = lift();
    for (height, fine) in [(0.3005, false), (0.2995, false), (0.3015, true), (0.2, false), (0.7, true)] {
        let found = clearance.prove(&model, &[still(height)], &[0.0], PERIOD);
        assert_eq!(found.is_ok(), fine, "{height}");
        let near = found.map_or_else(|near| near, Option::unwrap);
        close("distance", near.distance, height - 0.1, 1e-12);
    }
    // Where there is nothing to keep clear of, nothing is near.
    let nothing = Clearance::new(&model, &limits(&model), &Surroundings::default(), |_| None);
    assert_eq!(nothing.prove(&model, &[still(0.0)], &[1.0], PERIOD), Ok(None));
}
