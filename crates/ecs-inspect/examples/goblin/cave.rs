//! A cave with a poisoned goblin, and the keys of somebody who asks why it has died.

use std::fmt::Write;

use ecs::prelude::*;
use ecs_inspect::Inspector;
use ecs_inspect::ecs_history::{Limit, TimeMachine};
use ecs_inspect::ratatui::Terminal;
use ecs_inspect::ratatui::backend::TestBackend;
use ecs_inspect::ratatui::crossterm::event::{Event, KeyCode, KeyEvent};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize)]
pub(crate) struct Health {
    pub(crate) now: i32,
}

#[derive(Component, Clone, Serialize, Deserialize)]
pub(crate) struct Poison(pub(crate) i32);

world! {
    #[derive(Clone, Serialize, Deserialize, Reflect)]
    pub(crate) struct Cave { components { Health, Poison } }
    schedule tick { hurt, wear; bury }
}

#[system(Cave)]
fn hurt(health: &mut Health, poison: &Poison) {
    health.now -= poison.0;
}

#[system(Cave)]
fn wear(poison: &mut Poison) {
    poison.0 = (poison.0 - 1).max(0);
}

#[system(Cave)]
fn bury(all: Query<(Entity, &Health)>, mut commands: Commands<Cave>) {
    all.iter().filter(|(_, health)| health.now <= 0).for_each(|(dead, _)| commands.despawn(dead));
}

/// A cave in which the goblin dies in run 2, after six runs.
pub(crate) fn cave() -> (Cave, Entity, TimeMachine<Cave>) {
    let mut cave = Cave::new();
    let goblin = cave.spawn((Health { now: 8 }, Poison(4)));
    cave.spawn(Health { now: 100 });
    let machine = TimeMachine::new(Limit::runs(100));
    for _ in 0..6 {
        machine.run(&mut cave, Cave::tick);
    }
    (cave, goblin, machine)
}

/// The screens after some keys, with what was pressed before each of them.
pub(crate) fn recording() -> String {
    const KEYS: [(&str, &str); 4] = [
        ("six runs later, the goblin is gone", ""),
        ("who has changed its health?", ":who 0v1 Health.now\n"),
        ("there: after the system that has buried it", "\n"),
        ("two systems back: it is alive, with less than no health", "{{"),
    ];
    let (mut cave, _, machine) = cave();
    let mut inspector = Inspector::new().history(machine);
    let mut terminal = Terminal::new(TestBackend::new(96, 16)).expect("a terminal of text");
    let mut recording = String::new();
    for (caption, keys) in KEYS {
        for key in keys.chars() {
            let code = if key == '\n' { KeyCode::Enter } else { KeyCode::Char(key) };
            inspector.handle(Event::Key(KeyEvent::from(code)), &mut cave);
            // the inspector looks for rows where it has drawn them
            terminal.draw(|frame| inspector.draw(frame, &cave)).expect("a terminal of text");
        }
        terminal.draw(|frame| inspector.draw(frame, &cave)).expect("a terminal of text");
        let pressed = keys.replace('\n', "<Enter>");
        let separator = if keys.is_empty() { "" } else { "   " };
        writeln!(recording, "# {caption}{separator}{pressed}\n").expect("a text takes all");
        let buffer = terminal.backend().buffer();
        for row in buffer.content.chunks(usize::from(buffer.area.width)) {
            let text: String = row.iter().map(|cell| cell.symbol()).collect();
            writeln!(recording, "{}", text.trim_end()).expect("a text takes all");
        }
        recording.push('\n');
    }
    recording
}
