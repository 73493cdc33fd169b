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
