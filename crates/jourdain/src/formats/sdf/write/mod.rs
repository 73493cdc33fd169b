//! Writes a robot as SDF 1.11.
//!
//! A link's pose is written relative to its parent, a joint's in its link, so that reading gives the numbers back to the last
//! bit. Rotors go into Drake's extension of the format, which other simulators pass over. Gravity belongs to a world, so a robot
//! whose gravity is not SDF's default is written as a world.

mod names;
mod steps;

use super::super::plain::Losses;
use super::super::reframe::placement;
use super::super::written::Written;
use super::super::xml::write::escaped;
use crate::model::Number;
use crate::model::description::{
    Description, InertiaDescription, JointKind, LinkDescription, MimicDescription, Orientation, Placement,
};
use crate::model::lowered::{Lowered, LoweredLink, leaders};
use crate::model::shape::{Form, ShapeDescription};
use crate::spatial::{Pose, Rotation};
use names::Names;
use std::collections::HashMap;
use std::f64::consts::TAU;
use std::fmt::Write as _;
use steps::{Step, steps};

/// The robot as SDF, with what SDF cannot say.
///
/// ```
/// use jourdain::formats::{self, Format, to_sdf};
/// let robot = jourdain::robots::find("scara").unwrap().read().description.unwrap();
/// let written = to_sdf(&robot);
/// let again = formats::read_str(&written.text, Format::Sdf).description.unwrap();
/// assert_eq!(again.links.len(), robot.links.len());
/// ```
#[must_use]
pub fn to_sdf(robot: &Description) -> Written {
    let mut writer = Writer::new(robot);
    let is_world = robot.gravity.map(|x| x.value) != super::GRAVITY;
    writer.text += "<?xml version=\"1.0\"?>\n";
    writer.open("sdf version=\"1.11\" xmlns:drake=\"drake.mit.edu\"");
    if is_world {
        writer.open(&format!("world name=\"{}\"", escaped(&robot.name)));
        writer.element("gravity", &list(&robot.gravity.map(|x| x.value)));
    }
    writer.open(&format!("model name=\"{}\"", escaped(&robot.name)));
    for place in 0..writer.lowered.links.len() {
        writer.link(place);
    }
    writer.close("model");
    if is_world {
        writer.close("world");
    }
    writer.close("sdf");
    writer.finish()
}

struct Writer<'a> {
    robot: &'a Description,
    lowered: Lowered<f64>,
    /// By place in `lowered`.
    links: Vec<String>,
    joints: Vec<String>,
    /// The links of joints that lead others.
    leaders: HashMap<&'a str, usize>,
    names: Names,
    losses: Losses,
    text: String,
    depth: usize,
}

impl<'a> Writer<'a> {
    fn new(robot: &'a Description) -> Self {
        let lowered = Lowered::<f64>::new(robot, 1.0);
        let (mut names, mut losses) = (Names::default(), Losses::default());
        let given = || lowered.order.iter().map(|old| &robot.links[*old]);
        let links: Vec<String> = given().map(|link| names.link(&link.name, &mut losses)).collect();
        let mut joints = Vec::with_capacity(links.len());
        for (link, lowered) in given().zip(&lowered.links) {
            joints.push(match floats(link, lowered) {
                // A floating link has no joint in SDF; reading calls it by the link.
                true => String::new(),
                false => names.joint(&link.joint.name, &mut losses),
            });
            if floats(link, lowered) && link.joint.name != link.name {
                losses.joint("the name, because links float without a joint, of", &link.joint.name);
            }
        }
        if !is_depth_first(&lowered) {
            losses.whole("the order of the coordinates, which follows the tree");
        }
        losses.states(&robot.states);
        Self { robot, lowered, links, joints, leaders: leaders(robot), names, losses, text: String::new(), depth: 0 }
    }

    fn finish(self) -> Written {
        Written { text: self.text, lost: self.losses.finish() }
    }

    /// A link with its joints, and the links between them.
    fn link(&mut self, place: usize) {
        let link = &self.robot.links[self.lowered.order[place]];
        let lowered = self.lowered.links[place].clone();
        let parent = lowered.parent.map(|parent| self.links[parent].clone());
        let pose = match link.placement {
            Placement::Origin { xyz, orientation } => Some((xyz, orientation)),
            Placement::Dh { .. } => match placement(&Pose::from(lowered.placement.clone())) {
                Placement::Origin { xyz, orientation } => Some((xyz, orientation)),
                Placement::Dh { .. } => None,
            },
        };
        let name = self.links[place].clone();
        if floats(link, &lowered) {
            self.body(&name, None, None, Some(link), &lowered);
            return;
        }
        let steps = steps(link, &lowered.motion);
        self.say_losses(link, &steps);
        let (mut before, mut drawn) = (parent, pose);
        for (number, step) in steps.iter().enumerate() {
            let is_last = number + 1 == steps.len();
            let of = |what: &str| format!("{what}_{}", number + 1);
            let called = if is_last { name.clone() } else { self.names.fresh(of(&name), "_") };
            let joint = match steps.len() {
                1 => self.joints[place].clone(),
                _ => self.names.fresh(of(&self.joints[place]), "_"),
            };
            self.body(&called, before.as_deref(), drawn.take(), is_last.then_some(link), &lowered);
            self.joint(&joint, before.as_deref(), &called, link, step);
            before = Some(called);
        }
    }

