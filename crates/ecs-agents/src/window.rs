//! A window for a model: play, pause and steps, sliders for its parameters, charts of what a
//! [`Recorder`] measures, pictures, and the values of the agent at which the user clicks.
//!
//! A [`ModelWindow`] makes the world from a [`Trial`], as a sweep does. The run is that of a program
//! without a window: the same parameters and seed have the same hash after the same number of steps,
//! as long as the user changes nothing.
//!
//! ```no_run
//! use ecs::prelude::*;
//! use ecs_agents::prelude::*;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Resource, Serialize, Deserialize)]
//! struct Births(f64);
//!
//! world! {
//!     #[derive(Reflect)]
//!     struct Life { resources { Layer<bool>, Births } }
//!     schedule step { live }
//! }
//!
//! #[system(Life)]
//! fn live(mut cells: ResMut<Layer<bool>>, births: Res<Births>) {
//!     cells.update_moore(|alive, near| {
//!         let near = near.iter().filter(|&&alive| alive).count();
//!         near as f64 == births.0 || near == 2 && alive
//!     });
//! }
//!
//! fn life(trial: &Trial) -> Life {
//!     let (mut random, density) = (Random::new(trial.seed()), trial.value("density"));
//!     Life::new(Layer::from_fn(Grid::torus(120, 80), |_| random.random_bool(density)), Births(3.0))
//! }
//!
//! fn picture(life: &Life) -> Picture {
//!     let cells = life.resource::<Layer<bool>>();
//!     Picture::of(&cells.grid(), 4).layer(&*cells, |&lives| if lives { Rgb::BLACK } else { Rgb::WHITE })
//! }
//!
//! fn main() -> std::io::Result<()> {
//!     ModelWindow::new("Life", life, Life::step)
//!         .parameter("density", 0.3, 0.0..=1.0)
//!         .slider("Births", 2.0..=4.0)
//!         .picture("cells", picture)
//!         .open()
//! }
//! ```
//!
//! # Without a window of its own
//! [`ModelWindow::show`] takes the `Ui` of a program that draws egui, such as one with `eframe`, and
//! [`ModelWindow::screenshot`] draws a picture without a display.

mod agents;
mod chart;
mod panels;
mod run;
mod view;

use std::fmt;
use std::io;
use std::ops::RangeInclusive;

use ecs::prelude::*;
use ecs::reflect::{DynamicValue, ReflectWorld};
use ecs_inspect::Inspector;
use ecs_inspect_egui::{WindowInspector, native};
/// The user interface library, and the crate of [`ModelWindow::inspector`].
pub use ecs_inspect_egui::{ecs_inspect, egui};
use egui::emath::Numeric;

use crate::picture::Picture;
use crate::recorder::{Recorder, Table};
use crate::sweep::Trial;
use agents::AgentFinders;
use run::Run;

/// A parameter with which a model is made.
struct Parameter {
    name: String,
    range: RangeInclusive<f64>,
    is_integer: bool,
}

/// A number of a resource.
struct ResourceSlider {
    path: String,
    range: RangeInclusive<f64>,
    /// The value that the user has given: the next run begins with it.
    given: Option<DynamicValue>,
}

/// A way to draw the world.
struct View<W> {
    name: String,
    picture: Box<dyn Fn(&W) -> Picture>,
}

/// A window for a model. See the [module](self) for an example.
pub struct ModelWindow<W> {
    title: String,
    run: Run<W>,
    /// The trial of the next run.
    next: Trial,
    parameters: Vec<Parameter>,
    sliders: Vec<ResourceSlider>,
    views: Vec<View<W>>,
    /// The view that is shown.
    view: usize,
    /// The columns of each chart; empty for a chart of each column.
    charts: Vec<Vec<String>>,
    agents: AgentFinders<W>,
    hash: Option<fn(&W) -> u64>,
    inspector: WindowInspector,
    shows_inspector: bool,
    /// The agent whose values are shown.
    chosen: Option<Entity>,
    /// Steps in a second.
    speed: f64,
    /// The text of the field for the seed.
    seed: String,
    shown: panels::Shown,
}

impl<W> fmt::Debug for ModelWindow<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelWindow")
            .field("title", &self.title)
            .field("trial", &self.run.trial)
            .field("steps", &self.run.steps)
            .finish_non_exhaustive()
    }
}

