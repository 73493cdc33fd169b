//! What is simplified while an expression is built. Every rule keeps the value and never adds an operation.
//!
//! Signs are pulled out of products, quotients and angles and end in a subtraction wherever there is one, so that x and
//! −x share their work. Nothing is expanded.

use super::Expr;
use super::graph::{Graph, Node};
use super::number::Number;
use core::f64::consts::FRAC_PI_2;

/// Products of at most this many factors are looked at by the rules for sines and cosines.
const MOST_FACTORS: usize = 6;

/// A constant angle this near to a multiple of 90° is one: rounding of π is all there is between them.
const DUST: f64 = 4.0 * f64::EPSILON;

impl Graph {
    fn zero(&mut self) -> Expr {
        self.constant(Number::ZERO)
    }

    fn one(&mut self) -> Expr {
        self.constant(Number::ONE)
    }

    /// True and x for −x, false and the expression itself for all others.
    fn split_sign(&mut self, expr: Expr) -> (bool, Expr) {
        match self.node(expr) {
            Node::Neg(x) => (true, x),
            Node::Number(number) if number.is_negative() => (true, self.constant(number.neg())),
            _ => (false, expr),
        }
    }

    fn signed(&mut self, negative: bool, expr: Expr) -> Expr {
        if negative { self.neg(expr) } else { expr }
    }

    /// The number and what it multiplies.
    fn split_coefficient(&self, expr: Expr) -> (Number, Expr) {
        match self.node(expr) {
            Node::Mul(a, x) => match self.number(a) {
                Some(number) => (number, x),
                None => (Number::ONE, expr),
            },
            _ => (Number::ONE, expr),
        }
    }

    pub(super) fn neg(&mut self, a: Expr) -> Expr {
        match self.node(a) {
            Node::Neg(x) => x,
            Node::Number(number) => self.constant(number.neg()),
            Node::Sub(x, y) if self.find(Node::Sub(y, x)).is_some() => self.intern(Node::Sub(y, x)),
            _ => self.intern(Node::Neg(a)),
        }
    }

    pub(super) fn add(&mut self, a: Expr, b: Expr) -> Expr {
        match (self.number(a), self.number(b)) {
            (Some(a), Some(b)) => return self.constant(a.add(b)),
            (Some(number), None) if number.is_zero() => return b,
            (None, Some(number)) if number.is_zero() => return a,
            _ => {}
        }
        let ((a_negative, a), (b_negative, b)) = (self.split_sign(a), self.split_sign(b));
        match (a_negative, b_negative) {
            (false, false) => self.sum(a, b),
            (false, true) => self.difference(a, b),
            (true, false) => self.difference(b, a),
            (true, true) => {
                let sum = self.sum(a, b);
                self.neg(sum)
            }
        }
    }

    pub(super) fn sub(&mut self, a: Expr, b: Expr) -> Expr {
        let b = self.neg(b);
        self.add(a, b)
    }

    /// a + b, neither of them with a sign.
    fn sum(&mut self, a: Expr, b: Expr) -> Expr {
        if let Some(like) = self.like_terms(a, b, false) {
            return like;
        }
        for (x, y) in [(a, b), (b, a)] {
            match (self.node(x), self.number(y)) {
                (Node::Sub(u, v), _) if v == y => return u,
                // (u + k) + l and (u − k) + l
                (Node::Add(k, u), Some(l)) | (Node::Sub(u, k), Some(l)) if self.number(k).is_some() => {
                    let negative = matches!(self.node(x), Node::Sub(..));
                    let k = self.number(k).unwrap_or(Number::ZERO);
                    let constant = self.constant(l.add(if negative { k.neg() } else { k }));
                    return self.add(u, constant);
                }
                // (k − u) + l
                (Node::Sub(k, u), Some(l)) if self.number(k).is_some() => {
                    let k = self.number(k).unwrap_or(Number::ZERO);
                    let constant = self.constant(l.add(k));
                    return self.sub(constant, u);
                }
                _ => {}
            }
        }
        if let Some(joined) = self.trigonometric_pair(a, b, false) {
            return joined;
        }
        // Numbers first, otherwise in the order of making.
        let number_last = self.number(b).is_some();
        let swap = if self.number(a).is_some() || number_last { number_last } else { b < a };
        self.intern(if swap { Node::Add(b, a) } else { Node::Add(a, b) })
    }