    fn say_losses(&mut self, link: &LinkDescription, steps: &[Step]) {
        let joint = &link.joint.name;
        if steps.len() > 1 {
            self.losses.joint("that one joint moves there, not several with massless links between, of", joint);
        }
        if link.joint.kind == JointKind::Free {
            self.losses.joint("axes of velocities and order of positions of", joint);
        }
        self.losses.shaft(link);
        self.losses.balance(link);
        if let Some(motor) = &link.motor {
            self.losses.elasticity(motor, joint);
        }
    }

    /// A `<link>`; one without a description is massless.
    fn body(
        &mut self,
        name: &str,
        parent: Option<&str>,
        pose: Option<([Number; 3], Orientation)>,
        link: Option<&LinkDescription>,
        lowered: &LoweredLink<f64>,
    ) {
        self.open(&format!("link name=\"{}\"", escaped(name)));
        if parent.is_some() || pose.is_some() {
            let (xyz, orientation) = pose.unwrap_or(([Number::ZERO; 3], Orientation::Rpy([Number::ZERO; 3])));
            self.pose(parent, xyz.map(|x| x.value), &orientation);
        }
        self.open("inertial");
        let (mass, com, elements, rpy) =
            link.map_or((0.0, [0.0; 3], [0.0; 6], [0.0; 3]), |link| inertia(link, lowered));
        if com != [0.0; 3] || rpy != [0.0; 3] {
            self.pose(None, com, &Orientation::Rpy(rpy.map(Number::from)));
        }
        self.element("mass", &number(mass));
        self.open("inertia");
        for (tag, element) in ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"].into_iter().zip(elements) {
            self.element(tag, &number(element));
        }
        self.close("inertia");
        self.close("inertial");
        for (place, shape) in link.iter().flat_map(|link| &link.shapes).enumerate() {
            self.visual(place, shape);
        }
        self.close("link");
        if let Some(link) = link.filter(|link| link.mass.value == 0.0) {
            self.losses.link("that there is no mass, which Gazebo refuses, in", &link.name);
        }
    }

    fn visual(&mut self, place: usize, shape: &ShapeDescription) {
        self.open(&format!("visual name=\"visual{}\"", place + 1));
        let xyz = shape.xyz.map(|x| x.value);
        if xyz != [0.0; 3] || shape.pose().rotation != Rotation::identity() {
            self.pose(None, xyz, &shape.orientation);
        }
        self.open("geometry");
        self.open(shape.form.name());
        match &shape.form {
            Form::Box { size } => self.element("size", &list(size)),
            Form::Ellipsoid { radii } => self.element("radii", &list(radii)),
            Form::Sphere { radius } => self.element("radius", &number(*radius)),
            Form::Cylinder { radius, length } | Form::Capsule { radius, length } => {
                self.element("radius", &number(*radius));
                self.element("length", &number(*length));
            }
            Form::Mesh { path, scale } => {
                self.element("uri", &escaped(path));
                if *scale != [1.0; 3] {
                    self.element("scale", &list(scale));
                }
            }
        }
        self.close(shape.form.name());
        self.close("geometry");
        if let Some(colour) = &shape.colour {
            self.open("material");
            self.element("ambient", &list(colour));
            self.element("diffuse", &list(colour));
            self.close("material");
        }
        self.close("visual");
    }

    fn joint(&mut self, name: &str, parent: Option<&str>, child: &str, link: &LinkDescription, step: &Step) {
        let joint = &link.joint;
        self.open(&format!("joint name=\"{}\" type=\"{}\"", escaped(name), step.name(joint.limits.is_some())));
        self.element("parent", &escaped(parent.unwrap_or("world")));
        self.element("child", &escaped(child));
        if step.point() != [0.0; 3] {
            self.pose(None, step.point(), &Orientation::Rpy([Number::ZERO; 3]));
        }
        if let Step::Screw { pitch, .. } = step {
            self.element("screw_thread_pitch", &number(per_turn(*pitch)));
        }
        let [viscous, coulomb] = link.motor.map_or([0.0; 2], |motor| {
            [(motor.viscous, motor.rotor_viscous), (motor.coulomb, motor.rotor_coulomb)]
                .map(|(link, rotor)| if rotor.value == 0.0 { link.value } else { link.value + rotor.value })
        });
        let has_friction = viscous != 0.0 || coulomb != 0.0;
        let mut axes: Vec<Option<[f64; 3]>> = step.axes().into_iter().map(Some).collect();
        if axes.is_empty() && has_friction && *step != Step::Fixed {
            axes.push(None);
        }
        for (tag, axis) in ["axis", "axis2"].into_iter().zip(axes) {
            self.open(tag);
            if let Some(axis) = axis {
                self.element("xyz", &list(&axis));
            }
            let limits = [
                ("lower", joint.limits.map(|[lower, _]| lower)),
                ("upper", joint.limits.map(|[_, upper]| upper)),
                ("effort", joint.effort),
                ("velocity", joint.velocity),
            ];
            if limits.iter().any(|(_, limit)| limit.is_some()) {
                self.open("limit");
                for (tag, limit) in limits {
                    if let Some(limit) = limit {
                        self.element(tag, &number(limit.value));
                    }
                }
                self.close("limit");
            }
            if has_friction {
                self.open("dynamics");
                self.element("damping", &number(viscous));
                self.element("friction", &number(coulomb));
                self.close("dynamics");
            }
            if let Some(mimic) = &joint.mimic {
                self.mimic(mimic);
            }
            self.close(tag);
        }
        if let Some(motor) = link.motor.filter(|motor| motor.inertia.value != 0.0 || motor.ratio.value != 1.0) {
            self.element("drake:rotor_inertia", &number(motor.inertia.value));
            self.element("drake:gear_ratio", &number(motor.ratio.value));
        }
        self.close("joint");
    }

    fn mimic(&mut self, mimic: &MimicDescription) {
        let leader = self.leaders.get(mimic.joint.as_str()).copied();
        let place = leader.and_then(|leader| self.lowered.order.iter().position(|old| *old == leader));
        let Some(place) = place else { return };
        self.open(&format!("mimic joint=\"{}\" axis=\"axis\"", escaped(&self.joints[place])));
        self.element("multiplier", &number(mimic.multiplier.value));
        self.element("offset", &number(mimic.offset.value));
        self.element("reference", "0");
        self.close("mimic");
    }

    fn pose(&mut self, relative_to: Option<&str>, xyz: [f64; 3], orientation: &Orientation) {
        let relative = relative_to.map(|frame| format!(" relative_to=\"{}\"", escaped(frame))).unwrap_or_default();
        let (format, angles) = match orientation {
            Orientation::Rpy(rpy) => ("", list(&rpy.map(|x| x.value))),
            Orientation::Quaternion([w, x, y, z]) => {
                (" rotation_format=\"quat_xyzw\"", list(&[*x, *y, *z, *w].map(|x| x.value)))
            }
        };
        self.line(&format!("<pose{relative}{format}>{} {angles}</pose>", list(&xyz)));
    }

    fn open(&mut self, tag: &str) {
        self.line(&format!("<{tag}>"));
        self.depth += 1;
    }

    fn close(&mut self, tag: &str) {
        self.depth -= 1;
        self.line(&format!("</{tag}>"));
    }

    fn element(&mut self, tag: &str, text: &str) {
        self.line(&format!("<{tag}>{text}</{tag}>"));
    }

    fn line(&mut self, line: &str) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{:1$}{line}", "", 2 * self.depth);
    }
}

