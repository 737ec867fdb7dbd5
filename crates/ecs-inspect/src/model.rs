//! The parts of the model besides the lines of the console: the rows of the entities, the tree, the
//! message. The views of the terminal and those of a window read the same.

use std::ops::Range;

use ecs::Entity;
use ecs::reflect::{ComponentInfo, DynamicValue, ReflectError, ReflectMut, ReflectRef};

use crate::complete;
use crate::inspector::{Inspector, Status, View};
use crate::pace::StepCursor;
use crate::tree::{self, TreeRow};
use crate::value::{parse, short};

/// The longest label of an entity, in characters.
const LONGEST_LABEL: usize = 32;

/// A user interface of its own: see `checked-ecs-inspect-egui`. A handle that
/// [`reader`](Self::reader) returns has what the inspector shows.
impl Inspector {
    /// Executes a line of the console, and keeps its message.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::reflect::ReflectWorld;
    /// use ecs_inspect::Inspector;
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Serialize, Deserialize)] struct Health { now: u32 }
    /// # world! { #[derive(Reflect)] struct Game { components { Health } } }
    /// let mut game = Game::new();
    /// let wolf = game.spawn(Health { now: 3 });
    /// let mut inspector = Inspector::new();
    /// inspector.choose(wolf);
    /// inspector.enter("set Health.now = 7", &mut game.reflect_mut());
    /// assert_eq!(inspector.message(), Ok(&*format!("set Health.now of {wolf}")));
    /// inspector.enter("set Health.now = many", &mut game.reflect_mut());
    /// assert!(inspector.message().is_err());
    /// assert_eq!(game.get(wolf).map(|health: &Health| health.now), Some(7));
    /// ```
    ///
    /// # Panics
    /// As [`run_command`](Self::run_command).
    pub fn enter(&mut self, line: &str, world: &mut ReflectMut<'_>) {
        let answer = self.run_line(line, world);
        self.say(answer);
    }

    /// The same as [`enter`](Self::enter), but `undo` takes the change and the one before it back
    /// together, if both are of the same entities or the same resource: for a value that is dragged.
    ///
    /// # Panics
    /// As [`run_command`](Self::run_command).
    pub fn enter_more(&mut self, line: &str, world: &mut ReflectMut<'_>) {
        self.enter(line, world);
        if !self.status.is_error {
            self.join_changes();
        }
    }

    /// The message of the last line: an error if the line has failed.
    ///
    /// # Errors
    /// The error of the last line.
    pub fn message(&self) -> Result<&str, &str> {
        let Status { text, is_error } = &self.status;
        if *is_error { Err(text) } else { Ok(text) }
    }

    /// Shows a view.
    pub fn show(&mut self, view: View) {
        self.view = view;
        self.in_values = false;
    }

    /// Chooses an entity.
    pub fn choose(&mut self, entity: Entity) {
        self.chosen = Some(entity);
        self.matrix.go_to(entity);
    }

    /// Whether the program is paused.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Tells the inspector that the program has replaced its world by another one: there is nothing to
    /// take back, and no tick that was begun with steps. The views, the watches and the pace stay.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs_inspect::Inspector;
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Resource, Serialize, Deserialize, Default)] struct Clock { now: u32 }
    /// # world! { #[derive(Reflect)] struct Game { resources { Clock = Clock::default() } } }
    /// let (mut game, mut inspector) = (Game::new(), Inspector::new());
    /// inspector.run_command("set Clock.now = 7", &mut game)?;
    /// game = Game::new();
    /// inspector.world_replaced();
    /// assert!(inspector.run_command("undo", &mut game).is_err());
    /// # Ok::<(), String>(())
    /// ```
    pub fn world_replaced(&mut self) {
        self.changes.clear();
        self.undone.clear();
        self.steps = StepCursor::default();
        self.ticks = 0;
        self.read_again();
    }

    /// Whether there are changes to take back, and changes to make again.
    #[must_use]
    pub fn can_undo_redo(&self) -> (bool, bool) {
        (!self.changes.is_empty(), !self.undone.is_empty())
    }

    /// The id of an entity, and its label.
    #[must_use]
    pub fn name_of(&self, entity: Entity, world: &ReflectRef<'_>) -> String {
        let label = self.label.as_ref().and_then(|path| world.read(entity, path).ok());
        match label {
            Some(DynamicValue::Text(text)) => {
                let text: String = text.chars().filter(|c| !c.is_control()).take(LONGEST_LABEL).collect();
                format!("{entity} {text}")
            }
            Some(value) => format!("{entity} {}", short(&value, LONGEST_LABEL)),
            None => entity.to_string(),
        }
    }

    /// The names of the groups: see [`group`](Self::group).
    pub fn groups(&self) -> impl Iterator<Item = &str> {
        self.groups.iter().map(|(name, _)| name.as_str())
    }

    /// The entities that stay above the rows.
    #[must_use]
    pub fn pins(&self) -> &[Entity] {
        &self.pins
    }

    /// Whether the help is shown: the keys of a terminal, and [`COMMANDS`](crate::COMMANDS).
    #[must_use]
    pub fn is_help(&self) -> bool {
        self.is_help
    }

    /// Shows the help, or leaves it.
    pub fn show_help(&mut self, on: bool) {
        self.is_help = on;
    }

    /// The watched values, as text.
    #[must_use]
    pub fn watch_lines(&self, world: &ReflectRef<'_>) -> Vec<String> {
        let lines = self.watches.iter().map(|watch| {
            let (subject, value) = match watch.entity {
                Some(entity) => (format!("{entity} "), world.read(entity, &watch.path)),
                None => (String::new(), world.read_resource(&watch.path)),
            };
            let value = value.map_or_else(|error| format!("({error})"), |value| short(&value, 200));
            format!("{subject}{} = {value}", watch.path)
        });
        lines.collect()
    }

    /// The completion of a line of the console: the position of its last word in bytes, and the words
    /// that it can become.
    #[must_use]
    pub fn candidates(&self, line: &str, world: &ReflectRef<'_>) -> (usize, Vec<String>) {
        let groups: Vec<String> = self.groups().map(str::to_owned).collect();
        complete::candidates(world, &groups, self.chosen, line)
    }

    /// Reads a value as the console does: JSON, `none`, `()`, an id, or a word.
    ///
    /// # Errors
    /// If the text is no value.
    pub fn parse_value(&self, text: &str, world: &ReflectRef<'_>) -> Result<DynamicValue, String> {
        parse(world, text)
    }
}

