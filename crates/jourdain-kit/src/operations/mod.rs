//! The operations, one file or folder each. Adding one is adding a file and a line of the list below.

use crate::operation::Entry;

macro_rules! operations {
    ($($(#[$attribute:meta])* $module:ident),* $(,)?) => {
        $($(#[$attribute])* pub mod $module;)*

        /// All operations, in the order in which help lists them.
        pub const ALL: &[Entry] = &[$(Entry::of::<$module::Request>()),*];
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
    trajectory,
    bench,
    quantities,
    schema,
}
