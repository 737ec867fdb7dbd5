//! With the feature `trace` every turn of a system is a span, with the names of system, schedule and world; commands that
//! come too late are warnings.

use std::fmt::Write;
use std::sync::{Arc, Mutex};

use ecs::prelude::*;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement; bury if !paused }
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

#[system(Game)]
fn bury(all: Query<'_, Entity>, mut commands: Commands<'_, Game>) {
    for entity in &all {
        commands.despawn(entity);
        commands.despawn(entity);
    }
}

#[system(Game)]
fn paused() -> bool {
    false
}

/// Writes down what it is told.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<String>>);

struct Words<'a>(&'a mut String);

impl Visit for Words<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        let _ = write!(self.0, " {field}={value:?}");
    }
}

impl Subscriber for Notes {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("ecs")
    }
    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut notes = self.0.lock().unwrap();
        notes.push_str(span.metadata().name());
        span.record(&mut Words(&mut notes));
        notes.push('\n');
        Id::from_u64(1)
    }
    fn event(&self, event: &Event<'_>) {
        let mut notes = self.0.lock().unwrap();
        notes.push_str(event.metadata().level().as_str());
        event.record(&mut Words(&mut notes));
        notes.push('\n');
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[test]
fn systems_are_spans_and_strays_are_warnings() {
    let notes = Notes::default();
    tracing::subscriber::with_default(notes.clone(), || {
        let mut game = Game::new();
        let entity = game.spawn(Position(0.0));
        game.tick();
        let text = notes.0.lock().unwrap().clone();
        assert_eq!(
            text,
            format!(
                "system system=\"movement\" schedule=\"tick\" world=\"Game\"\n\
                system system=\"bury\" schedule=\"tick\" world=\"Game\"\n\
                WARN message=world `Game`: `despawn` of system `bury`: entity {entity} no longer exists; `despawn_if_alive` accepts that\n"
            )
        );
    });
}