    /// a − b, neither of them with a sign.
    fn difference(&mut self, a: Expr, b: Expr) -> Expr {
        if let Some(like) = self.like_terms(a, b, true) {
            return like;
        }
        match self.node(a) {
            Node::Add(x, y) if x == b => return y,
            Node::Add(x, y) if y == b => return x,
            Node::Sub(x, y) if x == b => return self.neg(y),
            // (k + y) − l and (k − y) − l
            Node::Add(k, y) | Node::Sub(k, y) => {
                if let (Some(k), Some(l)) = (self.number(k), self.number(b)) {
                    let negative = matches!(self.node(a), Node::Sub(..));
                    let constant = self.constant(k.add(l.neg()));
                    return if negative { self.sub(constant, y) } else { self.add(y, constant) };
                }
                if let (Node::Sub(x, k), Some(l)) = (self.node(a), self.number(b))
                    && let Some(k) = self.number(k)
                {
                    let constant = self.constant(k.add(l));
                    return self.sub(x, constant);
                }
            }
            Node::Number(k) => match self.node(b) {
                // k − (l + y), k − (l − y), k − (y − l)
                Node::Add(l, y) | Node::Sub(l, y) if self.number(l).is_some() => {
                    let negative = matches!(self.node(b), Node::Sub(..));
                    let l = self.number(l).unwrap_or(Number::ZERO);
                    let constant = self.constant(k.add(l.neg()));
                    return if negative { self.add(constant, y) } else { self.sub(constant, y) };
                }
                Node::Sub(y, l) if self.number(l).is_some() => {
                    let l = self.number(l).unwrap_or(Number::ZERO);
                    let constant = self.constant(k.add(l));
                    return self.sub(constant, y);
                }
                Node::Mul(x, y) if k.is_one() && x == y => match self.node(x) {
                    Node::Sin(angle) => {
                        let cos = self.cos(angle);
                        return self.mul(cos, cos);
                    }
                    Node::Cos(angle) => {
                        let sin = self.sin(angle);
                        return self.mul(sin, sin);
                    }
                    _ => {}
                },
                _ => {}
            },
            _ => {}
        }
        match self.node(b) {
            Node::Add(x, y) if x == a => return self.neg(y),
            Node::Add(x, y) if y == a => return self.neg(x),
            Node::Sub(x, y) if x == a => return y,
            _ => {}
        }
        if let Some(joined) = self.trigonometric_pair(a, b, true) {
            return joined;
        }
        if let Some(opposite) = self.find(Node::Sub(b, a)) {
            return self.intern(Node::Neg(opposite));
        }
        self.intern(Node::Sub(a, b))
    }

    /// k x ± l x = (k ± l) x.
    fn like_terms(&mut self, a: Expr, b: Expr, minus: bool) -> Option<Expr> {
        let ((k, x), (l, y)) = (self.split_coefficient(a), self.split_coefficient(b));
        (x == y).then(|| {
            let factor = self.constant(k.add(if minus { l.neg() } else { l }));
            self.mul(factor, x)
        })
    }

    /// The factors of a product, if they are few.
    fn factors(&self, expr: Expr) -> Option<Vec<Expr>> {
        let (mut open, mut factors) = (vec![expr], Vec::with_capacity(MOST_FACTORS));
        while let Some(next) = open.pop() {
            match self.node(next) {
                Node::Mul(a, b) => open.extend([a, b]),
                _ => factors.push(next),
            }
            if factors.len() + open.len() > MOST_FACTORS {
                return None;
            }
        }
        Some(factors)
    }