impl<W: ReflectWorld + 'static> ModelWindow<W> {
    /// A window for a model, which is made from a trial, with seed 1 and without parameters. It is
    /// paused, and runs ten steps in a second.
    #[must_use]
    pub fn new(
        title: &str,
        model: impl Fn(&Trial) -> W + 'static,
        step: impl FnMut(&mut W) + 'static,
    ) -> Self {
        let trial = Trial::new(1);
        Self {
            title: title.to_owned(),
            run: Run::new(Box::new(model), Box::new(step), trial.clone()),
            seed: trial.seed().to_string(),
            next: trial,
            parameters: Vec::new(),
            sliders: Vec::new(),
            views: Vec::new(),
            view: 0,
            charts: Vec::new(),
            agents: AgentFinders::new(),
            hash: None,
            inspector: WindowInspector::new(Inspector::new().paused()),
            shows_inspector: false,
            chosen: None,
            speed: 10.0,
            shown: panels::Shown::default(),
        }
    }

    /// A parameter with which the model is made: [`Trial::value`] returns it. What the user chooses
    /// holds from the next reset on.
    ///
    /// # Panics
    /// If the range is empty, or a number is not finite.
    #[must_use]
    pub fn parameter<N: Numeric>(mut self, name: &str, value: N, range: RangeInclusive<N>) -> Self {
        let range = checked(name, range);
        assert!(value.to_f64().is_finite(), "the value of `{name}` is {}", value.to_f64());
        self.parameters.push(Parameter { name: name.to_owned(), range, is_integer: N::INTEGRAL });
        self.next.set(name, value.to_f64());
        self
    }

    /// A slider for a number of a resource, by its path in the inspector: `"Needs"`,
    /// `"Rules.sheep.birth"`. What the user chooses holds at once, and after a reset.
    ///
    /// # Panics
    /// If the range is empty, or an end of it is not finite.
    #[must_use]
    pub fn slider<N: Numeric>(mut self, path: &str, range: RangeInclusive<N>) -> Self {
        let range = checked(path, range);
        self.sliders.push(ResourceSlider { path: path.to_owned(), range, given: None });
        self
    }

    /// The seed of the first run.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.next.set_seed(seed);
        self.seed = seed.to_string();
        self
    }

    /// The first run is that of a trial, such as one of a row of a table: it has its seed and the
    /// values of its parameters. Name the parameters that have a slider before.
    #[must_use]
    pub fn trial(self, trial: &Trial) -> Self {
        let mut window = self.seed(trial.seed());
        for (name, value) in trial.values() {
            window.next.set(name, *value);
        }
        window
    }

    /// The measurements: each column is a chart.
    #[must_use]
    pub fn recorder(mut self, recorder: Recorder<W>) -> Self {
        self.run.recorder = recorder;
        self
    }

    /// Draws these columns of the recorder in one chart. With a chart, only columns of charts are
    /// drawn.
    #[must_use]
    pub fn chart<const N: usize>(mut self, columns: [&str; N]) -> Self {
        self.charts.push(columns.map(str::to_owned).to_vec());
        self
    }

    /// A picture of the world. The user chooses one of several by its name.
    #[must_use]
    pub fn picture(mut self, name: &str, picture: impl Fn(&W) -> Picture + 'static) -> Self {
        self.views.push(View { name: name.to_owned(), picture: Box::new(picture) });
        self
    }

    /// The steps in a second, at first; infinite for as many as there are.
    #[must_use]
    pub fn speed(mut self, steps: f64) -> Self {
        // a number, and none below zero
        self.speed = steps.max(0.0);
        self
    }

    /// Shows the hash of the world, of a world that can be saved: `.hash(Town::hash)`.
    #[must_use]
    pub fn hash(mut self, hash: fn(&W) -> u64) -> Self {
        self.hash = Some(hash);
        self
    }

    /// The inspector that shows and changes values, with labels, groups, permissions or a history.
    /// The run is paused at first only if the inspector is: [`Inspector::paused`].
    #[must_use]
    pub fn inspector(mut self, inspector: Inspector) -> Self {
        self.inspector = WindowInspector::new(inspector);
        self
    }

    /// Opens the window, and runs the model in it until the user closes it. Call it once, from the
    /// main thread.
    ///
    /// # Errors
    /// If there is no display.
    pub fn open(mut self) -> io::Result<()> {
        native::run(&self.title.clone(), panels::SIZE, |ui| {
            self.show(ui);
            true
        })
    }

    /// Draws the window without a display, and writes it as PNG: for a text, or a test.
    ///
    /// # Errors
    /// If writing fails.
    pub fn screenshot(&mut self, to: impl io::Write) -> io::Result<()> {
        let size = panels::SIZE.map(|side| side as usize);
        // textures are those of one context of egui
        self.shown = panels::Shown::default();
        let image = native::screenshot(size, 4, |ui| self.show(ui));
        self.shown = panels::Shown::default();
        native::write_png(&image, to)
    }

    /// The world; `None` before the first run.
    #[must_use]
    pub fn world(&self) -> Option<&W> {
        self.run.world.as_ref()
    }

    /// The steps of this run.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.run.steps
    }

    /// The measurements of this run.
    #[must_use]
    pub fn table(&self) -> &Table {
        self.run.recorder.table()
    }

    /// The agent whose values are shown.
    #[must_use]
    pub fn chosen(&self) -> Option<Entity> {
        self.chosen
    }

    /// Shows the values of an agent, as a click at it does.
    pub fn choose(&mut self, agent: Entity) {
        self.inspector.inspector_mut().choose(agent);
        self.chosen = Some(agent);
    }

    /// Why the run has ended: a system, the model or a function of the window has panicked. A reset
    /// begins the next run.
    #[must_use]
    pub fn failure(&self) -> Option<&str> {
        self.run.failure.as_deref()
    }

    /// Begins the next run, with the parameters and the seed that were chosen.
    pub fn reset(&mut self) {
        let given = |world: &mut W| {
            for ResourceSlider { path, given, .. } in &self.sliders {
                // a path that does not exist is an error in place of the slider
                let _ = given.clone().map(|value| world.reflect_mut().patch_resource(path, value));
            }
        };
        self.run.reset(self.next.clone(), given);
        self.inspector.inspector_mut().world_replaced();
        self.shown.forget();
    }

    /// Runs so many steps at once.
    ///
    /// # Errors
    /// The message of a panic: see [`failure`](Self::failure).
    pub fn advance(&mut self, steps: u64) -> Result<(), String> {
        if self.run.world.is_none() {
            self.reset();
        }
        (0..steps).for_each(|_| self.run.step());
        self.shown.forget();
        self.failure().map_or(Ok(()), |text| Err(text.to_owned()))
    }
}

/// The range of a slider as numbers of `f64`.
fn checked<N: Numeric>(name: &str, range: RangeInclusive<N>) -> RangeInclusive<f64> {
    let (start, end) = (range.start().to_f64(), range.end().to_f64());
    let is_range = start.is_finite() && end.is_finite() && start <= end;
    assert!(is_range, "the range of `{name}` is {start}..={end}");
    start..=end
}
