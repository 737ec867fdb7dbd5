//! [`WindowInspector`]: the frame around the views, and the lines that they ask for.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::rc::Rc;

use ecs::Entity;
use ecs::reflect::{NameKind, ReflectMut, ReflectRef, ReflectWorld, Schema};
use ecs_inspect::{COMMANDS, Inspector, Pace, View, grouped};
use egui::{Align, Grid, Id, Layout, Panel, ScrollArea, Ui};

/// The width from which views and buttons have one line.
const WIDE: f32 = 980.0;

/// An inspector in a window. See the [crate](crate) for a loop that uses it.
///
/// ```
/// use ecs_inspect_egui::WindowInspector;
/// use ecs_inspect_egui::ecs_inspect::Inspector;
///
/// let inspector = WindowInspector::new(Inspector::new().label("Name").paused());
/// assert!(inspector.inspector().is_paused());
/// ```
#[derive(Debug)]
pub struct WindowInspector {
    pub(crate) inspector: Inspector,
    /// The lines of the console that this frame asks for.
    lines: Vec<Line>,
    /// The structures of types that were shown, since finding one takes long.
    schemas: Vec<(NameKind, String, Rc<Schema>)>,
    /// The world of the schemas.
    world: &'static str,
    /// The field whose text is typed, and the text.
    pub(crate) typed: Option<(Id, String)>,
    /// The number that is dragged and has changed.
    pub(crate) dragged: Option<Id>,
    /// The field whose completions are shown.
    pub(crate) completed: Option<Id>,
    /// The texts of events, by their names.
    pub(crate) events: HashMap<&'static str, String>,
    /// The entity that the list has scrolled to.
    pub(crate) seen: Option<Entity>,
}

/// A line of the console.
#[derive(Debug)]
struct Line {
    text: String,
    /// Whether `undo` takes it back with the line before.
    is_more: bool,
}

impl WindowInspector {
    /// A window for an inspector, with its label, groups, history and permissions.
    #[must_use]
    pub fn new(inspector: Inspector) -> Self {
        Self {
            inspector,
            lines: Vec::new(),
            schemas: Vec::new(),
            world: "",
            typed: None,
            dragged: None,
            completed: None,
            events: HashMap::new(),
            seen: None,
        }
    }

    /// The model: what is chosen and shown.
    #[must_use]
    pub fn inspector(&self) -> &Inspector {
        &self.inspector
    }

    /// The model, to choose or show something, or to run a line of the console.
    pub fn inspector_mut(&mut self) -> &mut Inspector {
        &mut self.inspector
    }

    /// Whether the program runs its next tick: [`Inspector::pace`].
    pub fn pace(&mut self) -> Pace {
        self.inspector.pace()
    }

    /// Shows the inspector in the whole space of a `Ui`, and makes the changes that the user asks
    /// for. Two inspectors in one window need a `Ui` with an id of its own each, as
    /// [`Ui::push_id`] makes.
    ///
    /// # Panics
    /// If a system of a schedule that the user runs panics.
    pub fn show(&mut self, ui: &mut Ui, world: &mut dyn ReflectWorld) {
        self.show_through(ui, &mut world.reflect_mut());
    }

    /// Shows the inspector in an [`egui::Window`] above the other parts of the program, until the user
    /// closes it: [`Inspector::open`] opens it again.
    ///
    /// # Panics
    /// As [`show`](Self::show).
    pub fn show_window(&mut self, ctx: &egui::Context, world: &mut dyn ReflectWorld) {
        let (mut is_open, mut world) = (!self.inspector.is_closed(), world.reflect_mut());
        // below a bar of the program
        let from = egui::vec2(24.0, 48.0);
        let size = (ctx.content_rect().size() - from * 2.0).min(egui::vec2(1000.0, 600.0));
        let window = egui::Window::new("Inspector").default_pos(from.to_pos2()).default_size(size);
        let window = window.open(&mut is_open);
        window.show(ctx, |ui| self.draw_with(ui, &world, Self::draw));
        self.enter_lines(&mut world);
        if !is_open && !self.inspector.is_closed() {
            self.inspector.enter("quit", &mut world);
        }
    }

