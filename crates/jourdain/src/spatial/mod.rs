//! Spatial algebra.
