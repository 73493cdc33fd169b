//! From the graph of expressions to instructions, in the order in which the formula made them.

use super::{Argument, Instruction, Operand, Program, UnknownSymbol};
use crate::expr::{Expr, Node, reachable, with_nodes};

pub(super) fn lower(inputs: &[(&str, &[Expr])], outputs: &[(&str, &[Expr])]) -> Result<Program, UnknownSymbol> {
    let arguments = |list: &[(&str, &[Expr])]| {
        list.iter().map(|(name, exprs)| Argument { name: (*name).to_owned(), length: exprs.len() }).collect()
    };
    let mut program = Program {
        inputs: arguments(inputs),
        outputs: arguments(outputs),
        constants: Vec::new(),
        instructions: Vec::new(),
        results: Vec::new(),
        prologue: 0,
    };
    let roots: Vec<Expr> = outputs.iter().flat_map(|(_, exprs)| exprs.iter()).copied().collect();
    let needed = reachable(&roots);
    let unknown = with_nodes(|nodes| {
        // By the place of the expression: what it has become.
        let mut operands: Vec<Option<Operand>> = vec![None; nodes.len()];
        let symbols = inputs.iter().flat_map(|(_, exprs)| exprs.iter());
        for (number, symbol) in symbols.enumerate() {
            operands[symbol.place()] = Some(Operand::Input(number as u32));
        }
        let (first, rest) = sines_first(nodes, &needed);
        for (list, prologue) in [(first, true), (rest, false)] {
            program.instructions.reserve(list.len());
            for expr in list {
                if operands[expr.place()].is_some() {
                    continue;
                }
                // Operands stand before what is made of them.
                let x = |operand: Expr| operands[operand.place()].unwrap_or(Operand::Constant(0));
                let instruction = match nodes[expr.place()] {
                    Node::Number(number) => {
                        operands[expr.place()] = Some(Operand::Constant(program.constants.len() as u32));
                        program.constants.push(number.to_f64());
                        continue;
                    }
                    Node::Symbol(_) => return Some(expr),
                    Node::Neg(a) => Instruction::Neg(x(a)),
                    Node::Add(a, b) => Instruction::Add(x(a), x(b)),
                    Node::Sub(a, b) => Instruction::Sub(x(a), x(b)),
                    Node::Mul(a, b) => Instruction::Mul(x(a), x(b)),
                    Node::Div(a, b) => Instruction::Div(x(a), x(b)),
                    Node::Sqrt(a) => Instruction::Sqrt(x(a)),
                    Node::Sin(a) => Instruction::Sin(x(a)),
                    Node::Cos(a) => Instruction::Cos(x(a)),
                };
                operands[expr.place()] = Some(Operand::Value(program.instructions.len() as u32));
                program.instructions.push(instruction);
            }
            if prologue {
                program.prologue = program.instructions.len();
            }
        }
        let result = |root: &Expr| operands[root.place()].unwrap_or(Operand::Constant(0));
        program.results = roots.iter().map(result).collect();
        None
    });
    match unknown {
        Some(symbol) => Err(UnknownSymbol(symbol.name().unwrap_or_default())),
        None => Ok(program),
    }
}

/// Sines and cosines of what needs none itself, with what they need, sine and cosine of an angle together; then the rest.
fn sines_first(nodes: &[Node], exprs: &[Expr]) -> (Vec<Expr>, Vec<Expr>) {
    let mut needs_sine = vec![false; nodes.len()];
    // Each angle with its sine and its cosine.
    let mut pairs: Vec<(Expr, [Option<Expr>; 2])> = Vec::new();
    for &expr in exprs {
        let node = nodes[expr.place()];
        let inside = node.operands().into_iter().flatten().any(|operand| needs_sine[operand.place()]);
        let (angle, side) = match node {
            Node::Sin(angle) => (Some(angle), 0),
            Node::Cos(angle) => (Some(angle), 1),
            _ => (None, 0),
        };
        if let Some(angle) = angle.filter(|_| !inside) {
            let known = pairs.iter().rposition(|(known, _)| *known == angle).unwrap_or_else(|| {
                pairs.push((angle, [None; 2]));
                pairs.len() - 1
            });
            pairs[known].1[side] = Some(expr);
        }
        needs_sine[expr.place()] = inside || angle.is_some();
    }
    // What the angles need stands before them.
    let mut taken = vec![false; nodes.len()];
    pairs.iter().for_each(|(angle, _)| taken[angle.place()] = true);
    for place in (0..nodes.len()).rev().filter(|_| !pairs.is_empty()) {
        if taken[place] {
            nodes[place].operands().into_iter().flatten().for_each(|operand| taken[operand.place()] = true);
        }
    }
    let mut first: Vec<Expr> = exprs.iter().copied().filter(|expr| taken[expr.place()]).collect();
    for expr in pairs.iter().flat_map(|(_, pair)| pair).flatten() {
        taken[expr.place()] = true;
        first.push(*expr);
    }
    (first, exprs.iter().copied().filter(|expr| !taken[expr.place()]).collect())
}
