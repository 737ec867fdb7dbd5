//! The crate that is compiled, as it is written for a library. To add a library: a file with a
//! `program` function, a module, and a line in [`ALL`].
//!
//! Here is what all programs share: what a component is, what a system computes, and how the result
//! is printed.

mod bevy;
mod ecs;
mod gecs;
mod hecs;

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use super::plan::{ENTITIES, Plan, System, TICKS, Third, initial};
use super::{Content, Size};
use crate::versions;

/// A library for which programs are written.
#[derive(Clone, Copy)]
pub(super) struct Leaf {
    /// As the report and `--compile-source` call it.
    pub(super) entrant: &'static str,
    pub(super) package: &'static str,
    /// The text of `main.rs`.
    program: fn(&Plan) -> String,
    /// What a saved game needs; without it the library cannot save.
    saving: Option<Saving>,
}

/// What the manifest of a saved game has.
#[derive(Clone, Copy)]
struct Saving {
    /// Features of the library.
    features: &'static str,
    dependencies: &'static str,
}

/// All of them, in the order of the report.
pub(super) const ALL: [Leaf; 4] = [
    Leaf { entrant: "ecs", package: "checked-ecs", program: ecs::program, saving: Some(ecs::SAVING) },
    Leaf { entrant: "gecs", package: "gecs", program: gecs::program, saving: None },
    Leaf { entrant: "hecs", package: "hecs", program: hecs::program, saving: Some(hecs::SAVING) },
    Leaf { entrant: "bevy", package: "bevy_ecs", program: bevy::program, saving: Some(bevy::SAVING) },
];

/// The features with which this program has hecs, since it measures saves. A program that saves
/// nothing would count them in its first build.
const HECS_SAVE_FEATURES: &str = ", features = [\"column-serialize\", \"row-serialize\"]";

const MANIFEST: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
const TOOLCHAIN: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rust-toolchain.toml"));

impl Leaf {
    /// The package and its program are called so.
    pub(super) fn name(size: Size) -> String {
        let Size { components, systems, content } = size;
        match content {
            Content::Numbers if components == systems => format!("leaf-{systems}"),
            Content::Numbers => format!("leaf-{components}-{systems}"),
            Content::Game => format!("game-{systems}"),
            Content::SavedGame => format!("saved-game-{systems}"),
        }
    }

    /// Whether there are such programs of this library.
    pub(super) fn has(self, content: Content) -> bool {
        content == Content::Numbers || self.saving.is_some()
    }

    /// Writes a crate that is a workspace of its own, with the compiler and the versions of this
    /// program.
    pub(super) fn write(self, size: Size, folder: &Path) -> io::Result<()> {
        let name = Self::name(size);
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{}\n\n\
             # The workspace ends here.\n[workspace]\n",
            self.dependencies(size.content),
        );
        std::fs::create_dir_all(folder.join("src"))?;
        std::fs::write(folder.join("Cargo.toml"), manifest)?;
        std::fs::write(folder.join("Cargo.lock"), versions::LOCK)?;
        std::fs::write(folder.join("rust-toolchain.toml"), TOOLCHAIN)?;
        self.write_program(&Plan::new(size, 0), folder)
    }

    /// Writes the program of a crate that is there.
    pub(super) fn write_program(self, plan: &Plan, folder: &Path) -> io::Result<()> {
        std::fs::write(folder.join("src/main.rs"), (self.program)(plan))
    }

    /// The dependencies of a program: the library with the version and the features that this
    /// program has it with, and for a saved game what saving needs.
    fn dependencies(self, content: Content) -> String {
        let saving = self.saving.filter(|_| content == Content::SavedGame);
        let features = saving.map_or("", |saving| saving.features);
        let library = if self.package == "checked-ecs" {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
            format!("checked-ecs = {{ path = {path:?}, features = [{features}] }}")
        } else {
            let start = format!("{} = ", self.package);
            let dependencies = MANIFEST.lines().skip_while(|line| *line != "[dependencies]");
            let mut lines = dependencies.take_while(|line| *line != "[lints]");
            let line =
                lines.find(|line| line.starts_with(&start)).expect("this program depends on each library");
            let line = line.replace(", optional = true", "").replace(HECS_SAVE_FEATURES, "");
            match line.rsplit_once(']') {
                _ if features.is_empty() => line,
                Some((listed, rest)) => format!("{listed}, {features}]{rest}"),
                None => line.replace(" }", &format!(", features = [{features}] }}")),
            }
        };
        format!("{library}\n{}", saving.map_or("", |saving| saving.dependencies))
    }
}

/// The declarations of all components.
fn components(plan: &Plan, attribute: &str) -> String {
    let component = |(i, numbers): (usize, &usize)| {
        let rest = if plan.content == Content::Numbers { "" } else { ", String, Vec<u32>, Option<u32>" };
        let fields = vec!["f32"; *numbers].join(", ") + rest;
        format!("{attribute}pub struct C{i}({fields});\n")
    };
    plan.components.iter().enumerate().map(component).collect()
}

/// The lines of a system that has `a`, `b` and maybe `c`.
fn body(plan: &Plan, system: &System, indent: &str) -> String {
    let third = if let Some(Third::Reads(_)) = system.third { " + c.0" } else { "" };
    let mut body = String::new();
    for n in 0..plan.components[system.writes] {
        let _ = writeln!(body, "{indent}a.{n} = a.{n} * 0.5 + b.0 * {}{third};", system.factor);
    }
    let _ = writeln!(body, "{indent}note(a.0);");
    body
}

/// For each kind of entity a loop, in which `spawn` makes the statement out of its number and its
/// components.
fn spawns(plan: &Plan, spawn: impl Fn(usize, &str) -> String) -> String {
    let of_kind = |(kind, components): (usize, &std::collections::BTreeSet<usize>)| {
        let values = |&component: &usize| {
            let numbers = (0..plan.components[component]).map(|n| format!("i + {}", initial(component, n)));
            let rest = if plan.content == Content::Numbers {
                ""
            } else {
                ", String::from(\"text\"), vec![1, 2, 3], Some(4)"
            };
            format!("C{component}({}{rest})", numbers.collect::<Vec<_>>().join(", "))
        };
        let values: Vec<String> = components.iter().map(values).collect();
        let spawn = spawn(kind, &format!("({})", values.join(", ")));
        format!("    for i in 0..{ENTITIES}_u8 {{\n        let i = f32::from(i);\n        {spawn}\n    }}\n")
    };
    plan.kinds.iter().enumerate().map(of_kind).collect()
}

/// A function that calls all systems, for libraries without schedules.
fn calls(plan: &Plan, world: &str) -> String {
    let call = |i| format!("    system_{i}(world);\n");
    let calls: String = (0..plan.systems.len()).map(call).collect();
    format!("fn tick(world: &mut {world}) {{\n{calls}}}\n")
}

/// The end of each program. What systems note goes to one number that no library knows of, so that
/// what they compute is seen without a query for each component, which would be twice as many
/// queries as are to be measured. `end` are statements after the last tick.
fn main(new: &str, tick: &str, end: &str) -> String {
    format!(
        "static SUM: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);\n\n\
         fn note(number: f32) {{\n    \
             SUM.fetch_add(number.to_bits().into(), std::sync::atomic::Ordering::Relaxed);\n\
         }}\n\n\
         fn main() {{\n    \
             {new}\n    \
             populate(&mut world);\n    \
             for _ in 0..{TICKS} {{\n        \
                 {tick}\n    \
             }}\n\
             {end}    \
             println!(\"{{:016x}}\", SUM.load(std::sync::atomic::Ordering::Relaxed));\n\
         }}\n"
    )
}
