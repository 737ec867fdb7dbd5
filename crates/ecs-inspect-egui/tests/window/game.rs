//! The world of these tests, and a window that is not shown.

use ecs::prelude::*;
use ecs_inspect_egui::WindowInspector;
use ecs_inspect_egui::ecs_inspect::Inspector;
use ecs_inspect_egui::ecs_inspect::ecs_history::{Limit, TimeMachine};
use egui_kittest::kittest::{NodeT, Queryable};
use egui_kittest::{Harness, Node};
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Name(pub String);

/// The points of a living thing.
#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Health {
    pub now: u8,
    pub max: u8,
}

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Speed(pub f32);

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Eq, Hash, Debug)]
#[component(key)]
pub struct Account(pub u32);

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
pub struct Frozen;

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Monster {
    pub kind: Kind,
    pub target: Option<Entity>,
    pub path: Vec<(i8, i8)>,
    pub is_awake: bool,
    pub bag: std::collections::BTreeMap<String, u64>,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub enum Kind {
    Wolf,
    Ghost(u8),
    Dragon { heads: u8 },
}

#[derive(Resource, Serialize, Deserialize, Default, Clone, PartialEq, Debug)]
pub struct Calendar {
    pub frame: u64,
}

#[derive(Event, Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Hit {
    pub points: u8,
}

world! {
    #[derive(Clone, Reflect, Serialize, Deserialize)]
    pub struct Game {
        components { Name, Health, Speed, Account, Frozen, Monster, ChildOf }
        resources { Calendar }
        events { Hit(external) }
    }
    schedule tick { count; hurt }
}

#[system(Game)]
fn count(mut clock: ResMut<Calendar>) {
    clock.frame += 1;
}

#[system(Game)]
fn hurt(mut hits: EventReader<Hit>, mut healths: Query<&mut Health>) {
    for hit in &mut hits {
        for health in &mut healths {
            health.now = health.now.saturating_sub(hit.points);
        }
    }
}

/// A wolf with a cub, and a player.
pub fn game() -> (Game, [Entity; 3]) {
    let mut game = Game::default();
    let player = game.spawn((Name("Ada".into()), Health { now: 7, max: 9 }, Account(7)));
    let wolf = game.spawn((Name("Grey".into()), Health { now: 3, max: 9 }, Speed(0.5), Account(8)));
    let monster = Monster {
        kind: Kind::Dragon { heads: 2 },
        target: Some(player),
        path: vec![(1, 2), (3, 4)],
        is_awake: false,
        bag: [("gold".to_owned(), 5)].into(),
    };
    let cub = game.spawn((Name("Cub".into()), monster, ChildOf(wolf)));
    (game, [player, wolf, cub])
}

/// A program with its inspector.
pub struct Program {
    pub game: Game,
    pub machine: TimeMachine<Game>,
    pub inspector: WindowInspector,
}

/// A window that is not shown.
pub struct Screen {
    pub harness: Harness<'static, Program>,
}

impl Screen {
    /// A screen for an inspector of a game.
    pub fn new(game: Game, inspector: impl FnOnce(Inspector) -> Inspector) -> Self {
        let machine = TimeMachine::new(Limit::runs(100));
        let model = inspector(Inspector::new().label("Name").history(machine.clone()));
        let program = Program { game, machine, inspector: WindowInspector::new(model) };
        let harness = Harness::builder().with_size([1400.0, 900.0]).build_ui_state(
            |ui, program: &mut Program| program.inspector.show(ui, &mut program.game),
            program,
        );
        let mut screen = Self { harness };
        screen.frames();
        screen
    }

    /// A few frames.
    pub fn frames(&mut self) {
        self.harness.run_steps(4);
    }

    pub fn game(&mut self) -> &mut Game {
        &mut self.harness.state_mut().game
    }

    pub fn inspector(&mut self) -> &mut Inspector {
        self.harness.state_mut().inspector.inspector_mut()
    }

    /// Runs the schedule of the game.
    pub fn tick(&mut self) {
        let program = self.harness.state_mut();
        program.machine.run(&mut program.game, Game::tick);
        self.frames();
    }

    /// The last of the widgets with a label, one that is more than a text if there is one.
    #[track_caller]
    pub fn widget<'s>(&'s self, label: &'s str) -> Node<'s> {
        let all = || self.harness.query_all_by_label(label);
        let is_text = |node: &Node<'_>| node.accesskit_node().role() == egui::Role::Label;
        let found = all().rfind(|node| !is_text(node)).or_else(|| all().next_back());
        found.unwrap_or_else(|| panic!("no `{label}` is shown:\n{}", self.texts().join("\n")))
    }

    /// Clicks at a widget.
    #[track_caller]
    pub fn click(&mut self, label: &str) {
        self.widget(label).click();
        self.frames();
    }

    /// Clicks with the other button.
    #[track_caller]
    pub fn click_secondary(&mut self, label: &str) {
        self.widget(label).click_secondary();
        self.frames();
    }

    /// Types a text into a field instead of its own, and presses a key.
    #[track_caller]
    pub fn type_into(&mut self, label: &str, text: &str, key: egui::Key) {
        self.click(label);
        self.harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
        self.frames();
        self.harness.event(egui::Event::Text(text.to_owned()));
        self.frames();
        self.harness.key_press(key);
        self.frames();
    }

    /// Drags a widget to the right.
    #[track_caller]
    pub fn drag(&mut self, label: &str, by: f32) {
        let from = self.widget(label).rect().center();
        self.harness.drag_at(from);
        self.harness.step();
        for part in 1..=5 {
            self.harness.hover_at(from + egui::vec2(by * part as f32 / 5.0, 0.0));
            self.harness.step();
        }
        self.harness.drop_at(from + egui::vec2(by, 0.0));
        self.frames();
    }

    /// The texts of all widgets.
    pub fn texts(&self) -> Vec<String> {
        let nodes = self.harness.root().query_all(egui_kittest::kittest::By::new()).collect::<Vec<_>>();
        let texts = nodes.iter().flat_map(|node| {
            let node = node.accesskit_node();
            [node.label(), node.value()]
        });
        texts.flatten().filter(|text| !text.is_empty()).collect()
    }

    /// The center of a widget with a label.
    pub fn rect_of(&self, label: &str) -> Option<egui::Pos2> {
        self.harness.query_all_by_label(label).next_back().map(|node| node.rect().center())
    }

    /// Whether a text is shown.
    pub fn shows(&self, text: &str) -> bool {
        self.texts().iter().any(|shown| shown.contains(text))
    }

    #[track_caller]
    pub fn assert_shows(&self, texts: &[&str]) {
        for text in texts {
            assert!(self.shows(text), "`{text}` is not shown:\n{}", self.texts().join("\n"));
        }
    }
}
