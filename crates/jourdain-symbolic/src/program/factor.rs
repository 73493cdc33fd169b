//! Taking common multiplicands out of sums: x a ± y ± x b = x (a ± b) ± y, one multiplication less where neither product
//! is used otherwise.

use super::{Instruction, Operand, Program};
use crate::mixer::FastMap;

/// A factored sum may make the next one possible; more rounds than this found nothing on any robot.
const ROUNDS: usize = 4;

/// Longer sums are left as they are.
const MOST_TERMS: usize = 32;

pub(super) fn factor(program: &mut Program) {
    for _ in 0..ROUNDS {
        let before = program.instructions.len();
        let mut round = Round::new(program);
        if !round.find() {
            break;
        }
        round.run(program);
        program.drop_unused();
        if program.instructions.len() == before {
            break;
        }
    }
}

/// A term of a sum: subtracted or not, and what it is.
type Term = (bool, Operand);

struct Round {
    old: Vec<Instruction>,
    prologue: usize,
    uses: Vec<u32>,
    /// True for a sum whose products share a factor.
    shares: Vec<bool>,
    /// True for a value that is read by one sum and nothing else.
    inner: Vec<bool>,
    /// What became of each old value.
    renamed: Vec<Operand>,
    new: Vec<Instruction>,
    known: FastMap<u128, Operand>,
}

/// An instruction as one number: equal instructions have equal ones.
fn key(instruction: Instruction) -> u128 {
    let mut key = match instruction {
        Instruction::Neg(_) => 0,
        Instruction::Add(..) => 1,
        Instruction::Sub(..) => 2,
        Instruction::Mul(..) => 3,
        Instruction::Div(..) => 4,
        Instruction::Sqrt(_) => 5,
        Instruction::Sin(_) => 6,
        Instruction::Cos(_) => 7,
        Instruction::MulAdd(..) => 8,
        Instruction::MulSub(..) => 9,
        Instruction::NegMulAdd(..) => 10,
    };
    for operand in instruction.operands() {
        let (kind, place) = match operand {
            Operand::Input(place) => (0, place),
            Operand::Constant(place) => (1, place),
            Operand::Value(place) => (2, place),
        };
        key = key << 34 | u128::from(place) << 2 | kind;
    }
    key
}

impl Round {
    fn new(program: &Program) -> Self {
        let uses = program.uses();
        let old = program.instructions.clone();
        let mut inner = vec![false; old.len()];
        for instruction in &old {
            if let Instruction::Add(a, b) | Instruction::Sub(a, b) = *instruction {
                for operand in [a, b] {
                    if let Operand::Value(value) = operand {
                        inner[value as usize] = uses[value as usize] == 1;
                    }
                }
            }
        }
        Self {
            shares: vec![false; old.len()],
            renamed: Vec::with_capacity(old.len()),
            new: Vec::with_capacity(old.len()),
            known: FastMap::default(),
            prologue: program.prologue,
            old,
            uses,
            inner,
        }
    }

    /// Looks for sums whose products share a factor; false if there is none.
    fn find(&mut self) -> bool {
        let (mut open, mut terms, mut factors) = (Vec::new(), Vec::new(), Vec::new());
        for place in self.prologue..self.old.len() {
            let instruction = self.old[place];
            if matches!(instruction, Instruction::Add(..) | Instruction::Sub(..)) && !self.inner[place] {
                self.shares[place] =
                    self.terms(instruction, &mut open, &mut terms) && self.two_share(&terms, &mut factors);
            }
        }
        self.shares.contains(&true)
    }

    /// Whether any two products among the terms have a factor in common.
    fn two_share(&self, terms: &[Term], factors: &mut Vec<Operand>) -> bool {
        factors.clear();
        for [a, b] in terms.iter().filter_map(|&(_, term)| self.product(term)) {
            if factors.contains(&a) || factors.contains(&b) {
                return true;
            }
            factors.extend([a, b]);
        }
        false
    }

    fn run(mut self, program: &mut Program) {
        self.known.reserve(self.old.len());
        program.prologue = self.old.len();
        for place in 0..self.old.len() {
            if place == self.prologue {
                program.prologue = self.new.len();
            }
            let instruction = self.old[place];
            let result = if self.shares[place] {
                self.factored(instruction)
            } else {
                let renamed = instruction.map(|operand| self.rename(operand));
                self.push(renamed)
            };
            self.renamed.push(result);
        }
        program.prologue = program.prologue.min(self.new.len());
        for result in &mut program.results {
            *result = self.rename(*result);
        }
        program.instructions = self.new;
    }

