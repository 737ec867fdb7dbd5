//! A user's traits, schedules and methods that are named like methods of other libraries: they are called, whatever the library says of
//! the names.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Event)]
struct Bumped(u32);

world! {
    struct Game {
        components { Position }
        events { Bumped }
    }
    schedule tick { bump, hear, count, launch }
    schedule progress { hear }
    schedule flush { hear }
}

impl Game {
    fn create_entity(&mut self) -> Entity {
        self.spawn(())
    }
    fn save(&mut self) -> usize {
        self.entities().len()
    }
    fn load() -> Self {
        Self::new()
    }
}

trait WorldVerbs: World {
    fn add(&mut self, position: Position) -> Entity
    where
        Self: Has<Position>,
    {
        self.spawn(position)
    }
    fn iter(&self) -> Vec<Entity> {
        self.entities().iter().collect()
    }
    fn hash(&self) -> u64 {
        7
    }
}
impl<W: World> WorldVerbs for W {}

trait Spawns {
    fn add(&mut self) -> Entity;
    fn trigger(self, number: u32) -> u32;
}
impl Spawns for Commands<'_, Game> {
    fn add(&mut self) -> Entity {
        self.spawn(())
    }
    fn trigger(mut self, number: u32) -> u32 {
        self.add();
        number
    }
}

trait Reads<E> {
    fn read(&mut self) -> std::slice::Iter<'_, E>;
}
impl<E> Reads<E> for EventReader<'_, E> {
    fn read(&mut self) -> std::slice::Iter<'_, E> {
        [].iter()
    }
}

trait Writes {
    fn write(&mut self, number: u32);
}
impl Writes for EventWriter<'_, Bumped> {
    fn write(&mut self, number: u32) {
        self.send(Bumped(number));
    }
}

trait Single {
    fn get_single(&self) -> u32;
}
impl Single for Query<'_, &Position> {
    fn get_single(&self) -> u32 {
        1
    }
}

#[system(Game)]
fn bump(mut bumps: EventWriter<Bumped>) {
    bumps.write(1);
}

#[system(Game)]
fn hear(mut bumps: EventReader<Bumped>) {
    let _: Option<u32> = bumps.read().map(|bump| bump.0).next();
}

#[system(Game)]
fn count(positions: Query<&Position>) {
    let _: u32 = positions.get_single();
}

#[system(Game)]
fn launch(mut commands: Commands<Game>) {
    let _: Entity = commands.add();
    assert_eq!(commands.trigger(3), 3);
}

pub fn main() {
    let mut game = Game::load();
    game.add(Position(0.0));
    game.create_entity();
    assert_eq!((game.iter().len(), game.hash(), game.save()), (2, 7, 2));
    game.tick();
    game.progress();
    game.flush();
}
