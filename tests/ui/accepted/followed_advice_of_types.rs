//! Programs that follow the advice of messages about lists, parameters and saved worlds to the letter.
use std::time::Duration;

use ecs::Prefab;
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

mod physics {
    use ecs::prelude::*;
    use serde::{Deserialize, Serialize};

    #[derive(Component, Serialize, Deserialize)]
    pub struct Mass(pub f32);

    parts! {
        pub physics {
            components { Mass }
            schedule step { fall }
        }
    }

    #[system]
    pub fn fall(mass: &mut Mass) {
        mass.0 += 1.0;
    }
}

#[derive(Component, Serialize, Deserialize, Debug)]
struct Position(f32);
#[derive(Component, Serialize, Deserialize)]
struct Velocity(f32);
#[derive(Component, Serialize, Deserialize)]
struct Player;
#[derive(Component, Serialize, Deserialize)]
struct Enemy;
#[derive(Relation, Serialize, Deserialize)]
#[relation(many)]
struct Likes(Entity);
#[derive(Resource, Serialize, Deserialize)]
struct Score(u32);
#[derive(Event, Serialize, Deserialize)]
struct Hit(u32);
#[derive(States, Serialize, Deserialize)]
enum Phase {
    Menu,
    Play,
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Game {
        include physics::physics;
        components { Position, Velocity, Player, Enemy, ChildOf, likes: Many<Likes> }
        resources { Score = Score(0), State<Phase> = State::new(Phase::Menu) }
        events { Hit(external) }
    }
    schedule tick { movement if entered::<phase::Menu> }
    schedule frame { transition::<Phase>; joined, whole, one, filtered, read, removed; storages; include physics::step }
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

#[system(Game)]
fn joined(mut bodies: Query<(&mut Position, &Velocity)>) {
    for (a, b) in &bodies {
        println!("{} {}", a.0, b.0);
    }
    for (a, b) in &mut bodies {
        a.0 += b.0;
    }
}

#[system(Game)]
fn whole(single: Single<(&Position, &Velocity)>) {
    let (position, velocity) = single.into_inner();
    println!("{} {}", position.0, velocity.0);
}

#[system(Game)]
fn one(single: Single<&mut Position>) {
    let position = single.into_inner();
    position.0 += 1.0;
}

#[system(Game)]
fn filtered(
    first: Query<&Position, With<Enemy>>,
    second: Query<&Position, (With<Player>, Without<Enemy>)>,
    third: Query<(Entity, Option<&Position>), (With<Player>, Without<Enemy>)>,
) {
    assert_eq!(second.len(), third.len());
    println!("{} {}", first.len(), second.len());
}

#[system(Game)]
fn read(name: Res<Score>, mut hit: EventReader<Hit>) {
    let (mut once, repeating) = (Timer::once(Duration::from_secs(1)), Timer::repeating(Duration::from_secs(1)));
    if once.tick(repeating.remaining()) > 0 {
        println!("{} {}", name.0, hit.iter().map(|hit| hit.0).sum::<u32>());
    }
}

#[system(Game)]
fn removed(mut commands: Commands<Game>) {
    commands.run(|game| { game.remove_all::<Enemy>(); });
}

#[system(Game)]
fn storages(mut storage: Storage<Velocity>, all: Query<Entity>) {
    println!("{}", storage.iter().map(|(entity, _)| entity).count());
    let mut add = |entity| -> Result<(), ecs::error::InsertError> {
        let component = Velocity(1.0);
        if !storage.contains(entity) { storage.insert(entity, component)?; }
        storage.remove(entity);
        Ok(())
    };
    all.iter().for_each(|entity| add(entity).unwrap());
}

pub fn main() {
    run().unwrap();
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Game::new();
    let (value, parent) = (Phase::Play, game.spawn(Position(0.0)));
    let entity = game.spawn(ChildOf(parent));
    game.tick();
    game.frame();
    game.resource_mut::<State<Phase>>().set(value)?;
    println!("{} {:?}", game.relations::<Likes>(entity).len(), game.target::<ChildOf>(entity));
    for child in game.sources::<ChildOf>(parent).to_vec() { game.despawn(child)?; }
    let bytes = game.to_bytes()?;
    let loaded = Game::load(&bytes)?;
    let text: &str = &serde_json::to_string(&game)?;
    let read = serde_json::from_str::<Game>(text)?;
    println!("{} {}", loaded.entities().len(), read.entities().len());
    Ok(())
}

fn files(game: &Game, path: &str, name: &str, text: &str) -> Result<(), Box<dyn std::error::Error>> {
    let named = Prefab::<Game>::from_json(name, text);
    let from_file = Prefab::<Game>::from_json(path, &std::fs::read_to_string(path)?);
    println!("{} {}", named.is_ok(), from_file.is_ok());
    game.save(std::fs::File::create(path)?)?;
    Ok(())
}
