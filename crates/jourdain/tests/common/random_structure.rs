//! Random robots whose structure is what is tested: special geometry, and chains of coupled joints. For base parameters and the
//! campaign.

use super::random_tree::{Random, Shape, random_description};
use jourdain::model::Number;
use jourdain::model::description::{
    Description, DhConvention, DhParameters, GROUND, JointKind, LinkDescription, MimicDescription, MotorDescription,
    Orientation, Placement,
};
use std::f64::consts::PI;

const RIGHT: f64 = std::f64::consts::FRAC_PI_2;

/// A robot of revolute and prismatic joints whose axes are often parallel, coaxial or at right angles.
pub fn special_robot(random: &mut Random, links: usize, tree: bool) -> Description {
    let oblique = 0.6_f64.acos();
    let mut description = Description {
        name: "special".to_owned(),
        gravity: [[0.0, 0.0, -9.81], [9.81, 0.0, 0.0], [0.0, 3.0, -4.0], [0.0; 3], [1.0, -2.0, 3.0]][random.below(5)]
            .map(Number::from),
        allow_unphysical: true,
        links: Vec::new(),
        states: Vec::new(),
    };
    for i in 0..links {
        let parent = match i {
            0 => GROUND.to_owned(),
            _ if tree && random.chance(0.4) => match random.below(i + 1) {
                0 => GROUND.to_owned(),
                on => format!("link{}", on - 1),
            },
            _ => format!("link{}", i - 1),
        };
        let mut link = LinkDescription::new(format!("link{i}"), parent);
        let mut length = || if random.chance(0.5) { 0.0 } else { random.range(-5.0, 5.0).round() / 10.0 };
        let lengths = [length(), length(), length()].map(Number::from);
        let mut angle = |choices: &[f64]| Number::from(choices[random.below(choices.len())]);
        let alpha = angle(&[0.0, 0.0, RIGHT, -RIGHT, 2.0 * RIGHT, oblique, -oblique]);
        let theta = angle(&[0.0, 0.0, RIGHT, oblique]);
        let gamma = if tree { angle(&[0.0, RIGHT, oblique]) } else { Number::ZERO };
        let b = if tree { lengths[2] } else { Number::ZERO };
        link.placement = Placement::Dh {
            convention: DhConvention::Modified,
            parameters: DhParameters { alpha, a: lengths[0], theta, d: lengths[1], gamma, b },
        };
        let (axis, point) = ([Number::ZERO, Number::ZERO, Number::ONE], [Number::ZERO; 3]);
        link.joint.kind =
            if random.chance(0.35) { JointKind::Prismatic { axis } } else { JointKind::Revolute { axis, point } };
        if random.chance(0.1) {
            link.joint.kind = JointKind::Fixed;
        } else if random.chance(0.15) {
            link.motor = Some(MotorDescription { inertia: Number::ONE, ..MotorDescription::default() });
        }
        description.links.push(link);
    }
    description
}

/// A robot whose joints often follow others, chains of followers included, with simple and other multipliers.
pub fn coupled_robot(random: &mut Random) -> Description {
    let shape = Shape { mimic: false, links: 2 + random.below(6), ..Shape::random(random, 6) };
    let mut description = random_description(shape, random);
    if random.chance(0.5) {
        // Frames along one another, so that axes are often parallel.
        for link in &mut description.links {
            let angle = |random: &mut Random| Number::from([0.0, PI / 2.0, -PI, PI / 4.0, 0.3][random.below(5)]);
            let xyz = std::array::from_fn(|_| Number::from(f64::from(random.below(3) as u32) * 0.1));
            let orientation = Orientation::Rpy([angle(random), Number::ZERO, angle(random)]);
            link.placement = Placement::Origin { xyz, orientation };
            if let JointKind::Revolute { axis, point } = &mut link.joint.kind {
                *axis = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 2.0, 3.0]][random.below(4)]
                    .map(Number::from);
                *point = [Number::ZERO; 3];
            }
        }
    }
    let single: Vec<usize> = (0..description.links.len())
        .filter(|&i| {
            let kind = &description.links[i].joint.kind;
            matches!(kind, JointKind::Revolute { .. } | JointKind::Prismatic { .. } | JointKind::Helical { .. })
        })
        .collect();
    for k in 1..single.len() {
        if random.chance(0.6) {
            // One before it, which may follow another; or the first.
            let leader = single[if random.chance(0.5) { k - 1 } else { 0 }];
            let multiplier = [1.0, -1.0, 2.0, 0.5, 0.25, 1.5, 3.0, 0.8, 2.0_f64.sqrt()][random.below(9)];
            let offset = [0.0, 0.0, 0.3, PI / 2.0][random.below(4)];
            let joint = description.links[leader].joint.name.clone();
            let (multiplier, offset) = (Number::from(multiplier), Number::from(offset));
            description.links[single[k]].joint.mimic = Some(MimicDescription { joint, multiplier, offset });
            description.links[single[k]].motor =
                random.chance(0.3).then(|| MotorDescription { inertia: Number::ONE, ..MotorDescription::default() });
        }
    }
    description
}
