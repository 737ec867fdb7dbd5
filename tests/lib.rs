//! Tests of `ecs`: `behaviour` has five crates with a module for each module of the library,
//! `soundness` tries to break soundness from safe code, `model` drives random operations against a
//! plain map, `acceptance` has a test for each capability of four systems that this one learned
//! from, and `ui` has the programs that must not compile.
//!
//! This library has their shared code: values that are counted ([`ledger`]), values that panic on
//! request ([`fuse`]), and the settings and the numbers of random tests ([`random`]).

pub mod fuse;
pub mod ledger;
mod thread_time;

pub use ledger::{Counted, Ledger, Token};
pub use thread_time::thread_time;

/// The README's program is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// The program in the documentation of `world!` is a test.
#[cfg(doctest)]
#[doc = "```"]
#[doc = include_str!("../ecs-macros/src/world_example.rs")]
#[doc = "```"]
pub struct WorldExample;

pub mod random;
