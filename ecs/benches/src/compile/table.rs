//! The figures as tables: for the terminal and as a page.

use super::goals::{Goal, judge};
use super::{COUNTS, Content, Figure, GAMES, OF_ONE_SIZE, Results, Task, leaf, median};

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
    for (task, count) in OF_ONE_SIZE {
        for (at, (title, figure)) in of_one_size(results, task, count).enumerate() {
            if at == 0 {
                println!("\n{}\n{:<16}{}", task.what(), "", columns(&heads(task)));
            }
            println!("{title:<16}{}", columns(&cells(task, figure)));
        }
    }
    for count in GAMES {
        for (at, (title, cells)) in games(results, count).enumerate() {
            if at == 0 {
                println!("\n{}", of_games(count));
                println!(
                    "{:<34}{}",
                    "processor time",
                    Task::OF_GAMES.map(|task| format!("{:>22}", task.name())).concat()
                );
            }
            println!("{title:<34}{}", cells.map(|cell| format!("{cell:>22}")).concat());
        }
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
    for (task, count) in OF_ONE_SIZE {
        for (at, (title, figure)) in of_one_size(results, task, count).enumerate() {
            if at == 0 {
                let heads = heads(task);
                page += &format!("\n## {}: {}\n\n", capital(task.name()), task.what());
                page += &row("", &heads);
                page += &format!("|---|{}\n", "---:|".repeat(heads.len()));
            }
            page += &row(&title, &cells(task, figure));
        }
    }
    for count in GAMES {
        for (at, (title, cells)) in games(results, count).enumerate() {
            if at == 0 {
                page += &format!("\n## {}\n\n", of_games(count));
                page +=
                    &row("seconds of processor time (least)", &Task::OF_GAMES.map(|task| task.name().into()));
                page += &format!("|---|{}\n", "---:|".repeat(Task::OF_GAMES.len()));
            }
            page += &row(&title, &cells);
        }
    }
    page += "\n## Goals\n\n| | goal |\n|---|---|\n";
    for Goal { met, text } in judge(results) {
        page += &row(verdict(met), &[text]);
    }
    page
}

/// The text above the tables.
fn measured(results: &Results) -> String {
    let rounds = |of_games: bool| {
        let figures = results.figures.iter().filter(|figure| (figure.content != Content::Numbers) == of_games);
        figures.map(|figure| figure.samples.len()).min()
    };
    let games = rounds(true).map_or_else(String::new, |rounds| format!(" Games: medians of {rounds}."));
    format!(
        "Programs with 50 to 400 components and as many systems, the same for all; {}, {} threads. Except for \
         the first build, dependencies are compiled before. Release is measured with 200 only, and the first build with 50; \
         both are measured in a run of their own. Medians of {}, with the minimum in brackets.{games} Goals are judged by medians, which include the \
         time that `cargo` takes before it calls the compiler.",
        results.compiler,
        results.threads,
        rounds(false).unwrap_or(0),
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

/// The libraries that were measured with a task of one size, and their figures.
fn of_one_size(results: &Results, task: Task, count: usize) -> impl Iterator<Item = (String, &Figure)> {
    leaf::ALL.into_iter().filter_map(move |leaf| {
        let figure = results.figure(leaf.entrant, count, task)?;
        Some((format!("{} {}", leaf.entrant, figure.version), figure))
    })
}

/// The heading of the table of games.
fn of_games(count: usize) -> String {
    format!(
        "A game with {count} components of three numbers, a text, a list and an option, and {count} systems: \
         without and with saving, loading and access by name; ecs also clones and hashes it"
    )
}

/// The measured games of a size, and the figures of their tasks.
fn games(results: &Results, count: usize) -> impl Iterator<Item = (String, [String; 5])> {
    let of_library = move |leaf: leaf::Leaf| {
        [(Content::Game, ""), (Content::SavedGame, ", saved")].into_iter().filter_map(
            move |(content, saved)| {
                let figure = |task| results.figure_of(leaf.entrant, count, content, task);
                let version = &Task::OF_GAMES.into_iter().find_map(figure)?.version;
                let of_game = |figure: &Figure| of_samples(&figure.processor);
                let cells = Task::OF_GAMES.map(|task| figure(task).map_or_else(|| "-".into(), of_game));
                Some((format!("{} {version}{saved}", leaf.entrant), cells))
            },
        )
    };
    leaf::ALL.into_iter().flat_map(of_library)
}

/// The heads of the columns for a task of one size.
fn heads(task: Task) -> Vec<String> {
    let processor = (task == Task::FirstBuild).then(|| "seconds of processor time (least)".into());
    ["seconds (least)".into()].into_iter().chain(processor).collect()
}

/// A figure in these columns.
fn cells(task: Task, figure: &Figure) -> Vec<String> {
    let processor = (task == Task::FirstBuild).then(|| of_samples(&figure.processor));
    [of_figure(figure)].into_iter().chain(processor).collect()
}

fn of_figure(figure: &Figure) -> String {
    of_samples(&figure.samples)
}

/// The median of ascending samples, and the least.
fn of_samples(samples: &[f64]) -> String {
    samples.first().map_or_else(|| "-".into(), |least| format!("{:.2} ({least:.2})", median(samples)))
}

fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "MISSED" }
}

/// The cells of a line for the terminal.
fn columns(cells: &[String]) -> String {
    cells.iter().map(|cell| format!("{cell:>36}")).collect()
}

fn row(title: &str, cells: &[String]) -> String {
    format!("| {title} | {} |\n", cells.join(" | "))
}

fn capital(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}
