//! Frames: the world, models, links, joints and frames by name, each with a pose relative to another one.
//!
//! Traps: a link's pose is relative to its model, not to the link before it; a joint's is relative to its child.

use super::super::native::shorten;
use super::super::reframe::placement;
use super::super::suggest;
use super::super::xml::{Context, Span};
use super::value::{Given, Reference};
use crate::model::Number;
use crate::model::description::{Orientation, Placement};
use crate::spatial::{Pose, Rotation, Vector};
use std::cell::RefCell;
use std::collections::HashMap;

/// What a frame belongs to.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    World,
    /// With the names inside it, the frame that its pose places instead of its own, and its canonical link.
    Model {
        inside: usize,
        placed: Option<Reference>,
        canonical: Canonical,
    },
    Link,
    /// With its child.
    Joint(Reference),
    /// With what it is fixed to; otherwise to its model.
    Frame(Option<Reference>),
}

/// The link that a model's own frame is fixed to.
#[derive(Clone, Debug)]
pub(super) enum Canonical {
    Named(Reference),
    /// The first link, or else the first model inside.
    First {
        link: Option<usize>,
        model: Option<usize>,
    },
}

/// A frame as declared.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub kind: Kind,
    /// Its name without those of the models around it.
    pub name: String,
    /// Where its references are looked up.
    pub space: usize,
    /// The frame of the model that it stands in.
    pub model: usize,
    pub given: Option<Given>,
    pub relative_to: Option<Reference>,
    pub span: Span,
}

/// The names in a world or a model.
#[derive(Default)]
struct Space {
    frames: HashMap<String, usize>,
    /// Joints by number, for couplings: a joint may have the name of a link.
    joints: HashMap<String, usize>,
}

/// How a frame lies in the one that its pose is relative to.
#[derive(Clone, Copy)]
enum Local {
    Same,
    Given(Given),
    /// Worked out, because another frame is placed by it.
    Computed(Pose<f64>),
}

impl Local {
    fn pose(&self) -> Pose<f64> {
        match self {
            Self::Same => Pose::identity(),
            Self::Given(given) => given.pose(),
            Self::Computed(pose) => *pose,
        }
    }
}

/// The number of the world among the frames, and of its names among the spaces.
pub(super) const WORLD: usize = 0;

/// Longest way between two frames that is gone step by step, with the numbers as written.
const SHORT: usize = 64;

/// All frames of a reading.
pub(super) struct Frames {
    pub all: Vec<Frame>,
    spaces: Vec<Space>,
    parent: Vec<usize>,
    local: Vec<Local>,
    depth: Vec<usize>,
    in_world: Vec<Pose<f64>>,
    /// The links that frames are fixed to, as far as they were asked for; `None` for frames that lead to none.
    carriers: RefCell<HashMap<usize, Option<usize>>>,
}

impl Frames {
    pub fn new(span: Span) -> Self {
        let world = Frame {
            kind: Kind::World,
            name: "world".to_owned(),
            space: WORLD,
            model: WORLD,
            given: None,
            relative_to: None,
            span,
        };
        Self {
            all: vec![world],
            spaces: vec![Space::default()],
            parent: Vec::new(),
            local: Vec::new(),
            depth: Vec::new(),
            in_world: Vec::new(),
            carriers: RefCell::default(),
        }
    }

    /// A new space for names.
    pub fn open(&mut self) -> usize {
        self.spaces.push(Space::default());
        self.spaces.len() - 1
    }

    pub fn add(&mut self, frame: Frame) -> usize {
        self.all.push(frame);
        self.all.len() - 1
    }

    /// Gives a frame its name; false if the name is taken.
    pub fn declare(&mut self, space: usize, name: &str, frame: usize) -> bool {
        let names = &mut self.spaces[space].frames;
        let is_new = !names.contains_key(name);
        // A link wins over whatever else has its name: joints of old files often do.
        if is_new || matches!(self.all[frame].kind, Kind::Link) {
            names.insert(name.to_owned(), frame);
        }
        is_new
    }

