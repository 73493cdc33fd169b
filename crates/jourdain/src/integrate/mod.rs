//! Differential equations in time: ẏ = f(t, y) by fixed, adaptive and implicit steps, and the one loop that takes them.
//!
//! | file | what it does |
//! |---|---|
//! | [`equations`] | what is integrated |
//! | [`rk4`] | the classic Runge–Kutta method, over any scalar |
//! | [`adaptive`] | the method of Dormand and Prince, which chooses its steps by a tolerance |
//! | [`implicit`] | a linearly implicit method, for stiff systems |
//! | [`stepper`] | what the methods have in common; Runge–Kutta steps on a grid of time |
//! | [`schedule`] | when steps, and smooth pieces of what acts, end |
//! | [`march`](mod@march) | the loop: pieces, steps, samples, limits, progress |

pub mod adaptive;
pub mod equations;
mod error;
pub mod implicit;
pub mod march;
pub mod rk4;
pub mod schedule;
pub mod stepper;

pub use adaptive::Adaptive;
pub use equations::Equations;
pub use error::IntegrationError;
pub use implicit::Implicit;
pub use march::{Crossing, Marched, Marching, Plan, march};
pub use rk4::Rk4;
pub use schedule::Schedule;
pub use stepper::{Fixed, Span, Stepper};
