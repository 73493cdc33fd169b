//! Friction with a memory, as a robot file gives it: elements of a length and a strength.
//!
//! An element has z ← s + (z − s) e^{−|Δx|/δ} along the coordinate x of its drive, δ its length and s the sign of Δx, and a torque of
//! its strength times z. It is no function of the state: [`crate::dynamics::Memory`] carries z along a motion, and at a single state the
//! Coulomb friction of the drive stands for it.
//!
//! Trap: friction that falls with speed and friction that rises with load follow one element, the [middle](Hysteresis::middle) one.

/// Most elements of one drive.
pub const MOST_ELEMENTS: usize = 4;

/// One element.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Element {
    /// The way on which z changes by 63 %, rad or m.
    pub length: f64,
    /// The torque at z = 1, N m or N.
    pub strength: f64,
}

/// The elements of one drive; none where friction has no memory.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Hysteresis {
    elements: [Element; MOST_ELEMENTS],
    count: usize,
}

impl Hysteresis {
    /// Of these elements; `None` if they are more than [`MOST_ELEMENTS`].
    #[must_use]
    pub fn new(elements: &[Element]) -> Option<Self> {
        let mut hysteresis = Self { count: elements.len(), ..Self::default() };
        hysteresis.elements.get_mut(..elements.len())?.copy_from_slice(elements);
        Some(hysteresis)
    }

    /// True if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The elements in the order of the file.
    #[must_use]
    pub fn elements(&self) -> &[Element] {
        &self.elements[..self.count]
    }

    /// The same to change strengths.
    pub fn elements_mut(&mut self) -> &mut [Element] {
        &mut self.elements[..self.count]
    }

    /// The element that falls with speed and rises with load: the second of three, and of an even number the later of the two in
    /// the middle.
    #[must_use]
    pub fn middle(&self) -> usize {
        self.count / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_elements_than_there_is_room_for_are_refused() {
        let element = Element { length: 1e-3, strength: 2.0 };
        for count in 0..=MOST_ELEMENTS {
            let hysteresis = Hysteresis::new(&vec![element; count]).unwrap();
            assert_eq!(hysteresis.elements(), vec![element; count]);
            assert_eq!(hysteresis.is_empty(), count == 0);
        }
        assert_eq!(Hysteresis::new(&[element; MOST_ELEMENTS + 1]), None);
        assert_eq!(Hysteresis::new(&[element; 3]).unwrap().middle(), 1);
    }
}