    /// What has this name already.
    pub fn named(&self, space: usize, name: &str) -> Option<&Frame> {
        self.spaces[space].frames.get(name).map(|frame| &self.all[*frame])
    }

    pub fn declare_joint(&mut self, space: usize, name: &str, joint: usize) {
        self.spaces[space].joints.insert(name.to_owned(), joint);
    }

    /// A joint by its name, which may lead into models inside.
    pub fn joint(&self, mut space: usize, name: &str) -> Option<usize> {
        let mut rest = name;
        loop {
            if let Some(joint) = self.spaces[space].joints.get(rest) {
                return Some(*joint);
            }
            let (model, inner) = rest.split_once("::")?;
            let Kind::Model { inside, .. } = self.named(space, model)?.kind else { return None };
            (space, rest) = (inside, inner);
        }
    }

    /// A frame by its name as it is used in a model.
    fn find(&self, mut space: usize, mut model: usize, name: &str) -> Option<usize> {
        let mut rest = name;
        loop {
            match rest {
                "__model__" => return Some(model),
                "world" => return Some(WORLD),
                _ => {}
            }
            if let Some(frame) = self.spaces[space].frames.get(rest) {
                return Some(*frame);
            }
            let (outer, inner) = rest.split_once("::")?;
            model = *self.spaces[space].frames.get(outer)?;
            let Kind::Model { inside, .. } = self.all[model].kind else { return None };
            (space, rest) = (inside, inner);
        }
    }

    /// The same as used by a frame.
    pub fn visible(&self, by: usize, name: &str) -> Option<usize> {
        let frame = &self.all[by];
        self.find(frame.space, frame.model, name)
    }

    /// The same; an unknown name is reported.
    pub fn look_up(&self, by: usize, reference: &Reference, context: &mut Context<'_, '_>) -> Option<usize> {
        let frame = &self.all[by];
        self.look_up_in(frame.space, frame.model, reference, "unknown-frame", context)
    }

    fn look_up_in(
        &self,
        space: usize,
        model: usize,
        reference: &Reference,
        code: &'static str,
        context: &mut Context<'_, '_>,
    ) -> Option<usize> {
        let found = self.find(space, model, &reference.name);
        if found.is_none() && !context.report.is_full() {
            let what = if code == "unknown-link" { "link" } else { "frame" };
            let mut names: Vec<&str> = self.spaces[space].frames.keys().map(String::as_str).collect();
            names.sort_unstable();
            let message = format!("there is no {what} `{}`", shorten(&reference.name));
            let hint = match suggest::nearest(&reference.name, &names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "names of models inside are written MODEL::NAME".to_owned(),
            };
            context.error_with_hint(reference.span, code, message, hint);
        }
        found
    }

    /// Works out all poses; false if that cannot be done, which is reported.
    pub fn resolve(&mut self, context: &mut Context<'_, '_>) -> bool {
        let parents: Vec<Option<usize>> = (0..self.all.len()).map(|frame| self.parent_of(frame, context)).collect();
        let Some(parents) = parents.into_iter().collect::<Option<Vec<usize>>>() else { return false };
        self.parent = parents;
        if !self.order(context) {
            return false;
        }
        self.local = self.all.iter().map(|frame| frame.given.map_or(Local::Same, Local::Given)).collect();
        // Models inside come after those around them.
        for model in (1..self.all.len()).rev() {
            let Kind::Model { inside, placed: Some(placed), .. } = &self.all[model].kind else { continue };
            let Some(frame) = self.look_up_in(*inside, model, placed, "unknown-frame", context) else { return false };
            let mut pose = Pose::identity();
            let mut at = frame;
            while at != model && at != WORLD {
                pose = self.local[at].pose() * pose;
                at = self.parent[at];
            }
            self.local[model] = Local::Computed(self.local[model].pose() * pose.inverse());
        }
        self.place();
        true
    }

