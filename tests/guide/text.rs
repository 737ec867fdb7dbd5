//! Checks of the guide besides its programs: quotations of compile errors and of figures, links,
//! and the table of contents.
//!
//! After a compile error has changed, `GUIDE=overwrite cargo test -p ecs-guide --test text` writes
//! its quotations anew.

use std::fs;
use std::path::{Path, PathBuf};

const GUIDE: &str = "../../docs/guide/src";

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn chapter(name: &str) -> PathBuf {
    Path::new(GUIDE).join(name)
}

#[test]
fn every_chapter_is_in_the_summary_and_is_tested() {
    let summary = read(&chapter("SUMMARY.md"));
    let listed: Vec<&str> =
        summary.split("](").skip(1).map(|rest| rest.split(')').next().expect("a link ends")).collect();
    assert_eq!(
        listed,
        ecs_guide::CHAPTERS,
        "`SUMMARY.md` and `tests/guide/lib.rs` list the same chapters in one order"
    );
    for entry in fs::read_dir(GUIDE).expect("the guide is there") {
        let name = entry.expect("is readable").file_name().into_string().expect("is plain text");
        assert!(
            name == "SUMMARY.md" || !name.ends_with(".md") || listed.contains(&name.as_str()),
            "`SUMMARY.md` does not list `{name}`"
        );
    }
}

#[test]
fn the_introduction_lists_the_chapters_of_the_summary() {
    let entries = |file: &str| -> Vec<String> {
        read(&chapter(file))
            .lines()
            .filter(|line| line.starts_with("- [") && line.ends_with(".md)"))
            .map(str::to_owned)
            .collect()
    };
    let (summary, introduction) = (entries("SUMMARY.md"), entries("README.md"));
    assert!(introduction.starts_with(&summary), "{introduction:#?}");
}

#[test]
fn every_chapter_leads_to_the_next() {
    for pair in ecs_guide::CHAPTERS.windows(2) {
        let last = read(&chapter(pair[0])).lines().last().map(|line| links(line).eq([pair[1]]));
        assert_eq!(last, Some(true), "the last line of `{}` links to `{}`", pair[0], pair[1]);
    }
}

/// The targets of the links in a line: `[text](target)`, and `[name]: target` for a whole line.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let defined = line.strip_prefix('[').and_then(|rest| rest.split_once("]: ")).map(|(_, target)| target);
    line.split("](").skip(1).filter_map(|rest| rest.split(')').next()).chain(defined)
}

#[test]
fn links_lead_to_files_and_headings() {
    let names = ecs_guide::CHAPTERS.iter().chain(&["SUMMARY.md"]);
    for name in names {
        let mut code = false;
        for line in read(&chapter(name)).lines() {
            code ^= line.starts_with("```");
            for link in links(line).filter(|link| !code && !link.starts_with("http")) {
                let (file, heading) = link.split_once('#').unwrap_or((link, ""));
                let target = chapter(if file.is_empty() { name } else { file });
                assert!(target.exists(), "{name}: `{link}` leads nowhere");
                assert!(
                    heading.is_empty() || headings(&target).contains(&heading.to_owned()),
                    "{name}: no heading `{link}`"
                );
            }
        }
    }
}

/// The anchors of a file's headings, as git hosts and mdBook generate them.
fn headings(file: &Path) -> Vec<String> {
    let anchor = |heading: &str| {
        let kept = heading.to_lowercase().replace(' ', "-");
        kept.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect()
    };
    read(file)
        .lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| anchor(line.trim_start_matches('#').trim()))
        .collect()
}

#[test]
fn every_block_of_code_names_its_language() {
    for name in ecs_guide::CHAPTERS {
        let mut open = false;
        for (number, line) in read(&chapter(name)).lines().enumerate() {
            if line.trim_start().starts_with("```") {
                open = !open;
                let language = line.trim().trim_start_matches('`');
                assert!(!open || !language.is_empty(), "{name}:{}: rustdoc would run this block", number + 1);
            }
        }
        assert!(!open, "{name}: a block of code does not end");
        assert!(
            !read(&chapter(name)).contains("```text\n```"),
            "{name}: a quotation without a link to its `.stderr` in the line above it"
        );
    }
}

/// A block of text is a quotation if the line before it, but for empty ones, links to a `.stderr`
/// file.
#[test]
fn quoted_compile_errors_are_those_of_the_cases() {
    let mut quotations = 0;
    for name in ecs_guide::CHAPTERS {
        let old = read(&chapter(name));
        let (new, count) = with_quotations(&old);
        quotations += count;
        if std::env::var("GUIDE").is_ok_and(|mode| mode == "overwrite") {
            // the other tests read the chapters meanwhile
            if old != new {
                fs::write(chapter(name), new).expect("can be written");
            }
        } else if let Some((old, new)) = old.lines().zip(new.lines()).find(|(old, new)| old != new) {
            panic!(
                "{name} quotes\n{old}\nand the case has\n{new}\n\
                 `GUIDE=overwrite cargo test -p ecs-guide --test text` writes the quotations anew"
            );
        } else {
            assert_eq!(old, new, "{name}: a quotation is too long or too short");
        }
    }
    assert!(quotations > 10, "the guide has {quotations} quotations: are their links found?");
}

