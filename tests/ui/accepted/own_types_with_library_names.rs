//! Components of the user with the names of an id and of a trait of the library, and helpers that take queries of static data.
use ecs::prelude::{Commands, Component, Query, With};
use ecs::{World as _, system, world};

mod own {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Entity(pub u32);
    #[derive(Component)]
    pub struct World(pub u32);
}
use own::{Entity, World};

#[derive(Component)]
struct Position(f32);

type Positions<'w> = Query<'w, (ecs::Entity, &'static Position), With<Position>>;
type Moved<'w> = Query<'w, &'static mut Position>;

world! {
    struct Game {
        components { Entity, World, Position }
    }
    schedule tick { look, see, count, show, print, push }
}

#[system(Game)]
fn look(world: &World) {
    println!("{}", world.0);
}

#[system(Game)]
fn see(entity: &Entity, world: &mut World) {
    world.0 += entity.0;
}

#[system(Game)]
fn count(all: Query<(&Entity, Option<&World>)>, mut commands: Commands<Game>) {
    println!("{}", all.len());
    commands.spawn(Entity(1));
}

#[system(Game)]
fn show(positions: Query<(ecs::Entity, &Position), With<Position>>) {
    print_all(&positions);
}

#[system(Game)]
fn print<'w>(positions: Query<'w, &'w Position>) {
    println!("{}", positions.iter().count());
}

#[system(Game)]
fn push(mut positions: Query<&mut Position>) {
    push_all(&mut positions);
    push_each(&mut positions);
}

fn print_all(positions: &Positions<'_>) {
    for (entity, position) in positions {
        println!("{entity} {}", position.0);
    }
}

fn push_all(positions: &mut Moved<'_>) {
    positions.iter_mut().for_each(|position| position.0 += 1.0);
}

fn push_each(positions: &mut Query<&mut Position>) {
    positions.iter_mut().for_each(|position| position.0 += 1.0);
}

pub fn main() {
    let mut game = Game::new();
    game.spawn((Entity(1), World(2), Position(0.0)));
    game.tick();
}
