//! This library beside hand-written arrays and its peers, in one run.
//!
//! ```text
//! cargo run --release -p ecs-bench [-- --only WORKLOAD --with LIBRARY --quick]
//! ```
//!
//! What is measured is in [`workload`], one file each; how each library does it in [`library`], one file each. The
//! [`harness`] takes samples of all libraries in turn, and [`report`] prints them and writes them as JSON beside the
//! program. If two libraries computed different things, the run fails.

#[macro_use]
mod components;
mod allocator;
mod args;
mod compile;
mod harness;
#[allow(unreachable_pub, reason = "gecs wants components to be public")]
mod library;
mod math;
mod report;
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
    if let Some(asked) = &args.compile {
        return compile(asked, args.quick);
    }
    let suite = library::suite();
    let mut rows = Vec::new();
    for workload in workload::ALL.iter().filter(|workload| args.measures(workload.name)) {
        for &count in workload.counts {
            let row = suite.measure(workload, count, &args);
            report::print(&row);
            rows.push(row);
        }
    }
    match report::save(&rows) {
        Ok(path) => println!("\nwritten to {}", path.display()),
        Err(error) => {
            eprintln!("error: the figures could not be written: {error}");
            return ExitCode::FAILURE;
        }
    }
    let mut code = ExitCode::SUCCESS;
    for row in rows.iter().filter(|row| !row.agree()) {
        eprintln!(
            "error: the libraries computed different things in {}, {} entities",
            row.workload.name, row.count
        );
        code = ExitCode::FAILURE;
    }
    code
}

/// What the compiler is asked for has nothing to do with the workloads: it is done instead of them.
fn compile(asked: &args::Compile, quick: bool) -> ExitCode {
    let done = match asked {
        args::Compile::Measure => compile::measure(quick).and_then(|results| {
            compile::print(&results);
            let path = std::env::current_exe()?;
            std::fs::write(
                path.with_file_name("compile-time.json"),
                format!("{:#}\n", serde_json::json!(results)),
            )?;
            std::fs::write(path.with_file_name("compile-time.md"), compile::page(&results))
        }),
        args::Compile::Source { library, count, folder } => compile::write_source(library, *count, folder),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
