//! From the graph of expressions to instructions, in the order in which the formula made them.

use super::{Argument, Instruction, Operand, Program, UnknownSymbol};
use crate::expr::{Expr, Node, reachable};
use std::collections::HashMap;

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
    let mut operands: HashMap<Expr, Operand> =
        inputs.iter().flat_map(|(_, exprs)| exprs.iter()).copied().zip((0..).map(Operand::Input)).collect();
    let roots: Vec<Expr> = outputs.iter().flat_map(|(_, exprs)| exprs.iter()).copied().collect();
    let (first, rest) = sines_first(&reachable(&roots));
    for (list, prologue) in [(first, true), (rest, false)] {
        for expr in list {
            if operands.contains_key(&expr) {
                continue;
            }
            let x = |operand: &Expr| operands[operand];
            let instruction = match expr.node() {
                Node::Number(number) => {
                    operands.insert(expr, Operand::Constant(program.constants.len() as u32));
                    program.constants.push(number.to_f64());
                    continue;
                }
                Node::Symbol(_) => return Err(UnknownSymbol(expr.name().unwrap_or_default())),
                Node::Neg(a) => Instruction::Neg(x(&a)),
                Node::Add(a, b) => Instruction::Add(x(&a), x(&b)),
                Node::Sub(a, b) => Instruction::Sub(x(&a), x(&b)),
                Node::Mul(a, b) => Instruction::Mul(x(&a), x(&b)),
                Node::Div(a, b) => Instruction::Div(x(&a), x(&b)),
                Node::Sqrt(a) => Instruction::Sqrt(x(&a)),
                Node::Sin(a) => Instruction::Sin(x(&a)),
                Node::Cos(a) => Instruction::Cos(x(&a)),
            };
            operands.insert(expr, Operand::Value(program.instructions.len() as u32));
            program.instructions.push(instruction);
        }
        if prologue {
            program.prologue = program.instructions.len();
        }
    }
    program.results = roots.iter().map(|root| operands[root]).collect();
    Ok(program)
}

/// Sines and cosines of what needs none itself, with what they need, sine and cosine of an angle together; then the rest.
fn sines_first(exprs: &[Expr]) -> (Vec<Expr>, Vec<Expr>) {
    let mut needs_sine: HashMap<Expr, bool> = HashMap::new();
    let (mut angles, mut pairs): (Vec<Expr>, HashMap<Expr, [Option<Expr>; 2]>) = Default::default();
    for &expr in exprs {
        let node = expr.node();
        let inside = node.operands().into_iter().flatten().any(|operand| needs_sine[&operand]);
        let (angle, side) = match node {
            Node::Sin(angle) => (Some(angle), 0),
            Node::Cos(angle) => (Some(angle), 1),
            _ => (None, 0),
        };
        if let Some(angle) = angle.filter(|_| !inside) {
            let pair = pairs.entry(angle).or_insert_with(|| {
                angles.push(angle);
                [None; 2]
            });
            pair[side] = Some(expr);
        }
        needs_sine.insert(expr, inside || angle.is_some());
    }
    let mut first = reachable(&angles);
    first.extend(angles.iter().flat_map(|angle| pairs[angle]).flatten());
    let taken: std::collections::HashSet<Expr> = first.iter().copied().collect();
    (first, exprs.iter().copied().filter(|expr| !taken.contains(expr)).collect())
}