/// The entities, in rows.
impl Inspector {
    /// The number of rows: of the entities that match the filter, or of all.
    ///
    /// # Errors
    /// The error of the filter or the order.
    pub fn row_count(&mut self, world: &ReflectRef<'_>) -> Result<usize, String> {
        self.matrix.refresh(world);
        match &self.matrix.error {
            Some(error) => Err(error.clone()),
            None if self.matrix.is_list() => Ok(self.matrix.list_len()),
            None => Ok(world.len()),
        }
    }

    /// The entities of some rows.
    ///
    /// # Cost
    /// Without a filter and an order, it grows with the number of the last row: some
    /// nanoseconds for each entity before it.
    #[must_use]
    pub fn rows(&self, world: &ReflectRef<'_>, rows: Range<usize>) -> Vec<Entity> {
        self.matrix.rows(world, rows)
    }

    /// The row of the chosen entity, if it is one of the rows.
    #[must_use]
    pub fn row_of_chosen(&self, world: &ReflectRef<'_>) -> Option<usize> {
        let chosen = self.chosen?;
        self.matrix.rows(world, 0..usize::MAX).iter().position(|entity| *entity == chosen)
    }

    /// The columns: the components that the filter fetches, or those that entities have.
    #[must_use]
    pub fn columns(&self, world: &ReflectRef<'_>) -> Vec<&'static str> {
        self.matrix.columns(world)
    }

    /// The text of the filter; empty if there is none.
    #[must_use]
    pub fn filter_text(&self) -> &str {
        self.matrix.filter.as_ref().map_or("", |filter| &filter.text)
    }

    /// The path by which rows are sorted, and whether the largest value comes first.
    #[must_use]
    pub fn order(&self) -> Option<(&str, bool)> {
        self.matrix.sort.as_ref().map(|(path, descending)| (&**path, *descending))
    }

    /// Reads the filter, the order and the tree again at the next frame: a world of more than 10,000
    /// entities is not read for each.
    pub fn read_again(&mut self) {
        (self.matrix.is_stale, self.tree.is_stale) = (true, true);
    }
}

/// The tree of a relation.
impl Inspector {
    /// The names of the relations, and the index of the one that is shown.
    #[must_use]
    pub fn relations(&self, world: &ReflectRef<'_>) -> (Vec<&'static str>, usize) {
        (tree::relations(world), self.tree.index(world))
    }

    /// Shows the tree of a relation, by its index.
    pub fn show_relation(&mut self, index: usize) {
        self.tree.show(index);
    }

    /// The number of lines of the tree that are not in a collapsed branch, at most 100,000.
    ///
    /// # Errors
    /// If the relation cannot be read.
    pub fn tree_count(&mut self, world: &ReflectRef<'_>) -> Result<usize, ReflectError> {
        self.tree.refresh(world)?;
        Ok(self.tree.all_rows().len())
    }

    /// Some lines of the tree, as [`tree_count`](Self::tree_count) has counted them.
    #[must_use]
    pub fn tree_rows(&mut self, rows: Range<usize>) -> Vec<TreeRow> {
        let all = self.tree.all_rows();
        all[rows.start.min(all.len())..rows.end.min(all.len())].to_vec()
    }

    /// Opens or closes a branch of the tree.
    pub fn toggle_branch(&mut self, entity: Entity) {
        self.tree.toggle(entity);
    }
}

/// The options of a component, as they are declared: `tracked requires(Health)`.
#[must_use]
pub fn component_options(info: &ComponentInfo) -> String {
    let flags = [
        (info.tracked, "tracked"),
        (info.removed, "removed"),
        (info.unique, "unique"),
        (info.index, "index"),
        (info.key, "key"),
        (info.hook, "hook"),
        (info.disables_entities, "disables"),
        (info.relation, "relation"),
    ];
    let mut options: Vec<String> =
        flags.iter().filter(|(is_set, _)| *is_set).map(|(_, name)| (*name).to_owned()).collect();
    let lists = [("requires", &info.requires), ("excludes", &info.excludes), ("disables", &info.disables)];
    for (option, names) in lists {
        if !names.is_empty() {
            options.push(format!("{option}({})", names.join(", ")));
        }
    }
    options.join(" ")
}
