//! The tasks of the program: measure, print, write, and check that all libraries computed the same
//! results.

use crate::args::{Args, OPTIONS, Source, Task};
use crate::compile::{self, Part};
use crate::effort::{Effort, SWEEP_COUNTS};
use crate::goals;
use crate::harness::Suite;
use crate::library;
use crate::report::{self, Folder};
use crate::results::{Results, Row};
use crate::scale;
use crate::workload::{ALL, Workload};

/// Does what is asked for.
///
/// # Errors
/// When a file cannot be read or written, or libraries computed different things.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    match args.task {
        Task::Tables => {
            // a run of one workload does not replace the figures of all
            let file = if args.is_narrowed() { "part.json" } else { "speed.json" };
            tables(args, &Folder::beside_program()?, file)
        }
        Task::Sweep => {
            let folder = Folder::beside_program()?;
            plots(&sweep(args, &folder)?, &folder)
        }
        Task::Compile => compile_times(args, Part::Short, &Folder::beside_program()?),
        Task::CompileLong => compile_times(args, Part::Long, &Folder::of_report()),
        Task::CompileGames => compile_times(args, Part::Games, &Folder::of_report()),
        Task::CompileSource => match &args.source {
            Some(Source { library, count, folder }) => {
                compile::write_source(library, *count, folder).map_err(|error| error.to_string())
            }
            None => Err("which program?".into()),
        },
        Task::Report => {
            let folder = Folder::of_report();
            // figures of libraries that disagree are no comparison: they are not put on a page
            tables(args, &folder, "speed.json")?;
            if !args.is_narrowed() {
                sweep(args, &folder)?;
                compile_times(args, Part::Short, &folder)?;
            }
            pages(&folder)
        }
        Task::OtherProcessor => tables(args, &Folder::of_report(), OTHER_PROCESSOR),
        Task::DefaultSettings => {
            if env!("BENCH_PROFILE") != DEFAULT_SETTINGS {
                return Err(format!(
                    "this program has other settings: `cargo run --profile {DEFAULT_SETTINGS} -- --{DEFAULT_SETTINGS}`"
                ));
            }
            tables(args, &Folder::of_report(), DEFAULT_SETTINGS_FILE)
        }
        Task::Scale => {
            let written_to = Folder::of_report().save(SCALE, &scale::measure(args.quick))?;
            written(&written_to);
            Ok(())
        }
        Task::Render => pages(&Folder::of_report()),
        Task::Help => {
            println!(
                "Measures `ecs` beside hand-written arrays and its peers. Without options: all tables.\n{OPTIONS}"
            );
            Ok(())
        }
    }
}

/// The file of the figures of a second processor.
const OTHER_PROCESSOR: &str = "other-processor.json";
/// The profile with cargo's own settings.
const DEFAULT_SETTINGS: &str = "default-settings";
/// The file of the figures of this profile.
const DEFAULT_SETTINGS_FILE: &str = "default-settings.json";
/// The file of the figures of threads and many entities.
const SCALE: &str = "scale.json";

/// Measures all tables, and writes the figures to a file of the folder. A report of some workloads
/// keeps the earlier figures of the others.
fn tables(args: &Args, folder: &Folder, file: &str) -> Result<(), String> {
    let (suite, mut results) = begin(args);
    let effort = if args.quick { Effort::QUICK } else { Effort::FULL };
    for workload in ALL.iter().filter(|workload| args.measures(workload.name)) {
        for &count in workload.counts {
            measure(&suite, workload, count, effort, args, &mut results);
            match results.find(workload.name, count) {
                Some(row) => print!("{}", report::table(row)),
                None => println!("\n{}: none of these libraries has it", workload.name),
            }
        }
    }
    print!("{}", report::goals(&goals::judge(&results)));
    agreed(&results)?;
    if args.task == Task::Report && args.is_narrowed() {
        results = results.merged_into(folder.load(file)?);
    }
    written(&folder.save(file, &results)?);
    Ok(())
}

