//! What stands inside elements: numbers, flags, poses, names of frames.
//!
//! SDF keeps values as the text of elements where URDF has attributes. An empty element counts as missing.

use super::super::native::shorten;
use super::super::suggest;
use super::super::xml::{Context, Element, Node, Span};
use crate::model::description::{Location, Orientation, Placement};
use crate::model::{Diagnostic, Number};
use crate::spatial::{Pose, Quaternion, Rotation, Vector};

/// The name of a frame, a link or a joint, and where it is written.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    pub name: String,
    pub span: Span,
}

/// A pose as written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given {
    pub xyz: [Number; 3],
    pub orientation: Orientation,
}

impl Given {
    pub fn pose(&self) -> Pose<f64> {
        let rotation = match self.orientation {
            Orientation::Rpy([roll, pitch, yaw]) => Rotation::from_rpy(roll.value, pitch.value, yaw.value),
            Orientation::Quaternion(numbers) => {
                let numbers = numbers.map(|x| x.value);
                let norm = numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
                Quaternion::new(numbers.map(|x| x / norm)).to_rotation()
            }
        };
        Pose { rotation, translation: Vector(self.xyz.map(|x| x.value)) }
    }

    pub fn is_turned(&self) -> bool {
        match &self.orientation {
            Orientation::Rpy(angles) => angles.iter().any(|angle| angle.value != 0.0),
            Orientation::Quaternion(_) => true,
        }
    }

    pub fn is_identity(&self) -> bool {
        !self.is_turned() && self.xyz.iter().all(|x| x.value == 0.0)
    }

    pub fn placement(&self) -> Placement {
        Placement::Origin { xyz: self.xyz, orientation: self.orientation }
    }
}