    fn parent_of(&self, frame: usize, context: &mut Context<'_, '_>) -> Option<usize> {
        let Frame { kind, model, relative_to, .. } = &self.all[frame];
        match (relative_to, kind) {
            (Some(reference), _) => self.look_up(frame, reference, context),
            (None, Kind::Joint(child)) => self.look_up_link(frame, child, context),
            (None, Kind::Frame(Some(fixed_to))) => self.look_up(frame, fixed_to, context),
            (None, Kind::World | Kind::Model { .. } | Kind::Link | Kind::Frame(None)) => Some(*model),
        }
    }

    fn look_up_link(&self, by: usize, reference: &Reference, context: &mut Context<'_, '_>) -> Option<usize> {
        let frame = &self.all[by];
        self.look_up_in(frame.space, frame.model, reference, "unknown-link", context)
    }

    /// Counts the steps from each frame to the world; false if there is a frame from which none lead there.
    fn order(&mut self, context: &mut Context<'_, '_>) -> bool {
        const UNKNOWN: usize = usize::MAX;
        const ON_WAY: usize = usize::MAX - 1;
        self.depth = vec![UNKNOWN; self.all.len()];
        self.depth[WORLD] = 0;
        let mut way = Vec::new();
        for start in 0..self.all.len() {
            let mut at = start;
            while self.depth[at] == UNKNOWN {
                self.depth[at] = ON_WAY;
                way.push(at);
                at = self.parent[at];
            }
            if self.depth[at] == ON_WAY {
                let Frame { name, relative_to, span, .. } = &self.all[at];
                let message = format!("the pose of `{}` is relative to itself by a detour", shorten(name));
                let span = relative_to.as_ref().map_or(*span, |reference| reference.span);
                context.error_with_hint(span, "frame-loop", message, "let one of the poses be relative to the model");
                return false;
            }
            let mut depth = self.depth[at];
            while let Some(frame) = way.pop() {
                depth += 1;
                self.depth[frame] = depth;
            }
        }
        true
    }

    fn place(&mut self) {
        let mut order: Vec<usize> = (0..self.all.len()).collect();
        order.sort_by_key(|frame| self.depth[*frame]);
        self.in_world = vec![Pose::identity(); self.all.len()];
        for frame in order.into_iter().skip(1) {
            self.in_world[frame] = self.in_world[self.parent[frame]] * self.local[frame].pose();
        }
    }

    /// The link that a frame is fixed to, or the world; reports names that lead to none.
    pub fn link_of(&self, by: usize, reference: &Reference, context: &mut Context<'_, '_>) -> Option<usize> {
        let mut at = self.look_up_link(by, reference, context)?;
        let mut way = Vec::new();
        let link = loop {
            if let Some(known) = self.carriers.borrow().get(&at) {
                break *known;
            }
            if way.len() > self.all.len() {
                let message = format!("`{}` is fixed to itself by a detour", shorten(&reference.name));
                context.error_with_hint(reference.span, "frame-loop", message, "fix one of the frames to a link");
                break None;
            }
            way.push(at);
            match self.fixed_to(at, reference.span, context) {
                Some(next) if next == at => break Some(at),
                Some(next) => at = next,
                None => break None,
            }
        };
        self.carriers.borrow_mut().extend(way.into_iter().map(|frame| (frame, link)));
        link
    }

    /// What a frame is fixed to; a link and the world to themselves.
    fn fixed_to(&self, frame: usize, span: Span, context: &mut Context<'_, '_>) -> Option<usize> {
        match &self.all[frame].kind {
            Kind::World | Kind::Link => Some(frame),
            Kind::Joint(child) => self.look_up_link(frame, child, context),
            Kind::Frame(Some(other)) => self.look_up(frame, other, context),
            Kind::Frame(None) => Some(self.all[frame].model),
            Kind::Model { inside, canonical: Canonical::Named(link), .. } => {
                self.look_up_in(*inside, frame, link, "unknown-link", context)
            }
            Kind::Model { canonical: Canonical::First { link, model }, .. } => {
                let first = link.or(*model);
                if first.is_none() {
                    let message = format!("the model `{}` has no link", shorten(&self.all[frame].name));
                    context.error(span, "no-links", message);
                }
                first
            }
        }
    }

