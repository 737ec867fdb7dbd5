//! [`Inspector`]: the state of the user interface. It holds no reference to a world: each call gets
//! one.

use std::collections::VecDeque;

use ecs::Entity;
use ecs::reflect::{AllowList, DynamicValue, ReflectError, ReflectMut, ReflectRef, ReflectWorld, SystemInfo};

#[cfg(feature = "terminal")]
use crate::console::Console;
use crate::history::Past;
use crate::matrix::Matrix;
use crate::pace::{Pace, StepCursor};
use crate::tree::Tree;
use crate::undo::Change;
use crate::value::ValueLine;

/// A view of an [`Inspector`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum View {
    /// The matrix of entities and components.
    #[default]
    Entities,
    /// The tree of a relation.
    Relations,
    /// Schedules and systems.
    Systems,
    /// Resources and events.
    Resources,
    /// Components.
    Components,
    /// Aspects and prefabs.
    Content,
    /// The runs of the program, if the inspector has a history: the last of the views.
    History,
}

impl View {
    pub(crate) const ALL: [Self; 7] = [
        Self::Entities,
        Self::Relations,
        Self::Systems,
        Self::Resources,
        Self::Components,
        Self::Content,
        Self::History,
    ];

    /// The title of the view.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Entities => "Entities",
            Self::Relations => "Relations",
            Self::Systems => "Systems",
            Self::Resources => "Resources",
            Self::Components => "Components",
            Self::Content => "Content",
            Self::History => "History",
        }
    }
}

/// A value that is shown all the time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Watch {
    /// The entity; `None` for a resource.
    pub(crate) entity: Option<Entity>,
    pub(crate) path: String,
}

/// The position in a list of lines.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Cursor {
    pub(crate) at: usize,
    pub(crate) top: usize,
}

impl Cursor {
    /// Moves within `count` lines.
    pub(crate) fn go(&mut self, step: isize, count: usize) {
        self.at = self.at.saturating_add_signed(step).min(count.saturating_sub(1));
    }

    /// The lines of a picture, which include the cursor.
    pub(crate) fn visible(&mut self, count: usize, height: usize) -> std::ops::Range<usize> {
        self.at = self.at.min(count.saturating_sub(1));
        self.top = self.top.min(self.at).max((self.at + 1).saturating_sub(height));
        self.top.min(count)..self.top.saturating_add(height).min(count)
    }
}

/// The message in the status line.
#[derive(Clone, Default, Debug)]
pub(crate) struct Status {
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

/// A terminal inspector. See the [crate](crate) for the keys and a loop that uses it.
///
/// ```
/// use ecs::prelude::*;
/// use ecs_inspect::{Inspector, Pace};
/// use ecs_inspect::ratatui::{Terminal, backend::TestBackend};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Component, Serialize, Deserialize)] struct Health { now: u32 }
/// # world! { #[derive(Reflect)] struct Game { components { Health } } }
/// let mut game = Game::new();
/// let wolf = game.spawn(Health { now: 3 });
///
/// let mut inspector = Inspector::new();
/// let mut terminal = Terminal::new(TestBackend::new(80, 20))?;
/// terminal.draw(|frame| inspector.draw(frame, &game))?;
/// inspector.run_command("set Health.now = 7", &mut game)?;
/// assert_eq!(game.get(wolf).map(|health: &Health| health.now), Some(7));
/// assert_eq!(inspector.pace(), Pace::Run);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default, Debug)]
pub struct Inspector {
    pub(crate) view: View,
    #[cfg(feature = "terminal")]
    pub(crate) console: Console,
    pub(crate) is_typing: bool,
    pub(crate) is_help: bool,
    pub(crate) is_closed: bool,
    pub(crate) is_paused: bool,
    /// Whether the keys move in the values of the chosen entity, and not in the view.
    pub(crate) in_values: bool,
    /// The number of ticks that the user asks for.
    pub(crate) ticks: usize,
    pub(crate) steps: StepCursor,
    pub(crate) status: Status,
    pub(crate) chosen: Option<Entity>,
    pub(crate) matrix: Matrix,
    pub(crate) tree: Tree,
    pub(crate) systems: Cursor,
    pub(crate) resources: Cursor,
    pub(crate) components: Cursor,
    pub(crate) content: Cursor,
    pub(crate) values: Cursor,
    pub(crate) help: Cursor,
    pub(crate) pins: Vec<Entity>,
    pub(crate) watches: Vec<Watch>,
    pub(crate) groups: VecDeque<(String, Vec<(String, DynamicValue)>)>,
    pub(crate) label: Option<String>,
    /// The changes that can be taken back, the last one at the end.
    pub(crate) changes: VecDeque<Change>,
    /// The changes that were taken back, the last one at the end.
    pub(crate) undone: Vec<Change>,
    pub(crate) past: Past,
    allow: AllowList,
}

impl Inspector {
    /// An inspector that shows everything that is not hidden. The world is not paused.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Shows and changes only what a list allows. If the list is read-only, the user cannot pause the
    /// program, let it run, or go back in its history either.
    ///
    /// ```
    /// use ecs::reflect::AllowList;
    /// use ecs_inspect::Inspector;
    ///
    /// let inspector = Inspector::new().restrict(AllowList::new().read_only());
    /// ```
    #[must_use]
    pub fn restrict(self, list: AllowList) -> Self {
        Self { allow: list, ..self }
    }

    /// Names a set of components with values. `spawn`, `add` and `remove` accept the name like that
    /// of an aspect.
    ///
    /// ```
    /// use ecs_inspect::Inspector;
    ///
    /// let inspector = Inspector::new().group("Body", [("Health", 10.into()), ("Frozen", ().into())]);
    /// ```
    #[must_use]
    pub fn group<N: Into<String>>(
        mut self,
        name: impl Into<String>,
        components: impl IntoIterator<Item = (N, DynamicValue)>,
    ) -> Self {
        let components = components.into_iter().map(|(name, value)| (name.into(), value)).collect();
        self.add_group(&name.into(), components);
        self
    }

