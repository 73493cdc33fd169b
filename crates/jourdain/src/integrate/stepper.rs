//! What the methods of integration have in common: a smooth piece of time, and the last step within it.
//!
//! [`Fixed`] takes Runge–Kutta steps that end at the multiples of a step length, and at the end of the piece.

use super::equations::Equations;
use super::error::IntegrationError;
use super::rk4::Rk4;

/// How far a method has come.
#[derive(Clone, Debug)]
pub struct Span {
    /// The last step: from here …
    pub from: f64,
    /// y there.
    pub before: Vec<f64>,
    /// … to here.
    pub time: f64,
    /// y here.
    pub values: Vec<f64>,
    /// The end of the piece.
    pub end: f64,
}

impl Span {
    /// For systems of `size` numbers.
    #[must_use]
    pub fn new(size: usize) -> Self {
        Self { from: 0.0, before: vec![0.0; size], time: 0.0, values: vec![0.0; size], end: 0.0 }
    }

    /// Begins a piece.
    ///
    /// # Panics
    /// If `y` has another size.
    pub fn start(&mut self, from: f64, to: f64, y: &[f64]) {
        (self.from, self.time, self.end) = (from, from, to);
        self.before.copy_from_slice(y);
        self.values.copy_from_slice(y);
    }

    /// Takes a step of length `h` to `values`; the last of a piece ends at its end, whatever the rounding.
    pub fn advance(&mut self, h: f64, is_last: bool, values: &[f64]) {
        self.from = self.time;
        self.time = if is_last { self.end } else { self.time + h };
        std::mem::swap(&mut self.before, &mut self.values);
        self.values.copy_from_slice(values);
    }

    /// The length of the last step, and where `t` lies in it, from 0 to 1.
    #[must_use]
    pub fn share(&self, t: f64) -> [f64; 2] {
        let h = self.time - self.from;
        [h, if h > 0.0 { ((t - self.from) / h).clamp(0.0, 1.0) } else { 1.0 }]
    }
}

/// A method on its way through smooth pieces of time.
pub trait Stepper {
    /// How far it has come.
    fn span(&self) -> &Span;

    /// Begins a smooth piece of time.
    ///
    /// # Errors
    /// Rates that are not finite.
    ///
    /// # Panics
    /// If `y` or the system has another size than the method was made for.
    fn start(
        &mut self,
        equations: &mut dyn Equations<f64>,
        from: f64,
        to: f64,
        y: &[f64],
    ) -> Result<(), IntegrationError>;

    /// One accepted step.
    ///
    /// # Errors
    /// If no step is small enough.
    fn step(&mut self, equations: &mut dyn Equations<f64>) -> Result<(), IntegrationError>;

    /// The numbers at a time within the last step.
    fn values_at_into(&mut self, equations: &mut dyn Equations<f64>, t: f64, out: &mut [f64]);

    /// The end of the last step.
    fn time(&self) -> f64 {
        self.span().time
    }

    /// The numbers there.
    fn values(&self) -> &[f64] {
        &self.span().values
    }
}

/// Parts of a step that are too short to be steps of their own.
const SLIVER: f64 = 1e-9;

/// Runge–Kutta steps that end at the multiples of a step length.
#[derive(Clone, Debug)]
pub struct Fixed {
    span: Span,
    step: f64,
    rk4: Rk4<f64>,
    next: Vec<f64>,
}

impl Fixed {
    /// With steps of this length, s, for systems of `size` numbers.
    #[must_use]
    pub fn new(step: f64, size: usize) -> Self {
        Self { span: Span::new(size), step, rk4: Rk4::new(size), next: vec![0.0; size] }
    }
}

impl Stepper for Fixed {
    fn span(&self) -> &Span {
        &self.span
    }

    fn start(&mut self, _: &mut dyn Equations<f64>, from: f64, to: f64, y: &[f64]) -> Result<(), IntegrationError> {
        self.span.start(from, to, y);
        Ok(())
    }

    fn step(&mut self, equations: &mut dyn Equations<f64>) -> Result<(), IntegrationError> {
        let from = self.span.time;
        let multiple = ((from / self.step + SLIVER).floor() + 1.0) * self.step;
        let is_last = multiple >= self.span.end - SLIVER * self.step;
        let to = if is_last { self.span.end } else { multiple };
        self.next.copy_from_slice(&self.span.values);
        self.rk4.step(equations, from, to - from, &mut self.next);
        self.span.advance(to - from, is_last, &self.next);
        // A sum of steps would drift off the multiples.
        self.span.time = to;
        Ok(())
    }

    fn values_at_into(&mut self, equations: &mut dyn Equations<f64>, t: f64, out: &mut [f64]) {
        let Span { from, before, time, values, .. } = &self.span;
        if t >= *time {
            out.copy_from_slice(values);
        } else {
            out.copy_from_slice(before);
            self.rk4.step(equations, *from, t - from, out);
        }
    }
}
