//! Mistakes in a type that a world lists: the list causes no second error.
use ecs::prelude::*;
use ecs::Aspect;

// a lifetime
#[derive(Component)]
struct Label<'a>(&'a str);

// an option in quotes
#[derive(Component)]
#[component("tracked")]
struct Position(f32);

// a state that the enum does not have
#[derive(States)]
enum Mode {
    #[state(to(Pause))]
    Menu,
    Play(u32),
}

// values that are no components
#[derive(Bundle)]
struct Ball {
    position: Position,
    title: String,
}
#[derive(Aspect)]
struct Monster {
    speed: u32,
    names: Vec<String>,
}
#[derive(Aspect)]
enum Animal {
    Rat(Position),
}

// listed in another section, as a collection, and without its parameter
#[derive(Resource)]
struct Score(u32);
#[derive(Event)]
struct Hit(u32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Pool<T: Send + Sync + 'static>(Vec<T>);
// the attribute of bevy
#[derive(Relation)]
#[relationship(exclusive)]
struct Owner(Entity);

world! {
    struct Game {
        components { Label, Position, Score, velocity: Vec<Velocity>, Pool, Owner }
        resources { State<Mode> = State::new(Mode::Menu), Hit = Hit(1) }
    }
    schedule tick { hear; count; show if in_state::<mode::Menu>; transition::<Mode> }
}

#[system(Game)]
fn show(positions: Query<&Position>, velocities: Query<&Velocity>) {
    println!("{} {}", positions.len(), velocities.len());
}

// a borrow of what is no component
#[system(Game)]
fn hear(hit: &Hit) {
    println!("{}", hit.0);
}

#[system(Game)]
fn count(score: &mut Score) {
    score.0 += 1;
}

fn main() {
    let mut game = Game::new();
    game.spawn(Ball { position: Position(0.0), title: "ball".into() });
    game.spawn(Monster::fresh());
    game.spawn(Animal::fresh());
}
