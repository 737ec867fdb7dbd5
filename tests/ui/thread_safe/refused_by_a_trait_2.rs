//! Several mistakes of one kind (thread safe) in one program: traits refuse them.
use ecs::prelude::*;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::rc::Rc;

#[derive(Component)]
struct Position(f32);
#[derive(Resource)]
struct Shared<T>(T);
#[derive(Relation)]
#[relation(exclusive)]
struct Holds {
    #[target]
    thing: Entity,
    grip: Rc<u32>,
}
#[derive(Relation)]
#[relation(many)]
struct Owes {
    #[target]
    to: Entity,
    what: Rc<u32>,
}
#[derive(Component, Clone)]
struct Handle(f32);
#[derive(Resource, Clone)]
struct Window(Rc<u32>);
#[derive(Resource, Serialize, Deserialize)]
struct Score(Cell<u32>);
#[derive(Event, Serialize, Deserialize)]
struct Said(Cell<u32>);

world! {
    struct Game {
        components { Position }
        resources { window: Shared<Rc<u32>> }
    }
    schedule tick { movement; draw }
}

world! {
    struct RelationGame { components { Holds, owes: Many<Owes> } }
    schedule tick { drop_all }
}

world! {
    #[derive(Clone)]
    struct ResourceGame {
        components { Handle }
        resources { window: Window }
    }
    schedule tick { resource, resource_draw if open; many }
}

world! {
    #[derive(Serialize, Deserialize)]
    struct SavedGame {
        resources { Score }
        events { Said }
    }
    schedule tick { say, hear }
}

// A generic resource whose argument cannot move to another thread.
#[system(Game)]
fn movement(position: &mut Position, window: Res<Shared<Rc<u32>>>) {
    position.0 += *window.0 as f32;
}

#[system(Game)]
fn draw(mut window: ResMut<Shared<Rc<u32>>>) {
    window.0 = Rc::new(2);
}

fn generic_resource() {
    let mut game = Game::new(Shared(Rc::new(1)));
    game.tick();
    game.run::<draw>();
}

// A relation that is not `Send` is one error, whether it has one target or many.
#[system(RelationGame)]
fn drop_all(holding: Query<(Entity, &Holds)>, mut commands: Commands<RelationGame>) {
    for (entity, _) in &holding {
        commands.remove::<Holds>(entity);
    }
}

fn relation() {
    let mut game = RelationGame::new();
    let (a, b) = (game.spawn(()), game.spawn(()));
    game.insert(a, Holds { thing: b, grip: Rc::new(1) }).unwrap();
    game.relate(a, Owes { to: b, what: Rc::new(1) }).unwrap();
}

// A resource that cannot move to another thread, in a world whose systems use it in every way.
#[system(ResourceGame)]
fn resource(position: &mut Handle, window: Res<Window>) {
    position.0 += *window.0 as f32;
}

#[system(ResourceGame)]
fn resource_draw(positions: Query<&Handle>, mut window: ResMut<Window>) {
    window.0 = Rc::new(positions.len() as u32);
}

#[system(ResourceGame)]
fn open(window: Res<Window>) -> bool {
    *window.0 == 1
}

#[system(ResourceGame, par)]
fn many(position: &mut Handle, window: Res<Window>) {
    position.0 += *window.0 as f32;
}

fn resource_main() {
    let mut game = ResourceGame::new(Window(Rc::new(1)));
    game.tick();
    game.run::<resource_draw>();
    let before = game.snapshot();
    game.resource_mut::<Window>().0 = Rc::new(2);
    game.restore(&before);
}

// A resource and an event that are not `Sync`, in a world that is saved.
#[system(SavedGame)]
fn say(mut said: EventWriter<Said>, score: Res<Score>) {
    said.send(Said(score.0.clone()));
}

#[system(SavedGame)]
fn hear(mut said: EventReader<Said>, mut score: ResMut<Score>) {
    for said in &mut said {
        score.0 = said.0.clone();
    }
}

fn saved() {
    let mut game = SavedGame::new(Score(Cell::new(1)));
    game.tick();
    let bytes = game.to_bytes().unwrap();
    let _ = SavedGame::load(&bytes);
}

fn main() {}
