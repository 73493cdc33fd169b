//! Robots whose lengths, masses, inertias and drives are symbols.
//!
//! What is zero in the robot file stays zero, directions stay numbers: the symbols are what a user of this *kind* of robot
//! would change. Links have the numbers of the base parameters: moving links from 1 in the order of the model, welded ones their
//! names. Lengths are named after the link that they belong to: `L1` leads from the frame of link 1 to that of the
//! next, `L0` from the ground. A centre of mass that lies where the next link begins has that link's length: a point mass at the tip of link 1 is
//! at `L1`. A length of a Denavit–Hartenberg table is one symbol, wherever it stands: where the frames are oblique to each
//! other, so that it has several coordinates, it has the letter of the table, `a2` or `d2`.

use crate::model::description::{DhConvention, Placement};
use crate::model::{Inertial, Joint, Link, LinkNumber, Mimic, Model, Motion, Motor, Number, Screw, Shaft};
use crate::parameters::names::{base_names, link_latex, standard_names};
use crate::parameters::{BaseParameters, Form, MinimalParameters, inertia, minimal_parameters, nominal};
use crate::spatial::{Inertia, Pose, Symmetric, Vector, exact_sin_cos};
use jourdain_symbolic::collect::{Polynomial, Role, Symbol};
use jourdain_symbolic::emit::identifier::{distinct, sanitize};
use jourdain_symbolic::expr::{reachable, substitute};
use jourdain_symbolic::{Expr, Scalar};
use std::collections::{HashMap, HashSet};

/// Smaller than this times its natural size, a number computed from the file is rounding of zero.
const DUST: f64 = 1e-13;

const ROOT: &str = "friction by the root of the speed";
const STRIBECK: &str = "friction that falls with speed";
const OFFSET: &str = "torque offset";

const AXES: [&str; 3] = ["x", "y", "z"];

/// A symbol of a robot and the number the robot file gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// How it is written.
    pub symbol: Symbol,
    /// The number in the robot file.
    pub value: f64,
    /// The unit.
    pub unit: &'static str,
    /// What it is, with the name of the link.
    pub about: String,
}

/// The model in symbols, and the symbols in the order in which they are numbered.
pub(super) fn symbolic(model: &Model) -> (Model<Expr>, Vec<Parameter>) {
    let mut list = List::default();
    let marks = marks(model);
    let gravity = list.gravity(model.gravity());
    let placements: Vec<Vector<Expr>> = (0..model.links().len()).map(|i| list.placement(model, i, &marks)).collect();
    let links = (0..model.links().len()).map(|i| list.link(model, i, &marks[i], &placements)).collect();
    let meant = nominal(model);
    let of_meant = (!std::ptr::eq(meant, model)).then(|| symbolic(meant).0);
    (model.rebuilt(gravity, links).with_nominal(of_meant), list.parameters)
}

/// The nominal model with its base parameters as symbols, lengths being numbers.
///
/// In the pseudo-inertia form they are the numbers that the fast algorithms multiply with, so that none is spent on
/// combining them.
pub(super) fn base(model: &Model, form: Form) -> (Model<Expr>, Vec<Parameter>) {
    let MinimalParameters { links: values, pseudo_inertia, without_rotor } = minimal_parameters(model, form);
    let model = nominal(model);
    let numeric = model.map(&mut exact);
    let mut list = List::default();
    let marks = marks(model);
    let names: Vec<[String; 2]> = standard_names(model).iter().map(|name| [name.text(), name.latex()]).collect();
    let regrouped: HashMap<usize, [String; 2]> = match form {
        Form::Literature => {
            let base = BaseParameters::new(model);
            let names = base_names(model, &base);
            base.kept().iter().copied().zip(names.iter().map(|name| [name.text(), name.latex()])).collect()
        }
        Form::PseudoInertia => HashMap::new(),
    };
    let mut links = numeric.links().to_vec();
    for (i, link) in links.iter_mut().enumerate() {
        let symbols = std::array::from_fn(|k| {
            let Some(value) = values[i][k] else { return Expr::zero() };
            let [text, latex] = regrouped.get(&(10 * i + k)).unwrap_or(&names[10 * i + k]).clone();
            let (unit, what) = (Inertial::ALL[k].unit(), Inertial::ALL[k].about());
            let (text, latex, what) = if pseudo_inertia && k > 3 {
                (format!("E{text}"), latex.replacen("\\mathit{", "\\mathit{E", 1), "pseudo-inertia")
            } else {
                (text, latex, what)
            };
            let about = format!("{what} of `{}`, regrouped, about the link origin", link.name);
            list.add(text, latex, Role::Linear, value, unit, about)
        });
        link.inertia = inertia(symbols, pseudo_inertia);
        let joint = link.joint_name.clone();
        let single = link.joint.nv() == 1;
        if let (Some(motor), Some(given)) = (link.motor.as_mut().filter(|_| single), model.links()[i].motor) {
            let mut entry = |letters: &str, role, value, unit, what: &str| {
                list.unless_zero(marks[i].name(letters, ""), role, value, unit, format!("{what} of `{joint}`"))
            };
            if without_rotor.contains(&i) {
                motor.inertia = Expr::zero();
            } else if motor.stiffness.is_none() {
                motor.inertia = entry("Ia", Role::Linear, given.armature(), "kg m^2", "rotor inertia, at the link");
                motor.ratio = Expr::one();
            }
            motor.viscous = entry("Fv", Role::Parameter, given.viscous, "N m s/rad", "viscous friction");
            motor.coulomb = entry("Fc", Role::Parameter, given.coulomb, "N m", "Coulomb friction");
            motor.root = given.root.map(|x| entry("Fr", Role::Parameter, x, "N m", ROOT));
            motor.stribeck = given.stribeck.map(|x| entry("Fs", Role::Parameter, x, "N m", STRIBECK));
            motor.offset = given.offset.map(|x| entry("Fo", Role::Parameter, x, "N m", OFFSET));
        }
    }
    let symbolic = model.rebuilt(numeric.gravity(), links);
    // tr(E)·1 − (tr(E)·1 − E) is E again.
    (symbolic.map(&mut tidied), list.parameters)
}