    /// k cos x cos y ∓ k sin x sin y = k cos(x ± y) and k sin x cos y ± k cos x sin y = k sin(x ± y); for x = y, where
    /// the angle is zero, always, otherwise if the rules say so.
    fn trigonometric_pair(&mut self, a: Expr, b: Expr, minus: bool) -> Option<Expr> {
        if !(self.is_trigonometric(a) && self.is_trigonometric(b)) {
            return None;
        }
        let (mut left, mut right) = (self.factors(a)?, self.factors(b)?);
        let mut common = Vec::new();
        left.retain(|factor| match right.iter().position(|other| other == factor) {
            Some(place) => {
                common.push(right.swap_remove(place));
                false
            }
            None => true,
        });
        let (&[a1, a2], &[b1, b2]) = (left.as_slice(), right.as_slice()) else { return None };
        let nodes = [a1, a2, b1, b2].map(|expr| self.node(expr));
        // Which sine or cosine of the result, its two angles, and whether the second one is subtracted.
        let (sine, x, y, subtract, negative) = match nodes {
            [Node::Cos(x), Node::Cos(y), Node::Sin(u), Node::Sin(v)] if same(x, y, u, v) => {
                (false, x, y, !minus, false)
            }
            [Node::Sin(x), Node::Sin(y), Node::Cos(u), Node::Cos(v)] if same(x, y, u, v) => {
                (false, x, y, !minus, minus)
            }
            [Node::Sin(x), Node::Cos(y), Node::Cos(u), Node::Sin(v)]
            | [Node::Sin(x), Node::Cos(y), Node::Sin(v), Node::Cos(u)]
            | [Node::Cos(y), Node::Sin(x), Node::Cos(u), Node::Sin(v)]
            | [Node::Cos(y), Node::Sin(x), Node::Sin(v), Node::Cos(u)]
                if x == u && y == v =>
            {
                (true, x, y, minus, false)
            }
            _ => return None,
        };
        // Of what is added some is often needed elsewhere, so that only the addition may be counted as saved: a product of
        // several factors would cost more.
        let saves = x == y && subtract && (sine || common.len() < 2);
        if !self.rules.angle_sums && !saves {
            return None;
        }
        let angle = if subtract { self.sub(x, y) } else { self.add(x, y) };
        let mut result = if sine { self.sin(angle) } else { self.cos(angle) };
        for factor in common.into_iter().rev() {
            result = self.mul(factor, result);
        }
        Some(self.signed(negative, result))
    }

    pub(super) fn mul(&mut self, a: Expr, b: Expr) -> Expr {
        match (self.number(a), self.number(b)) {
            (Some(a), Some(b)) => return self.constant(a.mul(b)),
            (Some(k), None) => return self.scaled(k, b),
            (None, Some(k)) => return self.scaled(k, a),
            (None, None) => {}
        }
        let ((a_negative, a), (b_negative, b)) = (self.split_sign(a), self.split_sign(b));
        let product = self.product(a, b);
        self.signed(a_negative != b_negative, product)
    }

    /// k x
    fn scaled(&mut self, k: Number, x: Expr) -> Expr {
        if k.is_zero() {
            return self.zero();
        }
        let (negative, x) = self.split_sign(x);
        let (l, x) = self.split_coefficient(x);
        let k = k.mul(l);
        let negative = negative != k.is_negative();
        let k = if k.is_negative() { k.neg() } else { k };
        let product = if k.is_one() {
            x
        } else {
            let k = self.constant(k);
            self.intern(Node::Mul(k, x))
        };
        self.signed(negative, product)
    }

    fn product(&mut self, a: Expr, b: Expr) -> Expr {
        for (x, y) in [(a, b), (b, a)] {
            match self.node(x) {
                Node::Div(u, v) if v == y => return u,
                Node::Sqrt(u) if x == y => return u,
                _ => {}
            }
        }
        self.intern(if b < a { Node::Mul(b, a) } else { Node::Mul(a, b) })
    }

    pub(super) fn div(&mut self, a: Expr, b: Expr) -> Expr {
        let ((a_negative, a), (b_negative, b)) = (self.split_sign(a), self.split_sign(b));
        let negative = a_negative != b_negative;
        if let Some(divisor) = self.number(b)
            && !divisor.is_zero()
        {
            let reciprocal = self.constant(Number::ONE.div(divisor));
            let quotient = self.mul(reciprocal, a);
            return self.signed(negative, quotient);
        }
        if self.number(a).is_some_and(Number::is_zero) {
            return a;
        }
        let quotient = match (self.node(a), self.node(b)) {
            _ if a == b => self.one(),
            (Node::Mul(x, y), _) if y == b => x,
            (Node::Mul(x, y), _) if x == b => y,
            // a / (a y)
            (_, Node::Mul(x, y)) if x == a || y == a => {
                let (one, rest) = (self.one(), if x == a { y } else { x });
                self.intern(Node::Div(one, rest))
            }
            // a / (1 / y)
            (_, Node::Div(x, y)) if self.number(x).is_some_and(Number::is_one) => self.mul(a, y),
            (_, Node::Sqrt(x)) if x == a => b,
            _ => self.intern(Node::Div(a, b)),
        };
        self.signed(negative, quotient)
    }

    pub(super) fn sqrt(&mut self, a: Expr) -> Expr {
        match self.number(a) {
            Some(number) if !number.is_negative() => self.constant(number.sqrt()),
            _ => self.intern(Node::Sqrt(a)),
        }
    }

    pub(super) fn sin(&mut self, a: Expr) -> Expr {
        self.sine_of_quarters(a, 0)
    }

