//! The parts of the window around the picture: buttons, sliders, charts and the values of an agent.

use std::time::{Duration, Instant};

use ecs::reflect::{DynamicValue, ReflectWorld};
use ecs_inspect_egui::ecs_inspect::Pace;
use ecs_inspect_egui::egui::{
    self, Align, Button, CentralPanel, Event, Layout, Panel, RichText, ScrollArea, Slider, SliderClamping,
    TextEdit, Ui, vec2,
};

use super::run::guarded;
use super::view::ShownPicture;
use super::{ModelWindow, chart};

/// The size of the window, in points.
pub(super) const SIZE: [u32; 2] = [1120, 640];

/// The time for the steps of a frame: a model that is slower than its speed leaves time to draw.
const BUDGET: Duration = Duration::from_millis(25);

/// The largest speed that is not "as fast as possible", in steps in a second.
const FASTEST: f64 = 1000.0;

/// The state of the panels, from frame to frame.
#[derive(Default)]
pub(super) struct Shown {
    pub(super) picture: Option<ShownPicture>,
    /// Whether the world has changed since the picture was drawn.
    pub(super) is_stale: bool,
    /// The hash of the world, if it was asked for.
    hash: Option<u64>,
    /// The part of the next step that is due.
    due: f64,
}

impl Shown {
    /// The world has changed.
    pub(super) fn forget(&mut self) {
        (self.is_stale, self.hash) = (true, None);
    }
}