    /// [`show`](Self::show) through a handle, which may hide a part of the world.
    ///
    /// # Panics
    /// As [`show`](Self::show).
    pub fn show_through(&mut self, ui: &mut Ui, world: &mut ReflectMut<'_>) {
        self.show_part(ui, world, Self::draw);
    }

    /// Shows only the values of the chosen entity, for a program with a view of its own.
    ///
    /// # Panics
    /// As [`show`](Self::show).
    pub fn show_chosen(&mut self, ui: &mut Ui, world: &mut dyn ReflectWorld) {
        self.show_part(ui, &mut world.reflect_mut(), Self::values);
    }

    /// Shows only a slider for a number of a resource, by its path in the console: `"Rules.births"`.
    /// What the user chooses is in the range; a number outside that the world has is shown as it is.
    ///
    /// # Panics
    /// If the range is empty, or an end of it is not finite.
    pub fn show_slider(
        &mut self,
        ui: &mut Ui,
        world: &mut dyn ReflectWorld,
        path: &str,
        range: RangeInclusive<f64>,
    ) {
        self.show_part(ui, &mut world.reflect_mut(), |this, ui, world| this.slider(ui, world, path, range));
    }

    /// Shows a part of the inspector, and makes the changes that the user asks for.
    fn show_part(
        &mut self,
        ui: &mut Ui,
        world: &mut ReflectMut<'_>,
        draw: impl FnOnce(&mut Self, &mut Ui, &ReflectRef<'_>),
    ) {
        // what is drawn is read from the world as it was, and the changes come after it
        self.draw_with(ui, world, draw);
        self.enter_lines(world);
    }

    fn draw_with(
        &mut self,
        ui: &mut Ui,
        world: &ReflectMut<'_>,
        draw: impl FnOnce(&mut Self, &mut Ui, &ReflectRef<'_>),
    ) {
        match self.inspector.reader(world.as_ref()) {
            Ok(reader) => {
                if self.world != reader.name() {
                    self.world = reader.name();
                    self.schemas.clear();
                    self.events.clear();
                }
                draw(self, ui, &reader);
            }
            Err(error) => drop(ui.colored_label(ui.visuals().error_fg_color, error.to_string())),
        }
    }

    /// Executes the lines that were asked for.
    fn enter_lines(&mut self, world: &mut ReflectMut<'_>) {
        for Line { text, is_more } in std::mem::take(&mut self.lines) {
            match is_more {
                true => self.inspector.enter_more(&text, world),
                false => self.inspector.enter(&text, world),
            }
        }
    }

    /// Asks for a line of the console.
    pub(crate) fn ask(&mut self, text: impl Into<String>) {
        self.lines.push(Line { text: text.into(), is_more: false });
    }

    /// Asks for a line that is undone together with the one before.
    pub(crate) fn ask_more(&mut self, text: String) {
        self.lines.push(Line { text, is_more: true });
    }

    /// The structure of a component, resource or event.
    pub(crate) fn schema(&mut self, kind: NameKind, name: &str, world: &ReflectRef<'_>) -> Rc<Schema> {
        let is_it = |(of, known, _): &&(NameKind, String, Rc<Schema>)| *of == kind && known == name;
        if let Some((_, _, schema)) = self.schemas.iter().find(is_it) {
            return schema.clone();
        }
        let schema = Rc::new(world.schema(kind, name).unwrap_or(Schema::Any));
        self.schemas.push((kind, name.to_owned(), schema.clone()));
        schema
    }

    fn draw(&mut self, ui: &mut Ui, world: &ReflectRef<'_>) {
        if self.inspector.chosen().is_none()
            && let Some(first) = world.entities(None, 1).first()
        {
            self.inspector.choose(*first);
        }
        Panel::top("tabs").show(ui, |ui| self.tabs(ui, world));
        Panel::bottom("console").show(ui, |ui| self.console(ui, world));
        if self.inspector.timeline_state().is_some() {
            Panel::bottom("time line").show(ui, |ui| self.time_line(ui));
        }
        let view = self.inspector.view();
        if matches!(view, View::Entities | View::Relations | View::Content) {
            let panel = Panel::right("values").default_size(340.0).min_size(200.0);
            panel.show(ui, |ui| self.values(ui, world));
        }
        egui::CentralPanel::default().show(ui, |ui| match view {
            _ if self.inspector.is_help() => help(ui),
            View::Relations => self.relations(ui, world),
            View::Systems => self.systems(ui, world),
            View::Resources => self.resources(ui, world),
            View::Components => self.components(ui, world),
            View::Content => self.content(ui, world),
            View::History => self.history(ui),
            _ => self.entities(ui, world),
        });
    }

    /// The views, and the pace of the program: at the right, or in a narrow window below the views.
    fn tabs(&mut self, ui: &mut Ui, world: &ReflectRef<'_>) {
        let is_wide = ui.available_width() > WIDE;
        ui.horizontal_wrapped(|ui| {
            ui.strong(world.name());
            for view in self.inspector.views() {
                if ui.selectable_label(self.inspector.view() == *view, view.title()).clicked() {
                    self.inspector.show(*view);
                    self.inspector.show_help(false);
                }
            }
            let is_help = self.inspector.is_help();
            if ui.selectable_label(is_help, "?").on_hover_text("the lines of the console").clicked() {
                self.inspector.show_help(!is_help);
            }
            if is_wide {
                let layout = Layout::right_to_left(Align::Center);
                ui.with_layout(layout, |ui| self.pace_buttons(ui, true, world));
            } else {
                self.pace_buttons(ui, false, world);
            }
        });
    }

    /// The buttons of the pace and of undo, and the number of entities.
    fn pace_buttons(&mut self, ui: &mut Ui, from_right: bool, world: &ReflectRef<'_>) {
        let is_paused = self.inspector.is_paused();
        let (can_undo, can_redo) = self.inspector.can_undo_redo();
        let mut buttons = [
            if is_paused { ("Run", "resume", true) } else { ("Pause", "pause", true) },
            ("Tick", "tick", true),
            ("Step", "step", true),
            ("Undo", "undo", can_undo),
            ("Redo", "redo", can_redo),
        ];
        let count = format!("{} entities", grouped(world.len()));
        if from_right {
            buttons.reverse();
            ui.weak(&count);
        }
        for (text, line, is_enabled) in buttons {
            let is_enabled = is_enabled && !world.is_read_only();
            if ui.add_enabled(is_enabled, egui::Button::new(text)).clicked() {
                self.ask(line);
            }
        }
        if !from_right {
            ui.weak(count);
        }
    }

    /// The watched values, the message of the last line, and a field for the next one.
    fn console(&mut self, ui: &mut Ui, world: &ReflectRef<'_>) {
        for (at, text) in self.inspector.watch_lines(world).into_iter().enumerate() {
            ui.horizontal(|ui| {
                if ui.small_button("x").on_hover_text("ends the watch").clicked() {
                    self.ask(format!("unwatch {}", at + 1));
                }
                ui.add(egui::Label::new(text).truncate());
            });
        }
        ui.horizontal(|ui| {
            ui.weak(":");
            let width = (ui.available_width() * 0.45).max(120.0);
            let hint = "a line of the console, such as  set Health.now = 3";
            if let Some(line) = self.line_field(ui, ("console", hint), "", "", width, world) {
                self.ask(line);
            }
            let text = match self.inspector.message() {
                Ok(text) => egui::RichText::new(text),
                Err(text) => egui::RichText::new(text).color(ui.visuals().error_fg_color),
            };
            ui.add(egui::Label::new(text).truncate());
        });
    }
}

/// The lines of the console.
fn help(ui: &mut Ui) {
    ScrollArea::both().auto_shrink(false).show(ui, |ui| {
        ui.label("A line is about the chosen entity, or about that of an ID such as 12v3.");
        ui.label("Values: 3, 0.5, \"text\", [1, 2], {\"now\": 3}, none, (), 12v3, the name of a variant.");
        Grid::new("help").striped(true).num_columns(2).show(ui, |ui| {
            for command in COMMANDS {
                ui.monospace(format!("{} {}", command.name, command.usage));
                ui.label(command.help);
                ui.end_row();
            }
        });
    });
}
