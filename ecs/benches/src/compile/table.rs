//! The figures as tables: for the terminal and as a page.

use super::goals::{Goal, judge};
use super::{COUNTS, FIRST, Figure, MANY, RELEASE, Results, SCHEDULERS, Task, leaf, median};

/// Two sizes whose ratio says how a figure grows.
const GROWTHS: [[usize; 2]; 2] = [[200, 100], [400, 200]];

/// Prints a table for each task, and the goals.
pub(crate) fn print(results: &Results) {
    println!("\n{}", measured(results));
    for task in Task::ALL {
        println!("\n{}", task.what());
        print!("{:<16}", "seconds (least)");
        COUNTS.iter().for_each(|count| print!("{count:>16}"));
        GROWTHS.iter().for_each(|[many, few]| print!("{:>12}", format!("{many} : {few}")));
        println!();
        for line in lines(results, task) {
            print!("{:<16}", line.title);
            line.figures.iter().for_each(|figure| print!("{figure:>16}"));
            line.growths.iter().for_each(|growth| print!("{growth:>12}"));
            println!();
        }
    }
    println!("\n{}", Task::Release.what());
    for (title, figure) in one(results, Task::Release, RELEASE) {
        println!("{title:<16}{:>16}", of_figure(figure));
    }
    println!("\n{}", Task::FirstBuild.what());
    println!("{:<16}{:>16}{:>16}", "seconds (least)", "elapsed", "processor");
    for (title, figure) in one(results, Task::FirstBuild, FIRST) {
        println!("{title:<16}{:>16}{:>16}", of_figure(figure), of_processor(figure));
    }
    println!("\n{}", Task::CheckMany.what());
    for (title, figure) in many(results) {
        println!("{title:<16}{figure:>16}");
    }
    println!("\nGoals, those missed first");
    for Goal { met, text } in judge(results) {
        println!("{:<8}{text}", verdict(met));
    }
}

/// The tables of compile times in Markdown, with a heading of the first level.
pub(crate) fn page(results: &Results) -> String {
    let mut page = format!("# Compile time\n\n{}\n", measured(results));
    for task in Task::ALL {
        let sizes = COUNTS.map(|count| count.to_string());
        let growths = GROWTHS.map(|[many, few]| format!("{many} : {few}"));
        page += &format!("\n## {}: {}\n\n", capital(task.name()), task.what());
        page += &row("seconds (least)", &[&sizes[..], &growths[..]].concat());
        page += &format!("|---|{}\n", "---:|".repeat(sizes.len() + growths.len()));
        for line in lines(results, task) {
            page += &row(&line.title, &[line.figures, line.growths].concat());
        }
    }
    page += &format!("\n## {}: {}\n\n", capital(Task::Release.name()), Task::Release.what());
    page += "| | seconds (least) |\n|---|---:|\n";
    for (title, figure) in one(results, Task::Release, RELEASE) {
        page += &row(&title, &[of_figure(figure)]);
    }
    page += &format!("\n## {}: {}\n\n", capital(Task::FirstBuild.name()), Task::FirstBuild.what());
    page += "| | seconds (least) | seconds of processor time (least) |\n|---|---:|---:|\n";
    for (title, figure) in one(results, Task::FirstBuild, FIRST) {
        page += &row(&title, &[of_figure(figure), of_processor(figure)]);
    }
    page += &format!("\n## {}: {}\n\n", capital(Task::CheckMany.name()), Task::CheckMany.what());
    page += "| | seconds (least) |\n|---|---:|\n";
    for (title, figure) in many(results) {
        page += &row(&title, &[figure]);
    }
    page += "\n## Goals\n\n| | goal |\n|---|---|\n";
    for Goal { met, text } in judge(results) {
        page += &row(verdict(met), &[text]);
    }
    page
}

/// The text above the tables.
fn measured(results: &Results) -> String {
    format!(
        "Programs with 50 to 400 components and as many systems, the same for all; {}, {} threads. Except for \
         the first build, dependencies are compiled before. Release is measured with 200 only, and the first build with 50, so \
         that all of it takes less than half an hour. Medians of {}, with the minimum in brackets. Goals are judged by medians, which include the \
         time that `cargo` takes before it calls the compiler.",
        results.compiler,
        results.threads,
        results.figures.iter().map(|figure| figure.samples.len()).min().unwrap_or(0),
    )
}

/// One library's part in a table.
struct Line {
    title: String,
    figures: Vec<String>,
    growths: Vec<String>,
}

fn lines(results: &Results, task: Task) -> impl Iterator<Item = Line> {
    leaf::ALL.into_iter().filter_map(move |leaf| {
        let library = leaf.entrant;
        let version = &results.figures.iter().find(|figure| figure.entrant == library)?.version;
        let figure = |count| results.figure(library, count, task).map_or_else(|| "-".into(), of_figure);
        let growth = |[many, few]: [usize; 2]| {
            let [many, few] = [many, few].map(|count| results.median(library, count, task));
            many.zip(few).map_or_else(|| "-".into(), |(many, few)| format!("{:.2}", many / few))
        };
        Some(Line {
            title: format!("{library} {version}"),
            figures: COUNTS.map(figure).into(),
            growths: GROWTHS.map(growth).into(),
        })
    })
}

/// The libraries that have many systems in a schedule, and their figures.
fn many(results: &Results) -> impl Iterator<Item = (String, String)> {
    SCHEDULERS.into_iter().filter_map(|library| {
        let figure = results.figure(library, MANY.systems, Task::CheckMany)?;
        Some((format!("{library} {}", figure.version), of_figure(figure)))
    })
}

/// All libraries, with their figure of a task that is measured with one size.
fn one(results: &Results, task: Task, count: usize) -> impl Iterator<Item = (String, &Figure)> {
    leaf::ALL.into_iter().filter_map(move |leaf| {
        let figure = results.figure(leaf.entrant, count, task)?;
        Some((format!("{} {}", leaf.entrant, figure.version), figure))
    })
}

fn of_processor(figure: &Figure) -> String {
    match figure.processor.first() {
        Some(least) => format!("{:.2} ({least:.2})", median(&figure.processor)),
        None => "-".into(),
    }
}

fn of_figure(figure: &Figure) -> String {
    format!("{:.2} ({:.2})", figure.median(), figure.minimum())
}

fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "MISSED" }
}

fn row(title: &str, cells: &[String]) -> String {
    format!("| {title} | {} |\n", cells.join(" | "))
}

fn capital(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}
