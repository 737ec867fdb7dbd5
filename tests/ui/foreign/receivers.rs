//! Methods of worlds and of other libraries on commands, the commands of an entity, queries and their iterators.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity, ChildOf } }
    schedule tick { clear, arm, show, follow }
}

#[system(Game)]
fn clear(mut commands: Commands<Game>) {
    commands.clear();
    commands.insert_batch(vec![(Entity::from_bits(1).unwrap(), Position(1.0))]);
    let position = commands.get_mut::<Position>(Entity::from_bits(1).unwrap()).unwrap();
    position.0 = 1.0;
}

#[system(Game)]
fn arm(all: Query<Entity>, mut commands: Commands<Game>) {
    for entity in &all {
        commands.entity(entity).queue(|mut entity: EntityWorldMut| {
            entity.insert(Velocity(1.0));
        });
        commands.entity(entity).despawn_related::<Children>();
        commands.spawn(Position(0.0)).observe(|added: On<Position>| println!("added"));
    }
}

#[system(Game)]
fn show(positions: Query<(Entity, &Position)>) {
    println!("{}", positions[0].1.0);
    for (entity, position) in positions.iter().sort::<Entity>() {
        println!("{entity} {}", position.0);
    }
}

#[system(Game)]
fn follow(children: Query<&ChildOf>) {
    for child in &children {
        println!("{}", child.parent());
    }
}

fn main() {
    let mut game = Game::new();
    // a chain is one mistake
    game.add_event::<u32>().init_resource::<u32>().add_systems((), clear);
    println!("{}", game.len());
}
