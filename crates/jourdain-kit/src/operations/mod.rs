//! The operations, one file or folder each. Adding one is adding a file and its two lines here.

pub mod arms;
pub mod base_parameters;
pub mod bench;
pub mod check;
pub mod convert;
pub mod derive;
pub mod elastic;
pub mod eval;
pub mod excite;
pub mod expand;
#[cfg(feature = "fleets")]
pub mod fleet;
pub mod flexible;
pub mod identify;
pub mod ik;
pub mod ik_path;
pub mod info;
pub mod quantities;
pub mod robots;
pub mod scene;
#[cfg(feature = "schemas")]
pub mod schema;
pub mod simulate;
pub mod trajectory;

use crate::operation::Entry;

/// All operations, in the order in which help lists them.
pub const ALL: &[Entry] = &[
    Entry::of::<robots::Request>(),
    Entry::of::<arms::Request>(),
    Entry::of::<info::Request>(),
    Entry::of::<check::Request>(),
    Entry::of::<scene::Request>(),
    Entry::of::<convert::Request>(),
    Entry::of::<expand::Request>(),
    Entry::of::<eval::Request>(),
    Entry::of::<derive::Request>(),
    Entry::of::<base_parameters::Request>(),
    Entry::of::<identify::Request>(),
    #[cfg(feature = "fleets")]
    Entry::of::<fleet::identify::Request>(),
    #[cfg(feature = "fleets")]
    Entry::of::<fleet::watch::Request>(),
    Entry::of::<excite::Request>(),
    Entry::of::<simulate::Request>(),
    Entry::of::<flexible::modes::Request>(),
    Entry::of::<flexible::eval::Request>(),
    Entry::of::<flexible::simulate::Request>(),
    Entry::of::<flexible::linearise::Request>(),
    Entry::of::<flexible::derive::Request>(),
    Entry::of::<flexible::animate::Request>(),
    Entry::of::<elastic::simulate::Request>(),
    Entry::of::<elastic::inverse::Request>(),
    Entry::of::<elastic::robustness::Request>(),
    Entry::of::<elastic::linearise::Request>(),
    Entry::of::<trajectory::Request>(),
    Entry::of::<ik::Request>(),
    Entry::of::<ik_path::Request>(),
    Entry::of::<bench::Request>(),
    Entry::of::<quantities::Request>(),
    #[cfg(feature = "schemas")]
    Entry::of::<schema::Request>(),
];