    pub(super) fn cos(&mut self, a: Expr) -> Expr {
        self.sine_of_quarters(a, 1)
    }

    /// sin(a + 90° · quarters), multiples of 90° and signs taken out of the angle.
    fn sine_of_quarters(&mut self, a: Expr, quarters: i64) -> Expr {
        if let Some(number) = self.number(a) {
            let (whole, rest) = split_quarters(number.to_f64());
            let value = match (whole + quarters).rem_euclid(4) {
                0 => rest.sin(),
                1 => rest.cos(),
                2 => -rest.sin(),
                _ => -rest.cos(),
            };
            return self.constant(Number::new(value));
        }
        let (negative, angle, added) = match self.node(a) {
            Node::Neg(x) => (true, x, 0),
            Node::Add(k, x) => match self.whole_quarters(k) {
                Some(whole) => (false, x, whole),
                None => (false, a, 0),
            },
            Node::Sub(x, k) if self.whole_quarters(k).is_some() => (false, x, -self.whole_quarters(k).unwrap_or(0)),
            Node::Sub(k, x) if self.whole_quarters(k).is_some() => (true, x, self.whole_quarters(k).unwrap_or(0)),
            // One of a − b and b − a is enough.
            Node::Sub(x, y) if y < x => match self.find(Node::Sub(y, x)) {
                Some(opposite) => (true, opposite, 0),
                None => (false, a, 0),
            },
            _ => (false, a, 0),
        };
        // sin(90° n − x) = sin(x + 180° − 90° n), for an x that is to be taken apart.
        if self.rules.for_numbers
            && let Node::Neg(x) = self.node(a)
            && self.constant_part(x).is_some()
        {
            return self.sine_of_quarters(x, 2 - quarters);
        }
        if self.rules.for_numbers
            && let Some((k, x, negative)) = self.constant_part(a)
        {
            return self.sine_apart(k, x, negative, quarters);
        }
        // sin(90° n − x) = sin(x + 180° − 90° n)
        let turned = (quarters + added).rem_euclid(4);
        let turned = if negative { (2 - turned).rem_euclid(4) } else { turned };
        let function = if turned % 2 == 0 { Node::Sin(angle) } else { Node::Cos(angle) };
        let value = self.intern(function);
        self.signed(turned >= 2, value)
    }

    /// k + x or k − x, for a constant k that is no multiple of 90°; true for the difference.
    fn constant_part(&self, a: Expr) -> Option<(f64, Expr, bool)> {
        let (k, x, sign, negative) = match self.node(a) {
            Node::Add(x, k) if self.number(k).is_some() => (k, x, 1.0, false),
            Node::Add(k, x) => (k, x, 1.0, false),
            Node::Sub(x, k) if self.number(k).is_some() => (k, x, -1.0, false),
            Node::Sub(k, x) => (k, x, 1.0, true),
            _ => return None,
        };
        if self.whole_quarters(k).is_some() {
            return None;
        }
        Some((sign * self.number(k)?.to_f64(), x, negative))
    }

    /// sin(k ± x + 90° · quarters) = sin(k + 90° · quarters) cos x ± cos(k + 90° · quarters) sin x.
    fn sine_apart(&mut self, k: f64, x: Expr, negative: bool, quarters: i64) -> Expr {
        let constant = self.constant(Number::new(k));
        let (along, across) =
            (self.sine_of_quarters(constant, quarters), self.sine_of_quarters(constant, quarters + 1));
        let (sin, cos) = (self.sin(x), self.cos(x));
        let (first, second) = (self.mul(along, cos), self.mul(across, sin));
        if negative { self.sub(first, second) } else { self.add(first, second) }
    }

    /// The multiple of 90° that a constant is, if it is one.
    fn whole_quarters(&self, expr: Expr) -> Option<i64> {
        let (whole, rest) = split_quarters(self.number(expr)?.to_f64());
        (whole != 0 && rest == 0.0).then_some(whole)
    }
}

/// {x, y} = {u, v}
fn same(x: Expr, y: Expr, u: Expr, v: Expr) -> bool {
    (x, y) == (u, v) || (x, y) == (v, u)
}

/// The multiple of 90° next to an angle and what is left, which is zero if rounding explains it; none taken out otherwise.
fn split_quarters(angle: f64) -> (i64, f64) {
    let whole = (angle / FRAC_PI_2).round();
    let rest = angle - whole * FRAC_PI_2;
    if whole.abs() < 1e6 && rest.abs() <= DUST * angle.abs() { (whole as i64, 0.0) } else { (0, angle) }
}
