//! What the library promises: a module for each module of the library, each test a claim.
#![forbid(unsafe_code)]

mod alive;
mod batch;
mod bundle;
mod chunk;
mod command;
mod component;
mod data;
mod entity;
mod entity_ref;
mod error;
mod event;
mod exclusive;
mod filter;
mod fixture;
mod generic;
mod hygiene;
mod iter;
mod lookup;
mod panics;
mod param;
mod parts;
mod queries;
mod requires;
mod resource;
mod schedule;
mod set;
mod stats;
mod storage;
mod sync;
mod system;
mod values;
mod view;
mod wide;
mod world;
mod worlds;
