//! A robot's links drawn as a tree.

use jourdain::Model;

/// Deeper than this, branches are drawn no further to the right: a chain of thousands of links has to end somewhere.
const DEEPEST: usize = 40;

/// The links in the order of a walk through the tree, each with the branches drawn before its name.
pub fn draw(model: &Model<f64>) -> Vec<(String, usize)> {
    let mut children = vec![Vec::new(); model.links().len()];
    let mut roots = Vec::new();
    for (index, link) in model.links().iter().enumerate() {
        link.parent.map_or(&mut roots, |parent| &mut children[parent]).push(index);
    }
    let mut lines = Vec::with_capacity(model.links().len());
    let mut pending: Vec<(String, usize, usize, bool)> = Vec::new();
    let push = |pending: &mut Vec<(String, usize, usize, bool)>, indent: &str, depth: usize, siblings: &[usize]| {
        let last = siblings.last();
        pending.extend(siblings.iter().rev().map(|child| (indent.to_owned(), depth, *child, Some(child) == last)));
    };
    push(&mut pending, "", 0, &roots);
    while let Some((indent, depth, link, is_last)) = pending.pop() {
        lines.push((format!("{indent}{}", if is_last { "└─ " } else { "├─ " }), link));
        let indent =
            if depth < DEEPEST { format!("{indent}{}", if is_last { "   " } else { "│  " }) } else { indent };
        push(&mut pending, &indent, depth + 1, &children[link]);
    }
    lines
}