    fn rename(&self, operand: Operand) -> Operand {
        match operand {
            Operand::Value(value) => self.renamed[value as usize],
            other => other,
        }
    }

    fn push(&mut self, instruction: Instruction) -> Operand {
        *self.known.entry(key(instruction)).or_insert_with(|| {
            self.new.push(instruction);
            Operand::Value(self.new.len() as u32 - 1)
        })
    }

    /// The terms of a sum and of the sums in it that nothing else reads; at least one is not subtracted. False if they are
    /// too many.
    fn terms(&self, root: Instruction, open: &mut Vec<(bool, Instruction)>, terms: &mut Vec<Term>) -> bool {
        open.clear();
        terms.clear();
        open.push((false, root));
        while let Some((negative, sum)) = open.pop() {
            let (a, b, minus) = match sum {
                Instruction::Add(a, b) => (a, b, false),
                Instruction::Sub(a, b) => (a, b, true),
                _ => return false,
            };
            for (operand, negative) in [(a, negative), (b, negative != minus)] {
                match operand {
                    Operand::Value(value) if self.inner[value as usize] => match self.old[value as usize] {
                        inner @ (Instruction::Add(..) | Instruction::Sub(..)) => open.push((negative, inner)),
                        _ => terms.push((negative, operand)),
                    },
                    _ => terms.push((negative, operand)),
                }
            }
            if terms.len() + open.len() > MOST_TERMS {
                return false;
            }
        }
        true
    }

    fn product(&self, operand: Operand) -> Option<[Operand; 2]> {
        match operand {
            Operand::Value(value) if self.uses[value as usize] == 1 => match self.old[value as usize] {
                Instruction::Mul(a, b) => Some([a, b]),
                _ => None,
            },
            _ => None,
        }
    }

    /// The factor that most products of a sum share, if any two do.
    fn most_common(&self, terms: &[Term]) -> Option<Operand> {
        let mut counts: Vec<(Operand, usize)> = Vec::new();
        for [a, b] in terms.iter().filter_map(|&(_, term)| self.product(term)) {
            for factor in core::iter::once(a).chain((a != b).then_some(b)) {
                match counts.iter_mut().find(|(known, _)| *known == factor) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((factor, 1)),
                }
            }
        }
        let most = counts.iter().map(|&(_, count)| count).max().filter(|&count| count > 1)?;
        counts.into_iter().find(|&(_, count)| count == most).map(|(factor, _)| factor)
    }

    /// The sum with common multiplicands taken out.
    fn factored(&mut self, root: Instruction) -> Operand {
        let mut terms = Vec::new();
        self.terms(root, &mut Vec::new(), &mut terms);
        let mut sum: Vec<Term> = Vec::new();
        while let Some(factor) = self.most_common(&terms) {
            let shares = |round: &Self, term: Operand| round.product(term).is_some_and(|p| p.contains(&factor));
            let (group, rest): (Vec<Term>, Vec<Term>) = terms.into_iter().partition(|&(_, term)| shares(self, term));
            terms = rest;
            // Something in every sum is not subtracted, in a group of it and in the whole.
            let negative = group.iter().all(|&(negative, _)| negative);
            let others = group.into_iter().map(|(sign, term)| {
                let [a, b] = self.product(term).unwrap_or([factor; 2]);
                (sign != negative, self.rename(if a == factor { b } else { a }))
            });
            let others: Vec<Term> = others.collect();
            let others = self.total(others);
            let factor = self.rename(factor);
            sum.push((negative, self.push(Instruction::Mul(factor, others))));
        }
        sum.extend(terms.into_iter().map(|(negative, term)| (negative, self.rename(term))));
        self.total(sum)
    }

    /// The sum of the terms, one of which at least is not subtracted.
    fn total(&mut self, mut terms: Vec<Term>) -> Operand {
        let first = terms.iter().position(|(negative, _)| !negative).unwrap_or(0);
        let (_, mut total) = terms.remove(first);
        for (negative, term) in terms {
            let next = if negative { Instruction::Sub(total, term) } else { Instruction::Add(total, term) };
            total = self.push(next);
        }
        total
    }
}