/// A free joint whose position is the pose in the world: SDF says it by having no joint.
fn floats(link: &LinkDescription, lowered: &LoweredLink<f64>) -> bool {
    let at_origin = Pose::from(lowered.placement.clone()) == Pose::identity();
    link.joint.kind == JointKind::Free && lowered.parent.is_none() && at_origin
}

/// True if a walk from parents to children meets the links in their order.
fn is_depth_first(lowered: &Lowered<f64>) -> bool {
    let mut path: Vec<usize> = Vec::new();
    lowered.links.iter().enumerate().all(|(place, link)| {
        while path.last().copied() != link.parent && path.pop().is_some() {}
        path.push(place);
        link.parent.is_none() || path.len() > 1
    })
}

/// Mass, centre of mass, elements about it, and the angles of the axes that these are in.
fn inertia(link: &LinkDescription, lowered: &LoweredLink<f64>) -> (f64, [f64; 3], [f64; 6], [f64; 3]) {
    let (mass, com) = (link.mass.value, link.com.map(|x| x.value));
    let value = |elements: &[Number; 6]| elements.map(|x| x.value);
    match &link.inertia {
        InertiaDescription::AboutCom(elements) => (mass, com, value(elements), [0.0; 3]),
        InertiaDescription::AboutComRotated { elements, rpy } => (mass, com, value(elements), rpy.map(|x| x.value)),
        InertiaDescription::AboutOrigin(elements) if mass == 0.0 => (mass, com, value(elements), [0.0; 3]),
        InertiaDescription::AboutOrigin(_) => (mass, com, lowered.inertia.about_com().1.to_array(), [0.0; 3]),
    }
}

/// Travel per turn that is read as this travel per radian, to the last bit where there is such a number.
fn per_turn(pitch: f64) -> f64 {
    let near = pitch * TAU;
    [near, near.next_up(), near.next_down()].into_iter().find(|turn| turn / TAU == pitch).unwrap_or(near)
}

/// The shortest text that is read as the same number.
fn number(x: f64) -> String {
    let text = format!("{x:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn list(numbers: &[f64]) -> String {
    numbers.iter().map(|x| number(*x)).collect::<Vec<_>>().join(" ")
}