/// A chapter with updated quotations, and their number.
fn with_quotations(chapter: &str) -> (String, usize) {
    let (mut new, mut count, mut case) = (String::new(), 0, None);
    let mut lines = chapter.lines();
    while let Some(line) = lines.next() {
        new += line;
        new.push('\n');
        if line == "```text"
            && let Some(case) = case
        {
            new += &quotation(&read(&Path::new(GUIDE).join(case)));
            new += "```\n";
            count += 1;
            lines.find(|line| *line == "```").expect("a block of code ends");
        }
        if !line.is_empty() {
            case = links(line).find(|link| link.ends_with(".stderr"));
        }
    }
    (new, count)
}

/// The first message of a case. `...` replaces the parts about the inside of the library.
fn quotation(message: &str) -> String {
    const INSIDE: [&str; 8] = [
        "the trait `",
        "the following other types",
        "for that trait implementation",
        "required for `",
        "required by a bound in",
        "redundant requirement",
        "this error originates in",
        "duplicate diagnostic",
    ];
    let begins = |line: &str| {
        let words = line.trim_start().trim_start_matches("= ");
        words.starts_with("note: ") || words.starts_with("help: ")
    };
    let (mut quoted, mut inside) = (String::new(), false);
    for line in message.split("\n\n").next().unwrap_or_default().lines() {
        let names_a_system = line.contains("to implement `ecs::System<");
        let left_out = if begins(line) {
            !names_a_system && INSIDE.iter().any(|part| line.contains(part))
        } else {
            inside
        };
        if left_out && !inside {
            quoted += "   ...\n";
        }
        if !left_out {
            quoted += line;
            quoted.push('\n');
        }
        inside = left_out;
    }
    quoted
}

/// Rust that is not compiled is part of a program that does not compile: its lines stand in the
/// case that is quoted below it, in this order. The programs of other libraries are an exception.
#[test]
fn refused_programs_are_parts_of_the_cases() {
    for name in ecs_guide::CHAPTERS.iter().filter(|name| **name != "coming-from.md") {
        let text = read(&chapter(name));
        for block in text.split("```rust,ignore\n").skip(1) {
            let (program, rest) = block.split_once("\n```\n").expect("a block of code ends");
            let below = rest.lines().find(|line| !line.is_empty()).unwrap_or_default();
            let link = links(below).find(|link| link.ends_with(".stderr"));
            let link = link.unwrap_or_else(|| panic!("{name}: no message is quoted below\n{program}"));
            let case = read(&Path::new(GUIDE).join(link).with_extension("rs"));
            let mut lines = case.lines();
            for line in program.lines().filter(|line| !line.trim().is_empty() && line.trim() != "// ..") {
                assert!(
                    lines.any(|other| other == line),
                    "{name}: `{line}` is not in the program of `{link}`, or in another order"
                );
            }
        }
    }
}

/// Figures in tables are those of the report: between two comments, the cells of each row are cells
/// of one row of the report, except for a description in the last one.
#[test]
fn quoted_figures_are_those_of_the_report() {
    let pages = ["tables", "losses", "goals", "compile"]
        .map(|page| read(Path::new(&format!("../../ecs/benches/report/{page}.md"))));
    let rows: Vec<Vec<&str>> = pages.iter().flat_map(|page| page.lines()).map(cells).collect();
    for name in ecs_guide::CHAPTERS {
        let text = read(&chapter(name));
        for figures in text.split("<!-- figures -->").skip(1) {
            let (figures, _) = figures.split_once("<!-- end of figures -->").expect("the figures end");
            for line in figures.lines().filter(|line| line.contains(|c: char| c.is_ascii_digit())) {
                let mut quoted = cells(line);
                quoted.pop_if(|last| last.contains(char::is_alphabetic));
                let is_quoted = rows.iter().any(|row| quoted.iter().all(|cell| row.contains(cell)));
                let is_heading = quoted.first().is_some_and(|first| first.is_empty());
                assert!(is_quoted || is_heading, "{name}: no row of the report has the figures of\n{line}");
            }
        }
    }
}

/// The cells of a row of a table.
fn cells(row: &str) -> Vec<&str> {
    row.trim_matches('|').split('|').map(str::trim).collect()
}