/// A constant multiplied out and put together again, if that is shorter than it was.
fn tidied(constant: Expr) -> Expr {
    match Polynomial::expand(&[constant], 1000).as_deref() {
        Ok([polynomial]) if polynomial.len() < reachable(&[constant]).len() => polynomial.to_expr(),
        _ => constant,
    }
}

/// The model with numbers that are exact where the robot file has short decimals, and not rounded by what was computed
/// from them when it was read.
pub(super) fn numeric(model: &Model) -> Model<Expr> {
    let (symbolic, list) = symbolic(model);
    let values: HashMap<&str, f64> = list.iter().map(|p| (p.symbol.text.as_str(), p.value)).collect();
    let constant = |expr| substitute(&[expr], |name| values.get(name).map(|&value| exact(value)))[0];
    symbolic.map(&mut { constant })
}

/// The short decimal that a computed number is but for rounding: 0.6/1.5 is 0.4.
fn settled(value: f64) -> f64 {
    let short = format!("{value:.12e}").parse().unwrap_or(value);
    if (short - value).abs() <= 4.0 * f64::EPSILON * value.abs() { short } else { value }
}

/// A number of a robot file as an exact constant where it is a short decimal.
fn exact(value: f64) -> Expr {
    let short = Number::from(value).exact.filter(|f| f.denominator <= 1_000_000_000 && f.numerator.abs() < 1 << 40);
    short.map_or_else(|| Expr::from_f64(value), Expr::exact)
}

/// What stands for a link in its symbols: `2`, or `_tool`, in text that any language can read.
struct Mark {
    text: String,
    latex: String,
    welded: bool,
}

impl Mark {
    /// The symbol of a letter, with what comes after the link: `m2`, `c2x`, `c_tool_x`.
    fn name(&self, letter: &str, after: &str) -> [String; 2] {
        let separator = if self.welded && !after.is_empty() { "_" } else { "" };
        let latex = if after.is_empty() { String::new() } else { format!(",{after}") };
        [format!("{letter}{}{separator}{after}", self.text), format!("{letter}_{{{}{latex}}}", self.latex)]
    }
}

fn marks(model: &Model) -> Vec<Mark> {
    let numbers = model.link_numbers();
    let texts = numbers.iter().map(|number| match number {
        LinkNumber::Moving(number) => number.to_string(),
        LinkNumber::Welded(name) => format!("_{}", sanitize(name, "link")),
    });
    let mark = |(number, text): (&LinkNumber, String)| Mark {
        text,
        latex: link_latex(number),
        welded: matches!(number, LinkNumber::Welded(_)),
    };
    numbers.iter().zip(distinct(texts)).map(mark).collect()
}

/// A length of a Denavit–Hartenberg table.
struct TableLength {
    /// The table's letter.
    letter: &'static str,
    /// m
    value: f64,
    /// The direction in which it moves the link, in the parent's axes.
    along: [f64; 3],
}

