//! The world of these tests, and a terminal of text.

use ecs::prelude::*;
use ecs::reflect::{AspectList, AspectNames, PrefabLibrary, ReflectWorld};
use ecs_inspect::Inspector;
use ecs_inspect::ratatui::Terminal;
use ecs_inspect::ratatui::backend::TestBackend;
use ecs_inspect::ratatui::crossterm::event::{Event, KeyCode, KeyEvent};
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Name(pub String);

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
#[component(tracked)]
pub struct Health {
    pub now: u32,
    pub max: u32,
}

impl Default for Health {
    fn default() -> Self {
        Self { now: 10, max: 10 }
    }
}

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Position(pub f32, pub f32);

#[derive(Component, Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
#[component(excludes(Burning))]
pub struct Frozen;

#[derive(Component, Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
#[component(excludes(Frozen))]
pub struct Burning;

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
#[component(unique)]
pub struct Player;

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Eq, Hash, Debug)]
#[component(key)]
pub struct Account(pub u32);

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
#[component(requires(Health))]
pub struct Monster {
    pub kind: Kind,
    pub target: Option<Entity>,
    pub path: Vec<(i8, i8)>,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub enum Kind {
    Wolf,
    Ghost(u8),
    Dragon { heads: u8 },
}

#[derive(Relation, Serialize, Deserialize, Clone, PartialEq, Debug)]
#[relation(exclusive, gone = remove)]
pub struct Likes(pub Entity);

#[derive(Component)]
#[component(hidden)]
pub struct Secret(pub u8);

#[derive(Resource, Serialize, Deserialize, Default, Clone, PartialEq, Debug)]
pub struct Clock {
    pub step: f32,
    pub frame: u64,
}

#[derive(Event, Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Hit {
    pub entity: Entity,
    pub points: u32,
}

world! {
    #[derive(Reflect)]
    pub struct Game {
        components { Name, Health, Position, Frozen, Burning, Player, Account, Monster, Secret, Likes, ChildOf }
        resources { Clock, PrefabLibrary = prefabs() }
        events { Hit(external) }
    }
    schedule tick { count; hurt; heal }
    schedule import -> Result { read }
}

/// Something that can be hurt.
#[derive(Aspect)]
pub struct Body {
    #[aspect(.now = 4)]
    health: Health,
    #[aspect(default = Name("body".into()))]
    name: Name,
}

#[derive(Aspect)]
pub struct Ghost {
    #[aspect(default = Frozen)]
    frozen: Frozen,
}

impl AspectNames for Game {
    fn aspect_names(list: AspectList<Self>) -> AspectList<Self> {
        list.aspect::<Body>().aspect::<Ghost>()
    }
}

fn prefabs() -> PrefabLibrary {
    serde_json::from_str(r#"{ "rat": { "rat": { "Name": "Rat" }, "flea": { "ChildOf": "rat" } } }"#).unwrap()
}

#[system(Game)]
fn read() -> Result<(), String> {
    Err("no such file".into())
}

#[system(Game)]
fn count(mut clock: ResMut<Clock>) {
    clock.frame += 1;
}

#[system(Game)]
fn hurt(mut hits: EventReader<Hit>, mut healths: Query<Mut<Health>>) {
    for hit in &mut hits {
        if let Some(mut health) = healths.get_mut(hit.entity) {
            health.now = health.now.saturating_sub(hit.points);
        }
    }
}

#[system(Game)]
fn heal(mut health: Mut<Health>, _: Without<Frozen>) {
    if health.now < health.max {
        health.now += 1;
    }
}

/// A pack of wolves with a player.
pub fn game() -> (Game, [Entity; 4]) {
    let mut game = Game::default();
    let wolf = |game: &mut Game, name: &str, now| {
        game.spawn((Name(name.into()), Health { now, max: 9 }, Position(now as f32, 0.5)))
    };
    let player = game.spawn((Name("Ada".into()), Health { now: 7, max: 9 }, Player, Account(7)));
    let grey = wolf(&mut game, "Grey", 3);
    let white = wolf(&mut game, "White", 5);
    let cub = wolf(&mut game, "Cub", 1);
    for (child, parent) in [(white, grey), (cub, white)] {
        game.insert(child, ChildOf(parent)).unwrap();
    }
    game.insert(cub, Monster { kind: Kind::Dragon { heads: 2 }, target: Some(player), path: vec![(1, 2)] })
        .unwrap();
    (game, [player, grey, white, cub])
}

/// An inspector on a terminal of text.
pub struct Screen {
    pub inspector: Inspector,
    pub terminal: Terminal<TestBackend>,
}

impl Screen {
    pub fn new(width: u16, height: u16) -> Self {
        let terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        Self { inspector: Inspector::new(), terminal }
    }

    /// Draws, and returns the text of the screen without blanks at the ends of lines.
    pub fn draw(&mut self, world: &dyn ReflectWorld) -> String {
        self.terminal.draw(|frame| self.inspector.draw(frame, world)).unwrap();
        let buffer = self.terminal.backend().buffer();
        let width = usize::from(buffer.area.width.max(1));
        let row = |cells: &[ecs_inspect::ratatui::buffer::Cell]| {
            let text: String = cells.iter().map(|cell| cell.symbol()).collect();
            format!("{}\n", text.trim_end())
        };
        buffer.content.chunks(width).map(row).collect()
    }

    /// Presses keys: characters, and `<Enter>`, `<Esc>`, `<Tab>`, `<Up>`, `<Down>`, `<Left>`,
    /// `<Right>`, `<End>`, `<Home>`.
    pub fn press(&mut self, keys: &str, world: &mut dyn ReflectWorld) -> String {
        let mut rest = keys;
        while let Some(c) = rest.chars().next() {
            let named = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
            let code = named.and_then(|(name, _)| match name {
                "Enter" => Some(KeyCode::Enter),
                "Esc" => Some(KeyCode::Esc),
                "Tab" => Some(KeyCode::Tab),
                "Up" => Some(KeyCode::Up),
                "Down" => Some(KeyCode::Down),
                "Left" => Some(KeyCode::Left),
                "Right" => Some(KeyCode::Right),
                "Home" => Some(KeyCode::Home),
                "End" => Some(KeyCode::End),
                "PgDn" => Some(KeyCode::PageDown),
                "PgUp" => Some(KeyCode::PageUp),
                "Bs" => Some(KeyCode::Backspace),
                _ => None,
            });
            rest = match (code, named) {
                (Some(_), Some((_, rest))) => rest,
                _ => &rest[c.len_utf8()..],
            };
            if code.is_some() {
                self.draw(world);
            }
            let code = code.unwrap_or(KeyCode::Char(c));
            self.inspector.handle(Event::Key(KeyEvent::from(code)), world);
        }
        self.draw(world)
    }
}

/// Asserts that a screen contains lines, without a look at what is around them.
#[track_caller]
pub fn assert_shows(screen: &str, parts: &[&str]) {
    for part in parts {
        assert!(screen.contains(part), "`{part}` is not on the screen:\n{screen}");
    }
}
