//! From a name to a quantity and back.

use super::{Entry, Quantity, QuantityError};
use crate::formats::suggest;
use crate::model::Model;
use jourdain_symbolic::Constant;

impl Quantity {
    /// The quantity of that name: `mass_matrix` or `M`, `pose:tool` for a quantity of a link, `gravity_d5` for a derivative of any
    /// order.
    ///
    /// # Errors
    /// An unknown name or link, with the nearest known one; a link where none belongs, or none where one does.
    pub fn parse<T: Constant>(name: &str, model: &Model<T>) -> Result<Self, QuantityError> {
        let (base, link) = match name.split_once(':') {
            Some((base, link)) => (base, Some(link)),
            None => (name, None),
        };
        let (entry, order) = find(base)?;
        match (entry.per_link(), link, order) {
            (false, None, Some(order)) => Self::of_order(entry.kind, order),
            (false, None, None) => Self::new(entry.kind),
            (false, Some(_), _) => Err(QuantityError::LinkUnexpected { name: entry.name }),
            (true, None, _) => {
                let example = model.links().last().map(|link| link.name.clone());
                Err(QuantityError::LinkMissing { name: entry.name, example })
            }
            (true, Some(link), _) => Self::of_link(entry.kind, find_link(link, model)?),
        }
    }

    /// The name that [`parse`](Self::parse) reads.
    #[must_use]
    pub fn name<T: Constant>(&self, model: &Model<T>) -> String {
        let name = self.base_name();
        match self.link.and_then(|link| model.links().get(link)) {
            Some(link) => format!("{name}:{}", link.name),
            None => name,
        }
    }

    /// The name without a link.
    #[must_use]
    pub fn base_name(&self) -> String {
        let entry = self.entry();
        self.order.map_or_else(|| entry.name.to_owned(), |order| entry.member(order))
    }
}

/// The entry of a name or short name, with the order that the name of a family's member ends in.
fn find(name: &str) -> Result<(&'static Entry, Option<usize>), QuantityError> {
    if let Some(entry) = Quantity::ALL.iter().find(|entry| entry.name == name || entry.short.contains(&name)) {
        return Ok((entry, None));
    }
    let member = Quantity::ALL.iter().filter(|entry| entry.is_family()).find_map(|entry| {
        let digits = name.strip_prefix(entry.stem())?;
        let is_number = digits.bytes().all(|digit| digit.is_ascii_digit()) && !digits.starts_with('0');
        // A number too long to read is an order all the same, and no order that there is.
        (is_number && !digits.is_empty()).then(|| (entry, Some(digits.parse().unwrap_or(usize::MAX))))
    });
    member.ok_or_else(|| {
        let names: Vec<_> = Quantity::ALL.iter().map(|entry| entry.name).collect();
        let suggestion = suggest::nearest(name, &names).map(str::to_owned);
        QuantityError::Unknown { name: name.to_owned(), suggestion }
    })
}

/// The index of the link of that name.
///
/// # Errors
/// No such link; the error names the nearest.
pub fn find_link<T: Constant>(name: &str, model: &Model<T>) -> Result<usize, QuantityError> {
    model.link_index(name).ok_or_else(|| {
        let names: Vec<_> = model.links().iter().map(|link| link.name.as_str()).collect();
        let suggestion = suggest::nearest(name, &names).map(str::to_owned);
        QuantityError::UnknownLink { link: name.to_owned(), robot: model.name().to_owned(), suggestion }
    })
}