/// The lengths of a table that are not zero; none of a placement that is not from a table.
fn table_lengths(placement: &Placement) -> Vec<TableLength> {
    let Placement::Dh { convention, parameters: p } = placement else { return Vec::new() };
    let turned = |angle: Number| exact_sin_cos(angle.value);
    let z = [0.0, 0.0, 1.0];
    let lengths = match convention {
        // Rz(θ) Tz(d) Tx(a) Rx(α)
        DhConvention::Standard => {
            let (sin, cos) = turned(p.theta);
            vec![("a", p.a, [cos, sin, 0.0]), ("d", p.d, z)]
        }
        // Rz(γ) Tz(b) Rx(α) Tx(a) Rz(θ) Tz(d)
        DhConvention::Modified => {
            let ((sin, cos), (sin_alpha, cos_alpha)) = (turned(p.gamma), turned(p.alpha));
            let along = [sin * sin_alpha, -cos * sin_alpha, cos_alpha];
            vec![("b", p.b, z), ("a", p.a, [cos, sin, 0.0]), ("d", p.d, along)]
        }
    };
    let length =
        |(letter, number, along): (&'static str, Number, [f64; 3])| TableLength { letter, value: number.value, along };
    lengths.into_iter().map(length).filter(|length| length.value != 0.0).collect()
}

/// True if each length is a coordinate of its own.
fn are_coordinates(lengths: &[TableLength]) -> bool {
    let uses = |k: usize| lengths.iter().filter(|length| length.along[k] != 0.0).count();
    let single = |length: &TableLength| length.along.iter().filter(|x| **x != 0.0).count() == 1;
    lengths.iter().all(single) && (0..3).all(|k| uses(k) <= 1)
}

#[derive(Default)]
struct List {
    parameters: Vec<Parameter>,
    /// The texts of the symbols: no two may be the same.
    taken: HashSet<String>,
}

impl List {
    fn add(
        &mut self,
        mut text: String,
        latex: String,
        role: Role,
        value: f64,
        unit: &'static str,
        about: String,
    ) -> Expr {
        // Names of welded links can make one of two: `L_tool_x` of link `tool` and of link `tool_x`.
        while !self.taken.insert(text.clone()) {
            text.push('_');
        }
        let expr = Expr::symbol(&text);
        self.parameters.push(Parameter { symbol: Symbol { text, latex, role }, value: settled(value), unit, about });
        expr
    }

    /// A symbol for what is not zero.
    fn unless_zero(&mut self, name: [String; 2], role: Role, value: f64, unit: &'static str, about: String) -> Expr {
        let [text, latex] = name;
        if value == 0.0 { Expr::zero() } else { self.add(text, latex, role, value, unit, about) }
    }

    fn gravity(&mut self, gravity: Vector<f64>) -> Vector<Expr> {
        let about = "gravitational acceleration";
        let mut along = gravity.0.iter().enumerate().filter(|(_, x)| **x != 0.0);
        match (along.next(), along.next()) {
            (Some((axis, &value)), None) => {
                let g = self.add("g".into(), "g".into(), Role::Parameter, value.abs(), "m/s^2", about.into());
                let mut vector = Vector::zero();
                vector[axis] = if value < 0.0 { -g } else { g };
                vector
            }
            _ => Vector(std::array::from_fn(|k| {
                let name = [format!("g{}", AXES[k]), format!("g_{}", AXES[k])];
                self.unless_zero(name, Role::Parameter, gravity[k], "m/s^2", format!("{about} along {}", AXES[k]))
            })),
        }
    }

    /// The way from the frame of the parent to that of link i.
    fn placement(&mut self, model: &Model, i: usize, marks: &[Mark]) -> Vector<Expr> {
        let link = &model.links()[i];
        let shift = link.placement.translation;
        let ground = Mark { text: "0".to_owned(), latex: "0".to_owned(), welded: false };
        let parent = link.parent.map_or(&ground, |parent| &marks[parent]);
        let own = marks[i].text.trim_start_matches('_');
        let siblings = model.links().iter().filter(|l| l.parent == link.parent);
        let alone = siblings.filter(|l| !l.placement.translation.is_zero()).count() == 1;
        let single = shift.0.iter().filter(|x| **x != 0.0).count() == 1;
        let from = link.parent.map_or("ground", |p| &model.links()[p].name);
        let about = |axis: &str| format!("from the frame of `{from}` to that of `{}`, along {axis}", link.name);
        let lengths = table_lengths(&model.description().links[i].placement);
        if !are_coordinates(&lengths) {
            let mut sum = Vector::zero();
            for TableLength { letter, value, along } in lengths {
                let about = format!("`{letter}` of `{}` in its table", link.name);
                let symbol = self.unless_zero(marks[i].name(letter, ""), Role::Parameter, value, "m", about);
                for k in 0..3 {
                    sum[k] += symbol * exact(along[k]);
                }
            }
            return sum;
        }
        Vector(std::array::from_fn(|k| {
            let name = match (alone, single) {
                (true, true) => parent.name("L", ""),
                (true, false) => parent.name("L", AXES[k]),
                _ => [
                    format!("L{}_{own}{}{}", parent.text, if marks[i].welded { "_" } else { "" }, AXES[k]),
                    format!("L_{{{},{},{}}}", parent.latex, marks[i].latex, AXES[k]),
                ],
            };
            self.unless_zero(name, Role::Parameter, shift[k], "m", about(AXES[k]))
        }))
    }

    fn link(&mut self, model: &Model, i: usize, mark: &Mark, placements: &[Vector<Expr>]) -> Link<Expr> {
        let link = &model.links()[i];
        let rotation = link.placement.rotation.0.map(|row| row.map(exact));
        Link {
            name: link.name.clone(),
            parent: link.parent,
            placement: Pose { rotation: crate::spatial::Rotation(rotation), translation: placements[i] },
            joint_name: link.joint_name.clone(),
            joint: Joint { kind: link.joint.kind, motion: self.motion(model, i, mark, placements[i]) },
            inertia: self.inertia(model, i, mark, placements),
            motor: link.motor.as_ref().map(|motor| self.motor(motor, mark, "", &link.joint_name)),
            shaft: link.shaft.as_ref().map(|shaft| {
                Box::new(Shaft {
                    with: shaft.with.iter().map(|(link, factor)| (*link, exact(*factor))).collect(),
                    row: Vec::new(),
                    q: Vec::new(),
                    motor: self.motor(&shaft.motor, mark, "s", &format!("{}, shaft", link.joint_name)),
                })
            }),
            balance: link.balance.clone(),
            limits: link.limits,
            mimic: link.mimic.map(|mimic| Mimic {
                leader: mimic.leader,
                q: mimic.q,
                v: mimic.v,
                multiplier: exact(mimic.multiplier),
                offset: exact(mimic.offset),
                ahead: crate::spatial::ahead(exact(mimic.offset)),
            }),
            q: link.q,
            v: link.v,
            column: link.column,
        }
    }

    fn inertia(&mut self, model: &Model, i: usize, mark: &Mark, placements: &[Vector<Expr>]) -> Inertia<Expr> {
        let link = &model.links()[i];
        let Inertia { mass, first_moment, .. } = link.inertia;
        let named = |letter: &str, index: &str| mark.name(letter, index);
        let of = |what: &str| format!("{what} of `{}`", link.name);
        let m = self.unless_zero(named("m", ""), Role::Linear, mass, "kg", of("mass"));
        if mass == 0.0 {
            // What has no mass has no centre of it: the numbers about the origin, as they are.
            let moment = Vector(std::array::from_fn(|k| {
                let about = of(&format!("first moment along {}", AXES[k]));
                self.unless_zero(named("h", AXES[k]), Role::Linear, first_moment[k], "kg m", about)
            }));
            let rotational = self.symmetric(link.inertia.rotational, 0.0, &named, &of);
            return Inertia { mass: m, first_moment: moment, rotational };
        }
        let (com, about_com) = link.inertia.about_com();
        let size = com.0.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        let com = Vector(std::array::from_fn(|k| {
            if com[k].abs() <= DUST * size {
                return Expr::zero();
            }
            let next = model.links().iter().zip(placements).find(|(child, _)| {
                let along = child.placement.translation[k];
                child.parent == Some(i) && (along - com[k]).abs() <= DUST * along.abs()
            });
            match next {
                Some((_, placement)) => placement[k],
                None => {
                    let about = of(&format!("centre of mass along {}", AXES[k]));
                    self.unless_zero(named("c", AXES[k]), Role::Parameter, com[k], "m", about)
                }
            }
        }));
        let dust = DUST * link.inertia.rotational.to_array().iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        let about_com = self.symmetric(about_com, dust, &named, &of);
        Inertia::from_com(m, com, about_com)
    }

    fn symmetric(
        &mut self,
        values: Symmetric<f64>,
        dust: f64,
        named: &impl Fn(&str, &str) -> [String; 2],
        of: &impl Fn(&str) -> String,
    ) -> Symmetric<Expr> {
        let mut entry = |value: f64, index: &str| {
            let value = if value.abs() <= dust { 0.0 } else { value };
            let about = of(&format!("inertia {index} about the centre of mass"));
            self.unless_zero(named("I", index), Role::Linear, value, "kg m^2", about)
        };
        let [xx, xy, xz, yy, yz, zz] = values.to_array();
        Symmetric {
            xx: entry(xx, "xx"),
            xy: entry(xy, "xy"),
            xz: entry(xz, "xz"),
            yy: entry(yy, "yy"),
            yz: entry(yz, "yz"),
            zz: entry(zz, "zz"),
        }
    }

    /// The joint of link i, whose frame is at `shift` from its parent's.
    fn motion(&mut self, model: &Model, i: usize, mark: &Mark, shift: Vector<Expr>) -> Motion<Expr> {
        let (link, Mark { text: n, latex, .. }) = (&model.links()[i], mark);
        let (motion, joint) = (&link.joint.motion, &link.joint_name);
        let rotation = &link.placement.rotation.0;
        let is_standard =
            matches!(model.description().links[i].placement, Placement::Dh { convention: DhConvention::Standard, .. });
        let point = |list: &mut Self, values: Vector<f64>, place: usize, several: bool| {
            if is_standard {
                // The axis of a standard table goes through the frame before: −Rᵀ shift.
                let coordinate = |k: usize| (0..3).fold(Expr::zero(), |sum, j| sum - shift[j] * exact(rotation[j][k]));
                return Vector(std::array::from_fn(coordinate));
            }
            let suffix = if several { format!("_{}", place + 1) } else { String::new() };
            Vector(std::array::from_fn(|k| {
                let name = [
                    format!("p{n}{suffix}{}", AXES[k]),
                    format!("p_{{{latex}{},{}}}", suffix.replace('_', ","), AXES[k]),
                ];
                let about = format!("point on the axis of `{joint}` along {}", AXES[k]);
                list.unless_zero(name, Role::Parameter, values[k], "m", about)
            }))
        };
        match motion {
            Motion::Product(screws) => {
                let several = screws.len() > 1;
                let mut mapped = Vec::with_capacity(screws.len());
                for (place, screw) in screws.iter().enumerate() {
                    mapped.push(match *screw {
                        Screw::Rotation { axis, point: at, pitch } => {
                            let suffix = if several { format!("_{}", place + 1) } else { String::new() };
                            let name = [format!("h{n}{suffix}"), format!("h_{{{latex}{}}}", suffix.replace('_', ","))];
                            let about = format!("travel per radian of `{joint}`");
                            Screw::Rotation {
                                axis: axis.map(exact),
                                point: point(self, at, place, several),
                                pitch: self.unless_zero(name, Role::Parameter, pitch, "m/rad", about),
                            }
                        }
                        Screw::Translation { axis } => Screw::Translation { axis: axis.map(exact) },
                    });
                }
                Motion::Product(mapped)
            }
            Motion::Spherical { center } => Motion::Spherical { center: point(self, *center, 0, false) },
            Motion::Free => Motion::Free,
        }
    }

    fn motor(&mut self, motor: &Motor<f64>, mark: &Mark, after: &str, joint: &str) -> Motor<Expr> {
        let mut entry = |letter: &str, role, value, unit, what: &str| {
            self.unless_zero(mark.name(letter, after), role, value, unit, format!("{what} of `{joint}`"))
        };
        Motor {
            inertia: entry("J", Role::Linear, motor.inertia, "kg m^2", "motor inertia"),
            ratio: entry("n", Role::Parameter, motor.ratio, "1", "gear ratio"),
            stiffness: motor.stiffness.map(|k| entry("K", Role::Parameter, k, "N m/rad", "stiffness")),
            damping: entry("D", Role::Parameter, motor.damping, "N m s/rad", "damping of the transmission"),
            viscous: entry("fv", Role::Parameter, motor.viscous, "N m s/rad", "viscous friction"),
            coulomb: entry("fc", Role::Parameter, motor.coulomb, "N m", "Coulomb friction"),
            rotor_viscous: entry(
                "rv",
                Role::Parameter,
                motor.rotor_viscous,
                "N m s/rad",
                "viscous friction of the rotor",
            ),
            rotor_coulomb: entry("rc", Role::Parameter, motor.rotor_coulomb, "N m", "Coulomb friction of the rotor"),
            root: motor.root.map(|x| entry("fr", Role::Parameter, x, "N m", ROOT)),
            stribeck: motor.stribeck.map(|x| entry("fs", Role::Parameter, x, "N m", STRIBECK)),
            stribeck_speed: exact(motor.stribeck_speed),
            offset: motor.offset.map(|x| entry("fo", Role::Parameter, x, "N m", OFFSET)),
            hysteresis: motor.hysteresis,
            load: motor.load,
            axis: motor.axis.map(|axis| axis.map(exact)),
        }
    }
}