impl<W: ReflectWorld + 'static> ModelWindow<W> {
    /// Shows the window in the whole space of a `Ui`, and runs the steps that are due. Two of them in
    /// one program need a `Ui` with an id of its own each, as [`Ui::push_id`] makes.
    ///
    /// # Cost
    /// The picture is drawn, and the hash computed where the run is paused, when the world has
    /// changed; sliders are read twice for each frame.
    pub fn show(&mut self, ui: &mut Ui) {
        if self.run.world.is_none() && self.run.failure.is_none() {
            self.reset();
        }
        self.run_due_steps(ui);
        let is_touched = ui.input(|input| {
            let acts = |event: &Event| {
                !matches!(event, Event::PointerMoved(_) | Event::MouseMoved(_) | Event::PointerGone)
            };
            input.pointer.any_down() || input.events.iter().any(acts)
        });
        if is_touched {
            self.shown.forget();
        }
        let before = self.slider_values();
        Panel::top("run").show(ui, |ui| self.buttons(ui));
        Panel::bottom("message").show(ui, |ui| self.message(ui));
        Panel::left("parameters").default_size(220.0).show(ui, |ui| self.parameters(ui));
        let columns = self.chart_columns();
        if !columns.is_empty() || !self.agents.is_empty() || self.chosen.is_some() {
            Panel::right("charts").default_size(300.0).min_size(160.0).show(ui, |ui| {
                self.charts(ui, &columns);
                self.values(ui);
            });
        }
        CentralPanel::default().show(ui, |ui| self.picture_view(ui));
        self.inspector_window(ui);
        self.keep_given(before);
        if is_touched {
            // values that were changed after the picture was drawn
            self.shown.forget();
            ui.request_repaint();
        }
    }

    fn run_due_steps(&mut self, ui: &Ui) {
        match self.inspector.pace() {
            Pace::Wait => self.shown.due = 0.0,
            Pace::Step => self.step_once(),
            Pace::Run if self.run.failure.is_none() => {
                let elapsed = ui.input(|input| f64::from(input.stable_dt.min(0.1)));
                // infinite times zero is no number
                let due = if self.speed.is_infinite() { self.speed } else { elapsed * self.speed };
                self.shown.due += due;
                let end = Instant::now() + BUDGET;
                while self.shown.due >= 1.0 && self.run.failure.is_none() {
                    self.step_once();
                    self.shown.due -= 1.0;
                    if Instant::now() >= end {
                        self.shown.due = 0.0;
                    }
                }
                ui.request_repaint();
            }
            Pace::Run => self.enter("pause"),
        }
    }

    fn step_once(&mut self) {
        self.run.step();
        self.shown.forget();
    }

    /// Executes a line of the console.
    fn enter(&mut self, line: &str) {
        let (Some(world), inspector) = (&mut self.run.world, &mut self.inspector) else { return };
        let result = guarded(|| inspector.inspector_mut().enter(line, &mut world.reflect_mut()));
        self.run.end_if(result);
        self.shown.forget();
    }

    fn buttons(&mut self, ui: &mut Ui) {
        let is_paused = self.inspector.inspector().is_paused();
        let can_run = self.run.world.is_some() && self.run.failure.is_none();
        ui.horizontal_wrapped(|ui| {
            let (text, line) = if is_paused { ("Play", "resume") } else { ("Pause", "pause") };
            let wide = |text| Button::new(text).min_size(vec2(52.0, 0.0));
            if ui.add_enabled(can_run, wide(text)).clicked() {
                self.enter(line);
            }
            if ui.add_enabled(can_run, wide("Step")).clicked() {
                self.enter("tick");
                ui.request_repaint();
            }
            if ui.add(wide("Reset")).on_hover_text("begins again, with the parameters at the left").clicked()
            {
                self.reset();
            }
            ui.separator();
            ui.label("speed");
            let slider = Slider::new(&mut self.speed, 1.0..=f64::INFINITY).logarithmic(true);
            let slider = slider.largest_finite(FASTEST).clamping(SliderClamping::Edits).max_decimals(0);
            ui.add(slider).on_hover_text("steps in a second").accessible_name("speed");
            ui.separator();
            ui.strong(format!("step {}", self.run.steps));
            self.hash_label(ui, is_paused);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.selectable_label(self.shows_inspector, "Inspector").clicked() {
                    self.shows_inspector = !self.shows_inspector;
                    self.inspector.inspector_mut().open();
                }
            });
        });
    }

    fn hash_label(&mut self, ui: &mut Ui, is_paused: bool) {
        let (Some(hash), Some(world), true) = (self.hash, &self.run.world, is_paused) else { return };
        if self.shown.hash.is_none() && self.run.failure.is_none() {
            let result = guarded(|| hash(world));
            self.shown.hash = self.run.end_if(result);
        }
        if let Some(hash) = self.shown.hash {
            ui.separator();
            let text = format!("{hash:016x}");
            let label = ui.link(RichText::new(&text).monospace());
            if label.on_hover_text("the hash of the world; a click copies it").clicked() {
                ui.copy_text(text);
            }
        }
    }

    /// Why the run has ended, or the message of the last change.
    fn message(&mut self, ui: &mut Ui) {
        let error = |ui: &mut Ui, text: &str| {
            let line = text.lines().next().unwrap_or_default();
            let line = RichText::new(line).color(ui.visuals().error_fg_color);
            ui.add(egui::Label::new(line).truncate()).on_hover_text(text);
        };
        if let Some(text) = &self.run.failure {
            error(ui, text);
            return;
        }
        match self.inspector.inspector().message() {
            Ok(text) => drop(ui.add(egui::Label::new(RichText::new(text).weak()).truncate())),
            Err(text) => error(ui, text),
        }
    }

    fn parameters(&mut self, ui: &mut Ui) {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().slider_width = (ui.available_width() - 64.0).max(40.0);
            if let (Some(world), false) = (&mut self.run.world, self.sliders.is_empty()) {
                ui.strong("At once");
                for slider in &self.sliders {
                    self.inspector.show_slider(ui, world, &slider.path, slider.range.clone());
                }
                ui.add_space(8.0);
            }
            ui.strong("From the next reset on");
            for parameter in &self.parameters {
                let mut value = self.next.value(&parameter.name);
                ui.label(&parameter.name);
                let slider = Slider::new(&mut value, parameter.range.clone()).clamping(SliderClamping::Edits);
                let slider = if parameter.is_integer { slider.integer() } else { slider };
                if ui.add(slider).accessible_name(&parameter.name).changed() {
                    self.next.set(&parameter.name, value);
                }
            }
            self.seed_field(ui);
            let is_next = self.next != self.run.trial;
            ui.weak(if is_next { "Reset begins a run with these values." } else { "" });
        });
    }

    fn seed_field(&mut self, ui: &mut Ui) {
        ui.label("seed");
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 52.0).max(40.0);
            let field = TextEdit::singleline(&mut self.seed).desired_width(width);
            let field = ui.add(field).accessible_name("seed");
            match self.seed.trim().parse() {
                Ok(seed) => self.next.set_seed(seed),
                Err(_) if field.has_focus() => {}
                // what is no seed is replaced by the seed of the next run
                Err(_) => self.seed = self.next.seed().to_string(),
            }
            if ui.button("next").on_hover_text("the next seed").clicked() {
                let seed = self.next.seed().wrapping_add(1);
                self.next.set_seed(seed);
                self.seed = seed.to_string();
            }
        });
    }

    /// The columns of each chart.
    fn chart_columns(&self) -> Vec<Vec<String>> {
        if !self.charts.is_empty() {
            return self.charts.clone();
        }
        self.table().names().iter().skip(1).map(|name| vec![name.clone()]).collect()
    }

    fn charts(&mut self, ui: &mut Ui, columns: &[Vec<String>]) {
        if columns.is_empty() {
            return;
        }
        // the values of the chosen agent have the lower half
        let part = if self.chosen.is_some() || !self.agents.is_empty() { 0.55 } else { 1.0 };
        let most = ui.available_height() * part;
        ScrollArea::vertical().id_salt("charts").max_height(most).auto_shrink([false, true]).show(ui, |ui| {
            let height = (most / columns.len() as f32 - 28.0).clamp(70.0, 160.0);
            for columns in columns {
                let response = chart::show(ui, self.run.recorder.table(), columns, height);
                response.context_menu(|ui| {
                    if ui.button("Copy the table as CSV").clicked() {
                        let mut csv = Vec::new();
                        // writing into memory does not fail
                        let _ = self.run.recorder.table().write_csv(&mut csv);
                        ui.copy_text(String::from_utf8_lossy(&csv).into_owned());
                    }
                });
            }
        });
        ui.separator();
    }

    /// The values of the chosen agent.
    fn values(&mut self, ui: &mut Ui) {
        match (self.chosen, &mut self.run.world) {
            (Some(_), Some(world)) => {
                let inspector = &mut self.inspector;
                let result = guarded(|| inspector.show_chosen(ui, world));
                self.run.end_if(result);
                // a value that is an entity is a link to it
                self.chosen = self.inspector.inspector().chosen();
            }
            _ if self.agents.is_empty() => {}
            _ => drop(ui.weak("Click at an agent to see its values.")),
        }
    }

    /// The whole inspector, in a window above.
    fn inspector_window(&mut self, ui: &Ui) {
        let (Some(world), true) = (&mut self.run.world, self.shows_inspector) else { return };
        let inspector = &mut self.inspector;
        let result = guarded(|| inspector.show_window(ui.ctx(), world));
        self.run.end_if(result);
        self.shows_inspector = !self.inspector.inspector().is_closed();
        if self.agents.is_empty() {
            return;
        }
        self.chosen = self.inspector.inspector().chosen();
    }

    fn slider_values(&self) -> Vec<Option<DynamicValue>> {
        let Some(world) = &self.run.world else { return Vec::new() };
        self.sliders.iter().map(|slider| world.reflect().read_resource(&slider.path).ok()).collect()
    }

    /// Keeps the values that the user has changed, by a slider, the console, or `undo`.
    fn keep_given(&mut self, before: Vec<Option<DynamicValue>>) {
        let after = self.slider_values();
        for ((slider, before), after) in self.sliders.iter_mut().zip(before).zip(after) {
            // NaN is not equal to itself
            if before != after && format!("{before:?}") != format!("{after:?}") {
                slider.given = after;
            }
        }
    }
}