    /// Where a frame is in the world.
    pub fn in_world(&self, frame: usize) -> Pose<f64> {
        self.in_world[frame]
    }

    /// Where `frame` is in `other`, with the numbers as written where nothing has to be computed.
    pub fn relative(&self, other: usize, frame: usize) -> Relative {
        let (mut up, mut down) = (Vec::new(), Vec::new());
        let (mut a, mut b) = (other, frame);
        while a != b {
            if up.len() + down.len() > SHORT {
                return Relative::Pose(self.in_world[other].inverse() * self.in_world[frame]);
            }
            let (at, way) = if self.depth[a] >= self.depth[b] { (&mut a, &mut up) } else { (&mut b, &mut down) };
            match &self.local[*at] {
                Local::Same => {}
                local => way.push(local),
            }
            *at = self.parent[*at];
        }
        match (&up[..], &down[..]) {
            ([], []) => return Relative::Shift([Number::ZERO; 3]),
            ([], [Local::Given(given)]) if given.is_turned() => return Relative::Given(*given),
            _ => {}
        }
        let shift = |way: &[&Local]| {
            let mut sum = [Number::ZERO; 3];
            for local in way {
                match local {
                    Local::Given(given) if !given.is_turned() => {
                        (0..3).for_each(|i| sum[i] = add(sum[i], given.xyz[i]))
                    }
                    Local::Same | Local::Given(_) | Local::Computed(_) => return None,
                }
            }
            Some(sum)
        };
        if let (Some(up), Some(down)) = (shift(&up), shift(&down)) {
            return Relative::Shift(std::array::from_fn(|i| add(down[i], negative(up[i]))));
        }
        let along = |way: &[&Local]| way.iter().fold(Pose::identity(), |pose, local| local.pose() * pose);
        Relative::Pose(along(&up).inverse() * along(&down))
    }
}

/// The number with the other sign.
pub(super) fn negative(x: Number) -> Number {
    x.times(Number::integer(-1))
}

/// The sum; a number that nothing is added to stays what it is, long ones included.
fn add(x: Number, y: Number) -> Number {
    match (x.value == 0.0, y.value == 0.0) {
        (_, true) => x,
        (true, false) => y,
        (false, false) => x.plus(y),
    }
}

/// Where a frame is in another.
#[derive(Clone, Copy)]
pub(super) enum Relative {
    /// Same axes.
    Shift([Number; 3]),
    /// As written.
    Given(Given),
    Pose(Pose<f64>),
}

impl Relative {
    pub fn placement(&self) -> Placement {
        match self {
            Self::Shift(xyz) => Given { xyz: *xyz, orientation: Orientation::Rpy([Number::ZERO; 3]) }.placement(),
            Self::Given(given) => given.placement(),
            Self::Pose(pose) => placement(pose),
        }
    }

    /// The frame's origin.
    pub fn origin(&self) -> [Number; 3] {
        match self {
            Self::Shift(xyz) => *xyz,
            Self::Given(given) => given.xyz,
            Self::Pose(pose) => pose.translation.0.map(Number::from),
        }
    }

    /// A direction of the frame in the other one.
    pub fn direction(&self, axis: [Number; 3]) -> [Number; 3] {
        let turned = |rotation: Rotation<f64>| rotation.apply(Vector(axis.map(|x| x.value))).0.map(Number::from);
        match self {
            Self::Shift(_) => axis,
            Self::Given(given) => turned(given.pose().rotation),
            Self::Pose(pose) => turned(pose.rotation),
        }
    }

    pub fn pose(&self) -> Pose<f64> {
        match self {
            Self::Shift(xyz) => Pose::translation(Vector(xyz.map(|x| x.value))),
            Self::Given(given) => given.pose(),
            Self::Pose(pose) => *pose,
        }
    }
}
