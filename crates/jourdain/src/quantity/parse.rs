//! From a name to a quantity and back.

use super::{Entry, Quantity, QuantityError};
use crate::formats::suggest;
use crate::model::Model;
use jourdain_symbolic::Constant;

impl Quantity {
    /// The quantity of that name: `mass_matrix`, or `pose:tool` for a quantity of a link.
    ///
    /// # Errors
    /// An unknown name or link, with the nearest known one; a link where none belongs, or none where one does.
    pub fn parse<T: Constant>(name: &str, model: &Model<T>) -> Result<Self, QuantityError> {
        let (base, link) = match name.split_once(':') {
            Some((base, link)) => (base, Some(link)),
            None => (name, None),
        };
        let entry = find(base)?;
        match (entry.per_link, link) {
            (false, None) => Ok(Self { kind: entry.kind, link: None }),
            (false, Some(_)) => Err(QuantityError::LinkUnexpected { name: entry.name }),
            (true, None) => {
                let example = model.links().last().map(|link| link.name.clone());
                Err(QuantityError::LinkMissing { name: entry.name, example })
            }
            (true, Some(link)) => Ok(Self { kind: entry.kind, link: Some(find_link(link, model)?) }),
        }
    }

    /// The name that [`parse`](Self::parse) reads.
    #[must_use]
    pub fn name<T: Constant>(&self, model: &Model<T>) -> String {
        let name = self.entry().name;
        match self.link.and_then(|link| model.links().get(link)) {
            Some(link) => format!("{name}:{}", link.name),
            None => name.to_owned(),
        }
    }
}

fn find(name: &str) -> Result<&'static Entry, QuantityError> {
    Quantity::ALL.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let names: Vec<_> = Quantity::ALL.iter().map(|entry| entry.name).collect();
        let suggestion = suggest::nearest(name, &names).map(str::to_owned);
        QuantityError::Unknown { name: name.to_owned(), suggestion }
    })
}

/// The index of the link of that name.
///
/// # Errors
/// No such link; the error names the nearest.
pub(crate) fn find_link<T: Constant>(name: &str, model: &Model<T>) -> Result<usize, QuantityError> {
    model.link_index(name).ok_or_else(|| {
        let names: Vec<_> = model.links().iter().map(|link| link.name.as_str()).collect();
        let suggestion = suggest::nearest(name, &names).map(str::to_owned);
        QuantityError::UnknownLink { link: name.to_owned(), robot: model.name().to_owned(), suggestion }
    })
}
