//! Fields whose types are not saved: one error for each type, at its field.
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Clone)]
struct Vec2 {
    x: f32,
    y: f32,
}
enum Mood {
    Calm,
    Angry,
}
#[derive(Component, Serialize, Deserialize)]
struct Position(Vec2);
#[derive(Resource, Serialize, Deserialize)]
struct Path {
    points: Vec<Vec2>,
}
#[derive(Event, Serialize, Deserialize)]
struct Moved {
    from: Option<Mood>,
    to: Mood,
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Game {
        components { Position }
        resources { Path = Path { points: Vec::new() } }
        events { Moved(external) }
    }
}

fn main() {
    Game::new();
}
