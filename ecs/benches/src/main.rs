//! This library beside hand-written arrays and its peers, in one run.
//!
//! ```text
//! cargo run --release -p ecs-bench [-- --only WORKLOAD --with LIBRARY --quick]
//! cargo run --release -p ecs-bench -- --sweep [--only WORKLOAD --with LIBRARY --quick]
//! cargo run --release -p ecs-bench -- --report [--quick]
//! cargo run --release -p ecs-bench -- --render
//! cargo run --release -p ecs-bench --no-default-features --features hecs    # built sooner
//! ```
//!
//! [`workload`] has a file for each workload, and [`library`] has a file for each library, with its
//! version of the workloads. The [`harness`] takes samples of all libraries in turn, [`results`]
//! holds them as plain data, [`goals`] judges them, and [`report`] shows them: as tables, plots and
//! a page. [`run`] puts this together. If two libraries computed different things, the run fails.

#![cfg_attr(not(feature = "all"), allow(dead_code, reason = "what only a peer that is left out asks for"))]

#[macro_use]
mod components;
mod allocator;
mod args;
mod compile;
mod effort;
mod goals;
mod harness;
#[allow(unreachable_pub, reason = "gecs wants components to be public")]
mod library;
mod machine;
mod math;
mod probe;
mod report;
mod results;
mod run;
mod scale;
mod versions;
mod workload;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args = match args::Args::parse(std::env::args().skip(1)) {
        Ok(args) => args,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    match run::run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
