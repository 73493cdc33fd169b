//! The operations, one file or folder each. Adding one is adding a file and a line of the list below.

use crate::operation::Entry;

/// Declares the modules and lists their operations: `module` is one whose `Request` is an operation, `group::{member, …}` one whose
/// members' are.
macro_rules! operations {
    (@list [$($entry:tt)*]) => {
        /// All operations, in the order in which help lists them.
        pub const ALL: &[Entry] = &[$($entry)*];
    };
    (@list [$($entry:tt)*] $group:ident::{$($member:ident),+ $(,)?}, $($rest:tt)*) => {
        pub mod $group;
        operations!(@list [$($entry)* $(Entry::of::<$group::$member::Request>(),)+] $($rest)*);
    };
    (@list [$($entry:tt)*] $module:ident, $($rest:tt)*) => {
        pub mod $module;
        operations!(@list [$($entry)* Entry::of::<$module::Request>(),] $($rest)*);
    };
    ($first:ident $($rest:tt)*) => {
        operations!(@list [] $first $($rest)*);
    };
}

operations! {
    robots,
    info,
    check,
    eval,
    derive,
    base_parameters,
    identify,
    excite,
    simulate,
    flexible::{modes, eval, simulate, linearise, derive, animate},
    elastic::{simulate, robustness, linearise},
    trajectory,
    ik,
    ik_path,
    bench,
    quantities,
    schema,
}
