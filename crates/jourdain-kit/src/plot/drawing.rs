//! What every picture consists of: strokes, areas and words on a page in points, before any file format.
//!
//! x runs to the right, y down, one unit is 1/72 inch. Coordinates keep their fractions: formats round, drawings do not.

/// A page with marks, the first at the back.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// Points.
    pub width: f64,
    /// Points.
    pub height: f64,
    /// What is shown, for readers that do not see it.
    pub title: String,
    /// What is to be seen in it: the finding.
    pub description: String,
    /// Behind everything; `None` lets the page shine through.
    pub ground: Option<Colour>,
    /// In order from back to front.
    pub marks: Vec<Mark>,
}

/// Something on the page.
#[derive(Clone, Debug)]
pub enum Mark {
    /// A line or an area.
    Path(Path),
    /// A line of words.
    Text(Text),
    /// Marks that end at the edges of a rectangle.
    Clip(Rectangle, Vec<Mark>),
}

/// Upright, from its upper left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rectangle {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// To the right.
    pub width: f64,
    /// Downwards.
    pub height: f64,
}

/// A place on the page.
pub type Point = [f64; 2];

/// Red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub [u8; 3]);

/// A colour, and how much of it covers what is behind: 0 … 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paint {
    /// Its colour.
    pub colour: Colour,
    /// 1 hides what is behind.
    pub opacity: f64,
}

impl From<Colour> for Paint {
    fn from(colour: Colour) -> Self {
        Self { colour, opacity: 1.0 }
    }
}

impl Colour {
    /// So much of it over what is behind, 0 … 1.
    #[must_use]
    pub const fn at(self, opacity: f64) -> Paint {
        Paint { colour: self, opacity }
    }

    /// A colour on the way to another: 0 is this one, 1 the other.
    #[must_use]
    pub fn towards(self, other: Self, share: f64) -> Self {
        let between = |i: usize| {
            let (from, to) = (f64::from(self.0[i]), f64::from(other.0[i]));
            (from + share.clamp(0.0, 1.0) * (to - from)).round() as u8
        };
        Self([between(0), between(1), between(2)])
    }
}

/// A line or an area, of one or several pieces.
#[derive(Clone, Debug)]
pub struct Path {
    /// How it runs.
    pub steps: Vec<Step>,
    /// What fills it (even-odd), if anything.
    pub fill: Option<Paint>,
    /// What is drawn along it, if anything.
    pub stroke: Option<Stroke>,
}

/// One piece of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Begins anew.
    Move(Point),
    /// Straight.
    Line(Point),
    /// A cubic curve by its two control points and its end.
    Curve(Point, Point, Point),
    /// Back to where this piece began.
    Close,
}

/// A line with round ends and corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Points.
    pub width: f64,
    /// Its colour.
    pub paint: Paint,
    /// Lengths of dash and gap.
    pub dash: Option<[f64; 2]>,
}

/// Words on one line.
#[derive(Clone, Debug)]
pub struct Text {
    /// On the base line, where `anchor` says.
    pub at: Point,
    /// Which part of the words stands there.
    pub anchor: Anchor,
    /// Points.
    pub size: f64,
    /// Heavier than usual.
    pub bold: bool,
    /// Its colour.
    pub paint: Paint,
    /// Pieces in order.
    pub runs: Vec<Run>,
}

/// The part of a line of words that stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The beginning.
    Start,
    /// The middle.
    Middle,
    /// The end.
    End,
}

/// A piece of a line of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Plain text.
    pub text: String,
    /// Where it stands beside the base line.
    pub level: Level,
}

/// Height of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// On the base line.
    Base,
    /// An index: smaller and lower.
    Lowered,
    /// An exponent: smaller and higher.
    Raised,
}

