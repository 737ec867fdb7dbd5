//! A window that is not shown.

use ecs::prelude::*;
use ecs::reflect::ReflectWorld;
use ecs_agents::prelude::*;
use ecs_agents::window::egui::{self, Key, Modifiers, Pos2, Rect, Role, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use egui_kittest::{Harness, Node};

use crate::models::schelling::{Group, Town, segregation, town};

pub(crate) struct Screen<W: 'static> {
    pub(crate) harness: Harness<'static, ModelWindow<W>>,
}

/// The window of Schelling's model that all tests look at.
pub(crate) fn schelling() -> ModelWindow<Town> {
    let model = |trial: &Trial| town(trial.seed(), Grid::torus(20, 20), trial.value("agents") as usize, 3);
    ModelWindow::new("Schelling", model, Town::step)
        .slider("Needs", 0..=8)
        .parameter("agents", 320, 10..=400)
        .recorder(Recorder::new().column("segregation", segregation))
        .picture("groups", picture)
        .cells::<SingleCell>()
        .hash(Town::hash)
}

/// The hash of a run without a window.
pub(crate) fn headless(seed: u64, agents: usize, needs: usize, steps: u64) -> u64 {
    let mut town = town(seed, Grid::torus(20, 20), agents, needs);
    (0..steps).for_each(|_| town.step());
    town.hash()
}

fn picture(town: &Town) -> Picture {
    let colour = |group: &Group| if group.0 == 0 { Rgb::ORANGE } else { Rgb::BLUE };
    let agents = town.query::<(&SingleCell, &Group)>();
    let agents = agents.iter().map(|(cell, group)| (cell.0, colour(group)));
    Picture::of(town.resource::<Grid>(), 10).agents(agents)
}

impl<W: ReflectWorld + 'static> Screen<W> {
    pub(crate) fn new(window: ModelWindow<W>) -> Self {
        Self::with_size(window, [1100.0, 640.0])
    }

    pub(crate) fn with_size(window: ModelWindow<W>, size: [f32; 2]) -> Self {
        let show = |ui: &mut egui::Ui, window: &mut ModelWindow<W>| window.show(ui);
        let mut screen = Self { harness: Harness::builder().with_size(size).build_ui_state(show, window) };
        screen.frames();
        screen
    }

    /// A few frames, each a sixtieth of a second.
    pub(crate) fn frames(&mut self) {
        self.harness.run_steps(4);
    }

    pub(crate) fn window(&mut self) -> &mut ModelWindow<W> {
        self.harness.state_mut()
    }

    pub(crate) fn world(&self) -> &W {
        self.harness.state().world().expect("a world")
    }

    /// The last of the widgets with a label, one that is more than a text if there is one.
    #[track_caller]
    fn widget<'s>(&'s self, label: &'s str) -> Node<'s> {
        let all = || self.harness.query_all_by_label(label);
        let is_text = |node: &Node<'_>| node.accesskit_node().role() == Role::Label;
        let found = all().rfind(|node| !is_text(node)).or_else(|| all().next_back());
        found.unwrap_or_else(|| panic!("no `{label}` is shown:\n{}", self.texts().join("\n")))
    }

    #[track_caller]
    pub(crate) fn rect(&self, label: &str) -> Rect {
        self.widget(label).rect()
    }

    #[track_caller]
    pub(crate) fn click(&mut self, label: &str) {
        self.widget(label).click();
        self.frames();
    }

    /// Clicks at a point.
    pub(crate) fn click_at(&mut self, at: Pos2) {
        self.harness.drag_at(at);
        self.harness.step();
        self.harness.drop_at(at);
        self.frames();
    }

    /// Drags from the middle of a widget.
    #[track_caller]
    pub(crate) fn drag(&mut self, label: &str, by: f32) {
        let from = self.rect(label).center();
        self.harness.drag_at(from);
        self.harness.step();
        for part in 1..=5 {
            self.harness.hover_at(from + vec2(by * part as f32 / 5.0, 0.0));
            self.harness.step();
        }
        self.harness.drop_at(from + vec2(by, 0.0));
        self.frames();
    }

    /// Types a text in place of that of a field.
    #[track_caller]
    pub(crate) fn type_into(&mut self, label: &str, text: &str) {
        let at = self.rect(label).center();
        self.click_at(at);
        self.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
        self.frames();
        self.harness.event(egui::Event::Text(text.to_owned()));
        self.frames();
        self.harness.key_press(Key::Enter);
        self.frames();
    }

    /// The texts of all widgets.
    pub(crate) fn texts(&self) -> Vec<String> {
        let nodes = self.harness.root().query_all(egui_kittest::kittest::By::new()).collect::<Vec<_>>();
        let texts = nodes.iter().flat_map(|node| {
            let node = node.accesskit_node();
            [node.label(), node.value()]
        });
        texts.flatten().filter(|text| !text.is_empty()).collect()
    }

    #[track_caller]
    pub(crate) fn assert_shows(&self, texts: &[&str]) {
        for text in texts {
            let is_shown = self.texts().iter().any(|shown| shown.contains(text));
            assert!(is_shown, "`{text}` is not shown:\n{}", self.texts().join("\n"));
        }
    }
}