/// The text inside an element without the space around it, and where it stands; `None` if there is none.
fn text(element: &Element, context: &Context<'_, '_>) -> Option<Reference> {
    element.nodes.iter().find_map(|node| match node {
        Node::Text(text, span) if !text.trim().is_empty() => {
            let whole = context.sources.get(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("");
            let before = (whole.len() - whole.trim_start().len()) as u32;
            let after = (whole.len() - whole.trim_end().len()) as u32;
            let span = Span { start: span.start + before, end: span.end - after, ..*span };
            Some(Reference { name: text.trim().to_owned(), span })
        }
        Node::Text(..) | Node::Element(_) => None,
    })
}

impl Context<'_, '_> {
    /// The one child of this name; a second one is an error.
    pub(super) fn child<'a>(&mut self, element: &'a Element, tag: &str) -> Option<&'a Element> {
        let mut found = element.children().filter(|child| child.tag == tag);
        let first = found.next();
        if let Some(second) = found.next() {
            let message = format!("a second <{tag}> in <{}>", shorten(&element.tag));
            self.error_with_hint(second.span, "duplicate-element", message, "only one is allowed");
        }
        first
    }

    /// The text of an element itself.
    pub(super) fn own_text(&self, element: &Element) -> Option<Reference> {
        text(element, self)
    }

    /// The text of a child.
    pub(super) fn text_of(&mut self, element: &Element, tag: &str) -> Option<Reference> {
        text(self.child(element, tag)?, self)
    }

    /// The text of a child that must be there.
    pub(super) fn required_text(&mut self, element: &Element, tag: &str) -> Option<Reference> {
        let found = self.text_of(element, tag);
        if found.is_none() {
            let message = format!("<{}> has no <{tag}>", shorten(&element.tag));
            self.error(element.span, "missing-element", message);
        }
        found
    }

    /// A number inside a child.
    pub(super) fn number_of(&mut self, element: &Element, tag: &str) -> Option<Number> {
        self.vector_of::<1>(element, tag).map(|[number]| number)
    }

    /// As many numbers inside a child.
    pub(super) fn vector_of<const N: usize>(&mut self, element: &Element, tag: &str) -> Option<[Number; N]> {
        let found = self.text_of(element, tag)?;
        self.parse_numbers(tag, &found)
    }

    /// A number inside a child where infinity, and whatever SDF takes for it, means that there is no bound.
    pub(super) fn bound_of(&mut self, element: &Element, tag: &str) -> Option<Number> {
        let found = self.text_of(element, tag)?;
        let unsigned = found.name.trim_start_matches(['+', '-']).to_ascii_lowercase();
        if matches!(unsigned.as_str(), "inf" | "infinity") {
            return None;
        }
        let [bound] = self.parse_numbers(tag, &found)?;
        (bound.value.abs() < UNBOUNDED).then_some(bound)
    }

    fn parse_numbers<const N: usize>(&mut self, tag: &str, found: &Reference) -> Option<[Number; N]> {
        let words: Vec<&str> = found.name.split_whitespace().take(N + 1).collect();
        if words.len() != N {
            let more = if words.len() > N { "more" } else { "fewer" };
            let numbers = if N == 1 { "number" } else { "numbers" };
            self.error(found.span, "wrong-length", format!("<{tag}> takes {N} {numbers}, not {more}"));
            return None;
        }
        let mut numbers = [Number::ZERO; N];
        for (number, word) in numbers.iter_mut().zip(words) {
            let value = word.parse::<f64>();
            // Fractions and multiples of π belong to the native form.
            match Number::parse(word).filter(|_| value.is_ok()) {
                Some(read) => *number = read,
                None => {
                    let (code, rule) = match value {
                        Ok(_) => ("not-finite", "finite numbers"),
                        Err(_) => ("not-a-number", "numbers"),
                    };
                    let message = format!("<{tag}> takes {rule}, not \"{}\"", shorten(word));
                    let hint = if word.contains(',') { "separate them by spaces" } else { "write 1, -0.5 or 1e-3" };
                    self.error_with_hint(found.span, code, message, hint);
                    return None;
                }
            }
        }
        Some(numbers)
    }

    /// Yes or no inside a child.
    pub(super) fn flag_of(&mut self, element: &Element, tag: &str) -> Option<bool> {
        let found = self.text_of(element, tag)?;
        self.parse_flag(tag, &found.name, found.span)
    }

    fn parse_flag(&mut self, what: &str, word: &str, span: Span) -> Option<bool> {
        match word.to_ascii_lowercase().as_str() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => {
                let message = format!("`{what}` must be true or false, not \"{}\"", shorten(word));
                self.error(span, "unknown-keyword", message);
                None
            }
        }
    }

    /// Yes or no in an attribute.
    pub(super) fn flag_attribute(&mut self, element: &Element, name: &str) -> Option<bool> {
        let attribute = element.attribute(name).filter(|attribute| !attribute.value.is_empty())?;
        self.parse_flag(name, attribute.value.trim(), attribute.span)
    }

    /// The frame that an attribute names; an empty one counts as missing.
    pub(super) fn reference(&self, element: &Element, name: &str) -> Option<Reference> {
        let attribute = element.attribute(name).filter(|attribute| !attribute.value.is_empty())?;
        Some(Reference { name: attribute.value.clone(), span: attribute.span })
    }

    /// The pose inside an element, and the frame it is relative to, where they are given.
    pub(super) fn pose_of(&mut self, element: &Element) -> (Option<Given>, Option<Reference>) {
        let Some(pose) = self.child(element, "pose") else { return (None, None) };
        self.known_attributes_of(pose, &["relative_to", "rotation_format", "degrees", "frame"]);
        let relative_to = self.reference(pose, "relative_to");
        if let Some(frame) = self.reference(pose, "frame") {
            let message = "the attribute `frame` of <pose> never had a meaning and is ignored".to_owned();
            self.push(frame.span, Diagnostic::warning("unknown-attribute", message).hint("SDF 1.7 has `relative_to`"));
        }
        (self.parse_pose(pose), relative_to)
    }

    fn parse_pose(&mut self, pose: &Element) -> Option<Given> {
        let degrees = self.flag_attribute(pose, "degrees").unwrap_or(false);
        let format = pose.get("rotation_format").filter(|format| !format.is_empty()).unwrap_or("euler_rpy");
        let found = text(pose, self)?;
        let given = match format {
            "euler_rpy" => {
                let [x, y, z, angles @ ..] = self.parse_numbers::<6>("pose", &found)?;
                let angles = if degrees { angles.map(|angle| Number::from(angle.value.to_radians())) } else { angles };
                Given { xyz: [x, y, z], orientation: Orientation::Rpy(angles) }
            }
            "quat_xyzw" => {
                let [x, y, z, i, j, k, w] = self.parse_numbers::<7>("pose", &found)?;
                if [i, j, k, w].iter().fold(0.0_f64, |norm, x| norm.hypot(x.value)) < 1e-12 {
                    let message = "the quaternion of the pose is zero".to_owned();
                    self.error_with_hint(found.span, "zero-quaternion", message, "no turn is 0 0 0 1");
                    return None;
                }
                Given { xyz: [x, y, z], orientation: Orientation::Quaternion([w, i, j, k]) }
            }
            other => {
                let message = format!("there is no rotation format `{}`", shorten(other));
                let hint = suggest::hint(other, &["euler_rpy", "quat_xyzw"]);
                self.error_with_hint(pose.span_of("rotation_format"), "unknown-keyword", message, hint);
                return None;
            }
        };
        (!given.is_identity()).then_some(given)
    }

    /// Warns of children that nothing reads, once for each tag of an element.
    pub(super) fn known_children_of(&mut self, element: &Element, known: &[&[&str]]) {
        let mut seen: Vec<&str> = Vec::new();
        for child in element.children() {
            let tag = child.tag.as_str();
            if known.iter().any(|tags| tags.contains(&tag)) || seen.contains(&tag) || seen.len() > 20 {
                continue;
            }
            seen.push(tag);
            let times = element.children().filter(|other| other.tag == tag).count();
            let times = if times == 1 { String::new() } else { format!(" ({times} times, first here)") };
            let message =
                format!("<{}> in <{}> is not known and is ignored{times}", shorten(tag), shorten(&element.tag));
            let warning = Diagnostic::warning("unsupported-tag", message);
            let near = suggest::nearest(tag, &known.concat());
            let hint = near.map(|near| format!("did you mean <{near}>?"));
            self.push(child.span, Diagnostic { hint, ..warning });
        }
    }

    /// Warns of attributes that nothing reads: most are misspelt.
    pub(super) fn known_attributes_of(&mut self, element: &Element, known: &[&str]) {
        for attribute in element.attributes.iter().filter(|attribute| !attribute.name.contains(':')) {
            if !known.contains(&attribute.name.as_str()) {
                let (tag, name) = (shorten(&element.tag), shorten(&attribute.name));
                let message = format!("<{tag}> has no attribute `{name}`, it is ignored");
                let hint = suggest::hint(&attribute.name, known);
                self.push(attribute.name_span, Diagnostic::warning("unknown-attribute", message).hint(hint));
            }
        }
    }

    /// Where a child stands, or else the element.
    pub(super) fn place_of(&self, element: &Element, tag: &str) -> Location {
        let child = element.children().find(|child| child.tag == tag).unwrap_or(element);
        self.sources.locate(text(child, self).map_or(child.span, |found| found.span))
    }
}

/// SDF's own infinity: limits of this size are none.
pub(super) const UNBOUNDED: f64 = 1e16;
