//! A reduction tree of fixed shape: eight to one, level by level, by place and not by time of arrival.
//!
//! A place may stay empty, where a shard was set aside; the others are merged as if it were there with nothing in it. The shape depends on the
//! number of places alone, so the same shards give the same bits whoever merges them.

/// How many become one.
pub const FAN_IN: usize = 8;

/// Takes in what stands at one place after the other, and merges as soon as a group is complete.
#[derive(Clone, Debug)]
pub struct Tree<T> {
    /// Per level, the places of the group that is being filled.
    levels: Vec<Vec<Option<T>>>,
}

impl<T> Default for Tree<T> {
    fn default() -> Self {
        Self { levels: Vec::new() }
    }
}

impl<T> Tree<T> {
    /// Takes in what stands at the next place; `merge` makes one of two or more.
    ///
    /// # Errors
    /// That of `merge`.
    pub fn push<E>(&mut self, item: Option<T>, merge: &mut impl FnMut(Vec<T>) -> Result<T, E>) -> Result<(), E> {
        self.push_at(0, item, merge)
    }

    fn push_at<E>(
        &mut self,
        level: usize,
        item: Option<T>,
        merge: &mut impl FnMut(Vec<T>) -> Result<T, E>,
    ) -> Result<(), E> {
        if level == self.levels.len() {
            self.levels.push(Vec::with_capacity(FAN_IN));
        }
        self.levels[level].push(item);
        if self.levels[level].len() < FAN_IN {
            return Ok(());
        }
        let group = std::mem::take(&mut self.levels[level]);
        let merged = merge_group(group, merge)?;
        self.push_at(level + 1, merged, merge)
    }

    /// What all places come to; `None` if all are empty.
    ///
    /// # Errors
    /// That of `merge`.
    pub fn finish<E>(mut self, merge: &mut impl FnMut(Vec<T>) -> Result<T, E>) -> Result<Option<T>, E> {
        let mut level = 0;
        while level < self.levels.len() {
            let group = std::mem::take(&mut self.levels[level]);
            if !group.is_empty() {
                let merged = merge_group(group, merge)?;
                let is_last = self.levels[level + 1..].iter().all(Vec::is_empty);
                if is_last {
                    return Ok(merged);
                }
                self.push_at(level + 1, merged, merge)?;
            }
            level += 1;
        }
        Ok(None)
    }
}

/// What a group comes to: one alone stays as it is.
fn merge_group<T, E>(group: Vec<Option<T>>, merge: &mut impl FnMut(Vec<T>) -> Result<T, E>) -> Result<Option<T>, E> {
    let mut there: Vec<T> = group.into_iter().flatten().collect();
    if there.len() <= 1 { Ok(there.pop()) } else { merge(there).map(Some) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    /// The merges as brackets.
    fn shape(places: &[Option<usize>]) -> String {
        let mut merge = |group: Vec<String>| Ok::<_, Infallible>(format!("({})", group.join(" ")));
        let mut tree = Tree::default();
        for place in places {
            tree.push(place.map(|number| number.to_string()), &mut merge).unwrap();
        }
        tree.finish(&mut merge).unwrap().unwrap_or_default()
    }

    #[test]
    fn eight_become_one_by_place() {
        let all: Vec<Option<usize>> = (0..10).map(Some).collect();
        assert_eq!(shape(&all), "((0 1 2 3 4 5 6 7) (8 9))");
        assert_eq!(shape(&all[..8]), "(0 1 2 3 4 5 6 7)");
        assert_eq!(shape(&all[..1]), "0");
        assert_eq!(shape(&[]), "");
    }

    #[test]
    fn an_empty_place_leaves_the_others_where_they_are() {
        let mut all: Vec<Option<usize>> = (0..10).map(Some).collect();
        all[3] = None;
        assert_eq!(shape(&all), "((0 1 2 4 5 6 7) (8 9))");
        all[8] = None;
        assert_eq!(shape(&all), "((0 1 2 4 5 6 7) 9)");
        assert_eq!(shape(&[None; 9]), "");
    }

    #[test]
    fn every_place_is_there_once_and_in_order() {
        for count in [1, 7, 8, 9, 63, 64, 65, 200, 513] {
            let all: Vec<Option<usize>> = (0..count).map(Some).collect();
            let text = shape(&all).replace(['(', ')'], "");
            assert_eq!(text, (0..count).map(|i| i.to_string()).collect::<Vec<_>>().join(" "), "{count}");
        }
    }
}
