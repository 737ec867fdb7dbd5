//! The meaning of keys. A key that changes the world writes the beginning of a console line, which
//! `Enter` executes.

use ecs::reflect::{NameKind, ReflectMut, ReflectRef, ReflectWorld, Schema};
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::inspector::{Inspector, View};
use crate::value;

/// The keys, for the help.
pub(crate) const KEYS: &[(&str, &str)] = &[
    ("1 2 3 4 5 6 7, Tab", "choose a view"),
    ("arrows, hjkl, PgUp, PgDn, Home, End", "move"),
    (
        "Enter",
        "entities: go to the values; values: edit; systems: run the schedule; components: filter; content: add or spawn",
    ),
    ("Esc", "back"),
    ("e", "edit the value at the cursor"),
    ("a, x", "add or remove a component"),
    ("c, d", "spawn or despawn an entity"),
    ("m", "move the component at the cursor to another entity"),
    ("u, U", "take the last change back, or make it again"),
    ("w", "who has changed the value at the cursor"),
    ("W", "watch the value at the cursor"),
    ("p", "pin the entity, or end the pin"),
    ("o", "sort by the column: ascending, descending, not; a struct is sorted by a part"),
    ("/", "filter"),
    ("v", "cells show values, or marks"),
    ("z", "columns of all components, or of those with entities"),
    ("r", "read the filter, the order and the tree again"),
    ("< >", "relations: the relation before, or the next one"),
    ("[ ]", "a run back, or forward"),
    ("{ }", "a system back, or forward"),
    ("Space", "pause, or go on"),
    ("n", "one tick"),
    ("s", "one system of the schedule at the cursor"),
    ("x, t", "systems: switch the system on or off; measure run times"),
    (":", "console; Tab completes, Up and Down recall lines"),
    ("q, Ctrl-C", "close"),
];

impl Inspector {
    /// Passes an event of the terminal to the inspector, which may change the world.
    ///
    /// # Panics
    /// If a system of a schedule that the user runs panics.
    pub fn handle(&mut self, event: Event, world: &mut dyn ReflectWorld) {
        self.handle_through(event, &mut world.reflect_mut());
    }