    pub(crate) fn add_group(&mut self, name: &str, components: Vec<(String, DynamicValue)>) {
        self.groups.retain(|(known, _)| known != name);
        self.groups.push_back((name.to_owned(), components));
    }

    /// Shows a part of a component beside the ids of entities, for instance `"Name"`.
    #[must_use]
    pub fn label(self, path: impl Into<String>) -> Self {
        Self { label: Some(path.into()), ..self }
    }

    /// The inspector begins with a paused world.
    #[must_use]
    pub fn paused(mut self) -> Self {
        self.is_paused = true;
        self
    }

    /// Whether the user has closed the inspector.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Opens the inspector again, with the same views and watches.
    pub fn open(&mut self) {
        self.is_closed = false;
    }

    /// The view that is shown.
    #[must_use]
    pub fn view(&self) -> View {
        self.view
    }

    /// The chosen entity.
    #[must_use]
    pub fn chosen(&self) -> Option<Entity> {
        self.chosen
    }

    /// Whether the program runs its next tick. Each tick that the user asks for in a paused world
    /// is returned once, as [`Pace::Step`].
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// use ecs_inspect::{Inspector, Pace};
    /// # world! { #[derive(Reflect)] struct Game {} schedule turn { think } }
    /// # #[system(Game)] fn think() {}
    /// let mut game = Game::new();
    /// let mut inspector = Inspector::new().paused();
    /// assert_eq!(inspector.pace(), Pace::Wait);
    /// inspector.run_command("tick", &mut game)?;
    /// assert_eq!((inspector.pace(), inspector.pace()), (Pace::Step, Pace::Wait));
    /// # Ok::<(), String>(())
    /// ```
    pub fn pace(&mut self) -> Pace {
        match (self.is_paused, self.ticks) {
            (false, _) => Pace::Run,
            (true, 0) => Pace::Wait,
            (true, _) => {
                self.ticks -= 1;
                Pace::Step
            }
        }
    }

    pub(crate) fn pause(&mut self, on: bool) {
        self.is_paused = on;
        if !on {
            self.ticks = 0;
        }
    }

    /// Executes a line of the console, and returns its message. [`COMMANDS`](crate::COMMANDS) lists
    /// the commands.
    ///
    /// # Errors
    /// If the line is not a command, or the world refuses the change. The world is unchanged then,
    /// unless a system has failed.
    ///
    /// # Panics
    /// If a system of a schedule that the line runs panics.
    pub fn run_command(&mut self, line: &str, world: &mut dyn ReflectWorld) -> Result<String, String> {
        self.run_line(line, &mut world.reflect_mut())
    }

    /// [`run_command`](Self::run_command) through a handle.
    pub(crate) fn run_line(&mut self, line: &str, world: &mut ReflectMut<'_>) -> Result<String, String> {
        let mut handle = world.reborrow().restrict(&self.allow).map_err(|error| error.to_string())?;
        if handle.is_read_only() && crate::verbs::changes_pace(line) {
            let command = crate::verbs::split_word(line).0;
            return Err(format!("`{command}` changes how the program runs: this inspector is read-only"));
        }
        if self.chosen.is_none() {
            self.chosen = handle.entities(None, 1).first().copied();
        }
        let answer = self.execute(line, &mut handle);
        if crate::verbs::changes_world(line) {
            self.matrix.is_stale = true;
        }
        self.tree.is_stale = true;
        answer
    }

    /// The handle that the allow list leaves: to read what the inspector shows.
    ///
    /// # Errors
    /// If the allow list names something that the world does not have.
    pub fn reader<'w>(&self, world: ReflectRef<'w>) -> Result<ReflectRef<'w>, ReflectError> {
        world.restrict(&self.allow)
    }

    pub(crate) fn say(&mut self, answer: Result<String, String>) {
        self.status = match answer {
            Ok(text) => Status { text, is_error: false },
            Err(text) => Status { text, is_error: true },
        };
    }

    /// Moves the cursor of the matrix to the chosen entity, if it is one of the rows.
    pub(crate) fn follow_chosen(&mut self, world: &ReflectRef<'_>) {
        if let Some(entity) = self.chosen.filter(|entity| world.contains(*entity)) {
            self.matrix.go_to(entity);
        }
    }

    /// The system in the line of the cursor.
    pub(crate) fn system_at_cursor(&self, world: &ReflectRef<'_>) -> Option<SystemInfo> {
        world.systems().into_iter().nth(self.systems.at)
    }

    /// The lines of the chosen entity's values.
    pub(crate) fn value_lines(&self, world: &ReflectRef<'_>) -> Vec<ValueLine> {
        let Some(entity) = self.chosen else { return Vec::new() };
        let values = world.read_all(entity).unwrap_or_default();
        values.iter().flat_map(|(name, value)| crate::value::lines_of(name, value)).collect()
    }

    /// The lines of the resources' values.
    pub(crate) fn resource_lines(&self, world: &ReflectRef<'_>) -> Vec<ValueLine> {
        let mut lines = Vec::new();
        for info in world.resources() {
            match world.read_resource(info.name) {
                Ok(value) => lines.extend(crate::value::lines_of(info.name, &value)),
                Err(error) => lines.push(ValueLine {
                    path: info.name.to_owned(),
                    label: info.name.to_owned(),
                    depth: 0,
                    text: Some(error.to_string()),
                }),
            }
        }
        lines
    }
}
