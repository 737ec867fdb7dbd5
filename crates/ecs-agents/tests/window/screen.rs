//! A window that is not shown: egui lays it out, and its tree of accessible widgets says what is
//! where.

use ecs::prelude::*;
use ecs::reflect::ReflectWorld;
use ecs_agents::prelude::*;
use ecs_agents::window::egui::accesskit::{Node, NodeId, Role};
use ecs_agents::window::egui::{
    Context, Event, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, Vec2, pos2, vec2,
};

use crate::models::schelling::{Group, Town, segregation, town};

pub(crate) struct Screen<W> {
    egui: Context,
    window: ModelWindow<W>,
    size: Vec2,
    time: f64,
    /// The widgets of the last frame.
    nodes: Vec<(NodeId, Node)>,
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
        let mut screen =
            Self { egui: Context::default(), window, size: size.into(), time: 0.0, nodes: Vec::new() };
        screen.egui.enable_accesskit();
        screen.frames(4);
        screen
    }

    /// A frame with events, a sixtieth of a second after the one before.
    fn frame(&mut self, events: Vec<Event>) {
        let screen = Some(Rect::from_min_size(Pos2::ZERO, self.size));
        let input = RawInput { screen_rect: screen, time: Some(self.time), events, ..Default::default() };
        self.time += 1.0 / 60.0;
        let mut output = self.egui.run_ui(input, |ui| self.window.show(ui));
        if let Some(update) = output.platform_output.accesskit_update.take() {
            self.nodes = update.nodes;
        }
        output.drop_without_applying_deltas();
    }

    pub(crate) fn frames(&mut self, number: u32) {
        (0..number).for_each(|_| self.frame(Vec::new()));
    }

    pub(crate) fn window(&mut self) -> &mut ModelWindow<W> {
        &mut self.window
    }

    pub(crate) fn world(&self) -> &W {
        self.window.world().expect("a world")
    }

    /// The name of a widget: its own, that of its label, or its text.
    fn name<'s>(&'s self, node: &'s Node) -> Option<&'s str> {
        let of = |id: &NodeId| {
            let (_, label) = self.nodes.iter().find(|(known, _)| known == id)?;
            label.label().or(label.value())
        };
        let is_label = node.role() == Role::Label;
        node.label().or_else(|| node.labelled_by().iter().find_map(of)).or(node.value().filter(|_| is_label))
    }

    /// The place of a widget with a name: one that is more than a text if there is one.
    #[track_caller]
    pub(crate) fn rect(&self, name: &str) -> Rect {
        self.rect_of(name, &[Role::Button])
    }

    /// The place of a widget with a name, and of one of these roles if there is one.
    #[track_caller]
    fn rect_of(&self, name: &str, roles: &[Role]) -> Rect {
        let all = self.nodes.iter().map(|(_, node)| node).filter(|node| self.name(node) == Some(name));
        let found = all.max_by_key(|node| (roles.contains(&node.role()), node.role() != Role::Label));
        let bounds = found.and_then(Node::bounds);
        let bounds = bounds.unwrap_or_else(|| panic!("no `{name}` is shown:\n{}", self.texts().join("\n")));
        let at = |x: f64, y: f64| pos2(x as f32, y as f32);
        Rect::from_min_max(at(bounds.x0, bounds.y0), at(bounds.x1, bounds.y1))
    }

    #[track_caller]
    pub(crate) fn click(&mut self, name: &str) {
        self.click_at(self.rect(name).center());
    }

    fn press(&mut self, pos: Pos2, pressed: bool) {
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        let button = Event::PointerButton { pos, button, pressed, modifiers };
        self.frame(vec![Event::PointerMoved(pos), button]);
    }

    /// Clicks at a point.
    pub(crate) fn click_at(&mut self, at: Pos2) {
        self.hover_at(at);
        self.press(at, true);
        self.press(at, false);
        self.frames(4);
    }

    pub(crate) fn hover_at(&mut self, at: Pos2) {
        self.frame(vec![Event::PointerMoved(at)]);
    }

    /// Drags from the middle of a widget.
    #[track_caller]
    pub(crate) fn drag(&mut self, name: &str, by: f32) {
        let from = self.rect_of(name, &[Role::Slider]).center();
        self.hover_at(from);
        self.press(from, true);
        for part in 1..=5 {
            self.hover_at(from + vec2(by * part as f32 / 5.0, 0.0));
        }
        self.press(from + vec2(by, 0.0), false);
        self.frames(4);
    }

    fn key(&mut self, key: Key, modifiers: Modifiers) {
        for pressed in [true, false] {
            let event = Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
            self.frame(vec![event]);
        }
    }

    /// Types a text in place of that of a field.
    #[track_caller]
    pub(crate) fn type_into(&mut self, name: &str, text: &str) {
        self.click_at(self.rect_of(name, &[Role::SpinButton, Role::TextInput]).center());
        self.key(Key::A, Modifiers::COMMAND);
        self.frame(vec![Event::Text(text.to_owned())]);
        self.key(Key::Enter, Modifiers::NONE);
        self.frames(4);
    }

    /// The texts of all widgets.
    pub(crate) fn texts(&self) -> Vec<String> {
        let texts = self.nodes.iter().flat_map(|(_, node)| [node.label(), node.value()]);
        texts.flatten().filter(|text| !text.is_empty()).map(str::to_owned).collect()
    }

    #[track_caller]
    pub(crate) fn assert_shows(&self, texts: &[&str]) {
        for text in texts {
            let is_shown = self.texts().iter().any(|shown| shown.contains(text));
            assert!(is_shown, "`{text}` is not shown:\n{}", self.texts().join("\n"));
        }
    }
}