    /// [`handle`](Self::handle) through a handle.
    pub(crate) fn handle_through(&mut self, event: Event, world: &mut ReflectMut<'_>) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key, world),
            Event::Paste(text) if self.is_typing => self.console.insert(&text),
            _ => {}
        }
    }

    fn key(&mut self, key: KeyEvent, world: &mut ReflectMut<'_>) {
        // Ctrl-C leaves the console first, and then the inspector
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && key.code == KeyCode::Char('c') {
            if !self.is_typing {
                self.is_closed = true;
            }
            self.is_typing = false;
            return;
        }
        if self.is_typing {
            return self.key_in_console(key.code, control, world);
        }
        if control {
            return;
        }
        // a message stays until the next key
        self.status = crate::inspector::Status::default();
        if self.is_help {
            return self.key_in_help(key.code);
        }
        // keys of all views first, so that none of them means something else in one view
        if self.key_for_all_views(key.code, world) {
            return;
        }
        let Some(handle) = self.reader(world.as_ref()).ok() else { return };
        if self.in_values && matches!(self.view, View::Entities | View::Relations) {
            return self.key_in_values(key.code, &handle);
        }
        match self.view {
            View::Entities => self.key_in_matrix(key.code, &handle),
            View::Relations => self.key_in_tree(key.code, &handle),
            View::Systems => self.key_in_systems(key.code, world),
            View::Resources => self.key_in_resources(key.code, &handle),
            View::Components => self.key_in_components(key.code, world),
            View::Content => self.key_in_content(key.code, &handle),
            View::History => self.key_in_history(key.code, world),
        }
    }

    /// Opens the console with the beginning of a line.
    fn type_line(&mut self, text: &str) {
        self.is_typing = true;
        self.console.open(text);
    }

    fn key_in_console(&mut self, code: KeyCode, control: bool, world: &mut ReflectMut<'_>) {
        // Tab completes, or goes on to the next candidate if there are some already
        match code {
            KeyCode::Esc => self.is_typing = false,
            KeyCode::Enter => {
                let line = self.console.submit();
                self.is_typing = false;
                self.enter(&line, world);
            }
            KeyCode::Tab if self.console.next_candidate(1) => {}
            KeyCode::BackTab => drop(self.console.next_candidate(-1)),
            KeyCode::Tab => {
                let Some(handle) = self.reader(world.as_ref()).ok() else { return };
                let line = &self.console.text[..self.console.cursor];
                let (start, candidates) = self.candidates(line, &handle);
                self.console.complete(start, candidates);
            }
            KeyCode::Char('a') if control => self.console.cursor = 0,
            KeyCode::Char('e') if control => self.console.cursor = self.console.text.len(),
            KeyCode::Char('w') if control => self.console.delete_word(),
            KeyCode::Char('u') if control => self.console.delete_to_start(),
            KeyCode::Char(_) if control => {}
            KeyCode::Char(c) => self.console.insert(c.encode_utf8(&mut [0; 4])),
            KeyCode::Backspace if self.console.text.is_empty() => self.is_typing = false,
            KeyCode::Backspace => self.console.backspace(),
            KeyCode::Delete => self.console.delete(),
            KeyCode::Left => self.console.left(),
            KeyCode::Right => self.console.right(),
            KeyCode::Home => self.console.cursor = 0,
            KeyCode::End => self.console.cursor = self.console.text.len(),
            KeyCode::Up => self.console.recall(-1),
            KeyCode::Down => self.console.recall(1),
            _ => {}
        }
    }

    fn key_in_help(&mut self, code: KeyCode) {
        match code {
            KeyCode::Down | KeyCode::Char('j') => self.help.go(1, usize::MAX),
            KeyCode::Up | KeyCode::Char('k') => self.help.go(-1, usize::MAX),
            KeyCode::PageDown => self.help.go(10, usize::MAX),
            KeyCode::PageUp => self.help.go(-10, usize::MAX),
            _ => self.is_help = false,
        }
    }

    /// Keys with one meaning in all views. Returns whether the key is one of them.
    fn key_for_all_views(&mut self, code: KeyCode, world: &mut ReflectMut<'_>) -> bool {
        // keys that change something are commands of the console, so they have the same undo and
        // messages
        let views = self.views();
        let at = views.iter().position(|view| *view == self.view).unwrap_or_default();
        match code {
            KeyCode::Char(digit @ '1'..='9') => {
                if let Some(view) = views.get(digit as usize - '1' as usize) {
                    self.show(*view);
                }
            }
            KeyCode::Tab => self.show(views[(at + 1) % views.len()]),
            KeyCode::BackTab => self.show(views[(at + views.len() - 1) % views.len()]),
            KeyCode::Char(':') => self.type_line(""),
            KeyCode::Char('/') => {
                let filter = self.matrix.filter.as_ref().map_or("", |filter| &filter.text);
                let line = format!("filter {filter}");
                self.type_line(&line);
            }
            KeyCode::Char('?') => self.is_help = true,
            KeyCode::Char('q') => self.is_closed = true,
            KeyCode::Char(' ') => self.enter(if self.is_paused { "resume" } else { "pause" }, world),
            KeyCode::Char('n') => self.enter("tick", world),
            KeyCode::Char('s') => self.enter("step", world),
            KeyCode::Char('u') => self.enter("undo", world),
            KeyCode::Char('U') => self.enter("redo", world),
            KeyCode::Char('[') => self.enter("back", world),
            KeyCode::Char(']') => self.enter("forward", world),
            KeyCode::Char('{') => self.enter("back system", world),
            KeyCode::Char('}') => self.enter("forward system", world),
            KeyCode::Char('r') => (self.matrix.is_stale, self.tree.is_stale) = (true, true),
            KeyCode::Char('c') => self.type_line("spawn "),
            KeyCode::Char('d') if self.is_about_entities() => {
                if let Some(entity) = self.chosen {
                    self.type_line(&format!("despawn {entity}"));
                }
            }
            KeyCode::Char('a') if self.is_about_entities() => self.type_line("add "),
            KeyCode::Char('p') if self.is_about_entities() => match self.chosen {
                Some(entity) if self.pins.contains(&entity) => self.pins.retain(|pin| *pin != entity),
                Some(entity) => self.pins.push(entity),
                None => {}
            },
            _ => return false,
        }
        true
    }

    fn is_about_entities(&self) -> bool {
        matches!(self.view, View::Entities | View::Relations)
    }

    /// Keys for the component or the part of one that the cursor is at.
    fn key_at_path(&mut self, code: KeyCode, path: &str, world: &ReflectRef<'_>) {
        let name = path.split(['.', '[']).next().unwrap_or_default();
        match (code, self.chosen) {
            (KeyCode::Char('e'), Some(entity)) => match world.read(entity, path) {
                Ok(value) => self.type_line(&format!("set {path} = {}", value::to_input(&value))),
                Err(_) => self.type_line(&format!("add {name} = ")),
            },
            (KeyCode::Char('x'), _) => self.type_line(&format!("remove {name}")),
            (KeyCode::Char('m'), _) => self.type_line(&format!("move {name} to ")),
            (KeyCode::Char('w'), Some(_)) => {
                let answer = self.who(path, world);
                self.say(answer);
            }
            (KeyCode::Char('W'), Some(_)) => {
                // the console could change the world, this line does not
                let answer = self.watch_path(path, world);
                self.say(answer);
            }
            _ => {}
        }
    }

    fn key_in_matrix(&mut self, code: KeyCode, world: &ReflectRef<'_>) {
        let (page, columns) = (self.matrix.height.max(1) as isize, self.matrix.columns(world));
        let column = columns.get(self.matrix.column).copied();
        match code {
            KeyCode::Down | KeyCode::Char('j') => self.matrix.go(world, 1),
            KeyCode::Up | KeyCode::Char('k') => self.matrix.go(world, -1),
            KeyCode::PageDown => self.matrix.go(world, page),
            KeyCode::PageUp => self.matrix.go(world, -page),
            KeyCode::Home => self.matrix.go_to_start(),
            KeyCode::End => self.matrix.go_to_end(world),
            KeyCode::Left | KeyCode::Char('h') => self.matrix.column = self.matrix.column.saturating_sub(1),
            KeyCode::Right | KeyCode::Char('l') => self.matrix.column += 1,
            KeyCode::Enter => self.in_values = true,
            KeyCode::Char('v') => self.matrix.marks = !self.matrix.marks,
            KeyCode::Char('z') => self.matrix.all_columns = !self.matrix.all_columns,
            // the parts of a struct have an order, the struct itself has none
            KeyCode::Char('o') if column.is_some_and(|name| is_struct(world, name)) => {
                self.type_line(&format!("sort {}.", column.unwrap_or_default()));
            }
            KeyCode::Char('o') => {
                let sort = match (&self.matrix.sort, column) {
                    (Some((path, false)), Some(name)) if path == name => Some((name.to_owned(), true)),
                    (Some((path, true)), Some(name)) if path == name => None,
                    (_, name) => name.map(|name| (name.to_owned(), false)),
                };
                let at = (self.matrix.column, self.matrix.first_column);
                self.matrix.set_sort(sort);
                (self.matrix.column, self.matrix.first_column) = at;
            }
            code => {
                if let Some(name) = column {
                    self.key_at_path(code, name, world);
                }
            }
        }
        self.matrix.column = self.matrix.column.min(columns.len().saturating_sub(1));
        self.choose_at_cursor(world);
    }

    /// Chooses the entity at the cursor of the matrix.
    pub(crate) fn choose_at_cursor(&mut self, world: &ReflectRef<'_>) {
        self.matrix.refresh(world);
        if let Some((_, entity)) = self
            .matrix
            .visible(world, self.matrix.height.max(1))
            .iter()
            .find(|(at, _)| *at == self.matrix.cursor)
        {
            self.chosen = Some(*entity);
        }
    }

    fn key_in_values(&mut self, code: KeyCode, world: &ReflectRef<'_>) {
        let lines = self.value_lines(world);
        match code {
            KeyCode::Esc | KeyCode::Left | KeyCode::Char('h') => self.in_values = false,
            code if go(&mut self.values, code, lines.len()) => {}
            code => {
                let code = if code == KeyCode::Enter { KeyCode::Char('e') } else { code };
                if let Some(line) = lines.get(self.values.at) {
                    self.key_at_path(code, &line.path, world);
                }
            }
        }
    }

    fn key_in_tree(&mut self, code: KeyCode, world: &ReflectRef<'_>) {
        // the keys move in the tree as it is now, not as it was drawn last
        if let Err(error) = self.tree.refresh(world) {
            self.say(Err(error.to_string()));
        }
        match code {
            KeyCode::Down | KeyCode::Char('j') => self.tree.go(1),
            KeyCode::Up | KeyCode::Char('k') => self.tree.go(-1),
            KeyCode::PageDown => self.tree.go(20),
            KeyCode::PageUp => self.tree.go(-20),
            KeyCode::Home => self.tree.cursor = 0,
            KeyCode::End => self.tree.go(isize::MAX),
            KeyCode::Left | KeyCode::Char('h') => self.tree.collapse(),
            KeyCode::Right | KeyCode::Char('l') => self.tree.expand(),
            KeyCode::Char('<') => self.tree.turn(world, -1),
            KeyCode::Char('>') => self.tree.turn(world, 1),
            KeyCode::Enter => self.in_values = true,
            code => {
                if let Some(name) = self.tree.name(world) {
                    self.key_at_path(code, name, world);
                }
            }
        }
        // the values and the other views show the entity at the cursor
        if let Some(entity) = self.tree.entity() {
            self.chosen = Some(entity);
            self.matrix.go_to(entity);
        }
    }

    fn key_in_systems(&mut self, code: KeyCode, world: &mut ReflectMut<'_>) {
        let Some(handle) = self.reader(world.as_ref()).ok() else { return };
        if go(&mut self.systems, code, handle.systems().len()) {
            return;
        }
        let Some(info) = self.system_at_cursor(&handle) else { return };
        let is_timed = !handle.timings().is_empty();
        match code {
            KeyCode::Enter => self.type_line(&format!("run {}", info.schedule)),
            KeyCode::Char('x') => {
                self.enter(
                    &format!("{} {}", if info.enabled { "disable" } else { "enable" }, info.system),
                    world,
                );
            }
            KeyCode::Char('t') => self.enter(if is_timed { "time off" } else { "time on" }, world),
            _ => {}
        }
    }

    fn key_in_resources(&mut self, code: KeyCode, world: &ReflectRef<'_>) {
        let lines = self.resource_lines(world);
        let events = world.events();
        if go(&mut self.resources, code, lines.len() + events.len()) {
            return;
        }
        let is_edit = matches!(code, KeyCode::Enter | KeyCode::Char('e'));
        if let Some(line) = lines.get(self.resources.at) {
            if is_edit && let Ok(value) = world.read_resource(&line.path) {
                self.type_line(&format!("set {} = {}", line.path, value::to_input(&value)));
            } else if code == KeyCode::Char('w') {
                let answer = self.who(&line.path, world);
                self.say(answer);
            } else if code == KeyCode::Char('W') {
                let answer = self.watch_path(&line.path, world);
                self.say(answer);
            }
        } else if is_edit && let Some(info) = events.get(self.resources.at - lines.len()) {
            self.type_line(&format!("send {} = ", info.name));
        }
    }

    fn key_in_history(&mut self, code: KeyCode, world: &mut ReflectMut<'_>) {
        let count = self.timeline_state().map_or(0, |state| state.steps.len());
        let past = &mut self.past;
        match code {
            KeyCode::Left | KeyCode::Char('h') => past.in_answer = false,
            KeyCode::Right | KeyCode::Char('l') => past.in_answer = true,
            code if past.in_answer && go(&mut past.lines, code, past.answer.len()) => {}
            code if !past.in_answer && go(&mut past.steps, code, count) => {}
            KeyCode::Enter => {
                if let Some(place) = self.place_at_cursor() {
                    self.enter(&format!("rewind {place}"), world);
                }
            }
            _ => {}
        }
    }

    fn key_in_content(&mut self, code: KeyCode, world: &ReflectRef<'_>) {
        let (aspects, prefabs) = (world.aspects(), world.prefabs());
        if go(&mut self.content, code, aspects.len() + prefabs.len()) || code != KeyCode::Enter {
            return;
        }
        if let Some(info) = aspects.get(self.content.at) {
            self.type_line(&format!("add {}", info.name));
        } else if let Some(name) = prefabs.get(self.content.at - aspects.len()) {
            self.type_line(&format!("prefab {name}"));
        }
    }

    fn key_in_components(&mut self, code: KeyCode, world: &mut ReflectMut<'_>) {
        let Some(handle) = self.reader(world.as_ref()).ok() else { return };
        let infos = handle.components();
        if go(&mut self.components, code, infos.len()) {
            return;
        }
        if let (KeyCode::Enter, Some(info)) = (code, infos.get(self.components.at)) {
            self.enter(&format!("filter {}", info.name), world);
        }
    }
}

fn is_struct(world: &ReflectRef<'_>, component: &str) -> bool {
    matches!(world.schema(NameKind::Components, component), Ok(Schema::Struct { .. }))
}

/// Moves a cursor in a list. Returns whether the key moves.
fn go(cursor: &mut crate::inspector::Cursor, code: KeyCode, count: usize) -> bool {
    let step = match code {
        KeyCode::Down | KeyCode::Char('j') => 1,
        KeyCode::Up | KeyCode::Char('k') => -1,
        KeyCode::PageDown => 20,
        KeyCode::PageUp => -20,
        KeyCode::Home => isize::MIN,
        KeyCode::End => isize::MAX,
        _ => return false,
    };
    cursor.go(step, count);
    true
}