/// A mark in another place.
#[must_use]
pub fn moved(mark: Mark, [right, down]: [f64; 2]) -> Mark {
    let at = |[x, y]: Point| [x + right, y + down];
    match mark {
        Mark::Path(path) => {
            let step = |step: &Step| match *step {
                Step::Move(to) => Step::Move(at(to)),
                Step::Line(to) => Step::Line(at(to)),
                Step::Curve(first, second, to) => Step::Curve(at(first), at(second), at(to)),
                Step::Close => Step::Close,
            };
            Mark::Path(Path { steps: path.steps.iter().map(step).collect(), ..path })
        }
        Mark::Text(text) => Mark::Text(Text { at: at(text.at), ..text }),
        Mark::Clip(clip, marks) => {
            let clip = Rectangle { x: clip.x + right, y: clip.y + down, ..clip };
            Mark::Clip(clip, marks.into_iter().map(|mark| moved(mark, [right, down])).collect())
        }
    }
}

impl Path {
    /// A straight line.
    #[must_use]
    pub fn line(from: Point, to: Point, stroke: Stroke) -> Self {
        Self::through(&[from, to], stroke)
    }

    /// Straight lines through points.
    #[must_use]
    pub fn through(points: &[Point], stroke: Stroke) -> Self {
        let step = |(i, point): (usize, &Point)| if i == 0 { Step::Move(*point) } else { Step::Line(*point) };
        Self { steps: points.iter().enumerate().map(step).collect(), fill: None, stroke: Some(stroke) }
    }

    /// An area with straight edges.
    #[must_use]
    pub fn area(corners: &[Point], fill: Option<Paint>, stroke: Option<Stroke>) -> Self {
        let step = |(i, point): (usize, &Point)| if i == 0 { Step::Move(*point) } else { Step::Line(*point) };
        Self { steps: corners.iter().enumerate().map(step).chain([Step::Close]).collect(), fill, stroke }
    }

    /// A filled rectangle.
    #[must_use]
    pub fn rectangle(rectangle: Rectangle, fill: Paint) -> Self {
        let Rectangle { x, y, width, height } = rectangle;
        Self::area(&[[x, y], [x + width, y], [x + width, y + height], [x, y + height]], Some(fill), None)
    }

    /// A circle, of four curves.
    #[must_use]
    pub fn circle([x, y]: Point, radius: f64, fill: Option<Paint>, stroke: Option<Stroke>) -> Self {
        // A quarter of a circle by a cubic, right to 0.03 %.
        const HANDLE: f64 = 0.552_284_749_830_793_6;
        let at = |a: f64, b: f64| [x + radius * a, y + radius * b];
        let (h, quarter) =
            (HANDLE, |a: f64, b: f64, c: f64, d: f64, e: f64, f: f64| Step::Curve(at(a, b), at(c, d), at(e, f)));
        let steps = vec![
            Step::Move(at(1.0, 0.0)),
            quarter(1.0, h, h, 1.0, 0.0, 1.0),
            quarter(-h, 1.0, -1.0, h, -1.0, 0.0),
            quarter(-1.0, -h, -h, -1.0, 0.0, -1.0),
            quarter(h, -1.0, 1.0, -h, 1.0, 0.0),
            Step::Close,
        ];
        Self { steps, fill, stroke }
    }

    /// Dots: lines of no length with round ends.
    #[must_use]
    pub fn dots(places: &[Point], diameter: f64, paint: Paint) -> Self {
        let steps = places.iter().flat_map(|place| [Step::Move(*place), Step::Line(*place)]).collect();
        Self { steps, fill: None, stroke: Some(Stroke { width: diameter, paint, dash: None }) }
    }
}

impl Stroke {
    /// An unbroken line.
    #[must_use]
    pub fn new(width: f64, paint: impl Into<Paint>) -> Self {
        Self { width, paint: paint.into(), dash: None }
    }

    /// The same with dashes and gaps.
    #[must_use]
    pub fn dashed(self, dash: [f64; 2]) -> Self {
        Self { dash: Some(dash), ..self }
    }
}

impl Rectangle {
    /// The right edge.
    #[must_use]
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    /// The lower edge.
    #[must_use]
    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }
}
