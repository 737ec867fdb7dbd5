//! [`WorldPicture`]: the graphs of a world, and the command that draws them.

use std::error::Error;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ecs::aspect::{Aspect, AspectGraph};
use ecs::component::{ComponentGraph, component_graph};
use ecs::schedule::ScheduleGraph;
use ecs::{Schedules, World};

/// The graphs of a world, which are drawn as [SVG](Self::svg) and as [DOT](Self::dot).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorldPicture {
    schedules: ScheduleGraph,
    components: ComponentGraph,
    aspects: AspectGraph,
}

/// The subject of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// The schedules: stages, waves, and which system waits for which.
    Schedules,
    /// The components, resources and events that each system reads, writes and filters by.
    Access,
    /// The components: rules, required and excluded components, relations.
    Components,
    /// The aspects: see [`WorldPicture::aspect`].
    Aspects,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Schedules, Self::Access, Self::Components, Self::Aspects];

    /// The name of the kind, which is that of its file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Schedules => "schedules",
            Self::Access => "access",
            Self::Components => "components",
            Self::Aspects => "aspects",
        }
    }
}

impl WorldPicture {
    /// The graphs of a world's schedules and components.
    #[must_use]
    pub fn of<W: World>(world: &W) -> Self {
        let (schedules, components) = (world.schedule_graph(), component_graph::<W>());
        Self { schedules, components, aspects: AspectGraph::default() }
    }

    /// Adds an aspect and the aspects in it. A world does not list its aspects.
    #[must_use]
    pub fn aspect<A: Aspect>(self) -> Self {
        Self { aspects: self.aspects.and::<A>(), ..self }
    }

    /// Draws a picture as SVG.
    #[must_use]
    pub fn svg(&self, kind: Kind) -> String {
        match kind {
            Kind::Schedules => super::schedules::schedules(&self.schedules),
            Kind::Access => super::access::access(&self.schedules),
            Kind::Components => super::components::components(&self.components),
            Kind::Aspects => super::aspects::aspects(&self.aspects),
        }
    }

    /// Returns a picture as text for Graphviz.
    #[must_use]
    pub fn dot(&self, kind: Kind) -> String {
        match kind {
            Kind::Schedules => self.schedules.to_dot(),
            Kind::Access => self.schedules.to_access_dot(),
            Kind::Components => self.components.to_dot(),
            Kind::Aspects => self.aspects.to_dot(),
        }
    }

    /// The command of a program that draws its world. Its arguments are one of
    ///
    /// - `--svg KIND`, `--dot KIND`: prints a picture; the kind is `schedules`, `access`,
    ///   `components` or `aspects`,
    /// - `--into FOLDER`: writes all pictures as `FOLDER/KIND.svg` and `FOLDER/KIND.dot`,
    /// - `--check FOLDER`: compares these files with the world,
    ///
    /// and without arguments it prints this list. A world without aspects has no files for them.
    ///
    /// # Errors
    /// If an argument is unknown, a file cannot be read or written, or `--check` finds a file that
    /// differs.
    pub fn command(&self, arguments: impl IntoIterator<Item = String>) -> Result<(), CommandError> {
        let mut arguments = arguments.into_iter();
        // no arguments: print the list; one or more than two: an error
        let (Some(form), value) = (arguments.next(), arguments.next()) else {
            return print(USAGE);
        };
        let value = value.ok_or_else(|| CommandError::Argument(form.clone()))?;
        if let Some(other) = arguments.next() {
            return Err(CommandError::Argument(other));
        }
        // an unknown kind is an error only for the options that take one
        let kind = || {
            let found = Kind::ALL.into_iter().find(|kind| kind.name() == value);
            found.ok_or_else(|| CommandError::Argument(value.clone()))
        };
        match form.as_str() {
            "--svg" => print(&self.svg(kind()?)),
            "--dot" => print(&self.dot(kind()?)),
            "--into" => self.write_into(Path::new(&value)),
            "--check" => self.check(Path::new(&value)),
            _ => Err(CommandError::Argument(form)),
        }
    }

    /// The names and contents of all files.
    fn files(&self) -> impl Iterator<Item = (String, String)> + '_ {
        let drawn = Kind::ALL.into_iter();
        let drawn = drawn.filter(|kind| *kind != Kind::Aspects || !self.aspects.nodes.is_empty());
        drawn.flat_map(|kind| {
            let name = kind.name();
            [(format!("{name}.svg"), self.svg(kind)), (format!("{name}.dot"), self.dot(kind))]
        })
    }

    /// Writes all pictures into a folder, which is made if it does not exist.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write_into(&self, folder: &Path) -> Result<(), CommandError> {
        let failed = |file: &Path| {
            let file = file.to_owned();
            move |error| CommandError::File(file, error)
        };
        fs::create_dir_all(folder).map_err(failed(folder))?;
        for (name, content) in self.files() {
            let file = folder.join(name);
            fs::write(&file, content).map_err(failed(&file))?;
        }
        Ok(())
    }

    /// Compares the files of a folder with the world, as a test does.
    ///
    /// # Errors
    /// If a file differs, or cannot be read.
    pub fn check(&self, folder: &Path) -> Result<(), CommandError> {
        for (name, content) in self.files() {
            let file = folder.join(name);
            let known = fs::read_to_string(&file).map_err(|error| CommandError::File(file.clone(), error))?;
            // files of a checkout may have other ends of lines
            if known.replace("\r\n", "\n") != content {
                return Err(CommandError::Differs(file));
            }
        }
        Ok(())
    }
}

const USAGE: &str = "\
--svg KIND      print a picture: schedules, access, components or aspects
--dot KIND      print it as text for Graphviz
--into FOLDER   write all pictures into a folder
--check FOLDER  fail if the pictures in a folder differ from the world
";

fn print(text: &str) -> Result<(), CommandError> {
    io::stdout()
        .write_all(text.as_bytes())
        .map_err(|error| CommandError::File("standard output".into(), error))
}

/// The error of [`WorldPicture::command`].
#[derive(Debug)]
#[non_exhaustive]
pub enum CommandError {
    /// An argument is unknown, or lacks its value.
    Argument(String),
    /// A file cannot be read or written.
    File(PathBuf, io::Error),
    /// A file differs from the world.
    Differs(PathBuf),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument(argument) => {
                write!(f, "unknown or incomplete argument `{argument}`; the arguments are\n{USAGE}")
            }
            Self::File(file, error) => write!(f, "{}: {error}", file.display()),
            Self::Differs(file) => {
                write!(f, "{} differs from the world: write it anew with `--into`", file.display())
            }
        }
    }
}

impl Error for CommandError {}
