//! Tests of the mechanics, one file for each module.
#![forbid(unsafe_code)]

mod clocks;
mod sight;