/// Measures all that there are plots of.
fn sweep(args: &Args, folder: &Folder) -> Result<Results, String> {
    let (suite, mut results) = begin(args);
    let effort = if args.quick { Effort::QUICK_SWEEP } else { Effort::SWEEP };
    for workload in ALL.iter().filter(|workload| workload.swept && args.measures(workload.name)) {
        for count in SWEEP_COUNTS {
            measure(&suite, workload, count, effort, args, &mut results);
        }
        print!("{}", report::sweep_table(&results, workload.name));
        // after each workload, since the next one may need more memory than there is
        written(&folder.save("sweep.json", &results)?);
    }
    agreed(&results)?;
    Ok(results)
}

/// Measures how long programs of a part take to compile, and keeps the earlier figures of tasks
/// that were not measured again.
fn compile_times(args: &Args, part: Part, folder: &Folder) -> Result<(), String> {
    let mut results =
        compile::measure(args.quick, part).map_err(|error| format!("compile times: {error}"))?;
    if let Some(earlier) = folder.load_if_there::<compile::Results>("compile.json")? {
        results = results.with(earlier);
    }
    compile::print(&results);
    written(&folder.save("compile.json", &results)?);
    Ok(())
}

/// Writes the pages, and the plots, from the figures in the folder.
fn pages(folder: &Folder) -> Result<(), String> {
    let speed: Results = folder.load("speed.json")?;
    let sweep: Option<Results> = folder.load_if_there("sweep.json")?;
    agreed(&speed)?;
    sweep.as_ref().map_or(Ok(()), agreed)?;
    let other: Option<Results> = folder.load_if_there(OTHER_PROCESSOR)?;
    other.as_ref().map_or(Ok(()), agreed)?;
    let default: Option<Results> = folder.load_if_there(DEFAULT_SETTINGS_FILE)?;
    default.as_ref().map_or(Ok(()), agreed)?;
    let scale: Option<scale::Scale> = folder.load_if_there(SCALE)?;
    let scale = scale.as_ref().map(scale::page);
    let compile_times: Option<compile::Results> = folder.load_if_there("compile.json")?;
    let compile_times = compile_times.as_ref().map(compile::page);
    if let Some(sweep) = &sweep {
        plots(sweep, folder)?;
    }
    written(&folder.write("summary.svg", &report::balance(&speed, other.as_ref())?)?);
    let sources = report::Sources {
        speed: &speed,
        sweep: sweep.as_ref(),
        other_processor: other.as_ref(),
        default_settings: default.as_ref(),
        scale: scale.as_deref(),
        compile_times: compile_times.as_deref(),
        tried: &report::Notes::read("TRIED.md")?,
        losses: &report::Notes::read("LOSSES.md")?,
    };
    report::check_losses(&sources)?;
    for page in report::pages(&sources) {
        written(&report::write_page(&page)?);
    }
    Ok(())
}

fn plots(sweep: &Results, folder: &Folder) -> Result<(), String> {
    for workload in sweep.workloads() {
        written(&folder.write(&format!("{workload}.svg"), &report::plot(sweep, workload)?)?);
    }
    Ok(())
}

fn begin(args: &Args) -> (Suite, Results) {
    (library::suite(), Results::new(args.quick, |library| args.takes(library)))
}

fn measure(
    suite: &Suite,
    workload: &Workload,
    count: u32,
    effort: Effort,
    args: &Args,
    results: &mut Results,
) {
    let takes = |library: &str| args.takes(library);
    results.rows.extend(suite.measure(workload, count, effort, takes));
}

fn written(path: &str) {
    println!("written to {path}");
}

fn agreed(results: &Results) -> Result<(), String> {
    let differing: Vec<_> = results.rows.iter().filter(|row| !row.agree()).map(name).collect();
    if differing.is_empty() {
        return Ok(());
    }
    Err(format!("the libraries computed different things in {}", differing.join("; ")))
}

fn name(row: &Row) -> String {
    format!("{}, {} entities", row.workload, report::count(row.entities))
}
