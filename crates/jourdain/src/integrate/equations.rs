//! What is integrated: ẏ = f(t, y), over any scalar.

/// A system of first-order differential equations ẏ = f(t, y) whose solution may have to stay on a surface.
pub trait Equations<S> {
    /// Numbers in y.
    fn size(&self) -> usize;

    /// ẏ at time `t`.
    fn rate_into(&mut self, t: f64, y: &[S], rate: &mut [S]);

    /// Moves a `y` that integration has taken off its surface back onto it: quaternions to unit length.
    fn project(&self, y: &mut [S]);
}
