//! Tests of queries: data, filters, iteration, change detection, parameters. A module for each
//! module of the library; each test is a claim.
#![forbid(unsafe_code)]

mod chunk;
mod data;
mod disjoint;
mod entered;
mod filter;
mod fixture;
mod iter;
mod lookup;
mod param;
mod param_set;
mod param_tuple;
mod queries;
mod removed;
mod set;
mod single;
mod sorted;
mod spread;
mod sync;
mod tick;
mod tracked;
mod tracked_resource;
