//! The programs that follow the advice of messages about types and methods of other libraries to the letter.
use ecs::component::{Disabled, Name};
use ecs::prelude::*;
use ecs::query::AllowDisabled;
use ecs::state::transition;
use ecs::time::{Clock, Timer};

#[derive(Component, Clone)]
#[component(tracked, removed, deref)]
struct Position(f32);
#[derive(Component, Clone)]
struct Velocity(f32);
#[derive(Resource, Clone)]
struct Score(u32);
#[derive(Event, Clone)]
struct Hit(u32);
#[derive(States, Clone, PartialEq)]
enum Screen {
    Menu,
    Play,
}

world! {
    #[derive(Clone)]
    struct Game {
        components { Position, Velocity, ChildOf, Name, Disabled }
        resources { Score = Score(0), State<Screen> = State::new(Screen::Menu), Clock = Clock::new() }
        events { Hit(external) }
    }
    schedule tick {
        start; transition::<Screen>; drift, welcome, count, clear, lend, added, losses, family, wait, deferred, sorted, all, nested, sparks
    }
    schedule watched -> Result { watch }
}

#[system(Game)]
fn start(mut next: ResMut<State<Screen>>) {
    next.set(Screen::Play).unwrap();
    if **next == Screen::Menu {
        println!("{}", next.get() == &Screen::Menu);
    }
}

#[system(Game)]
fn drift(mut positions: Query<(Mut<Position>, &Velocity)>) {
    for (mut position, velocity) in &mut positions {
        **position += velocity.0;
    }
}

#[system(Game)]
fn welcome(new: Query<Entity, (With<Position>, Added<Position>)>, entered: Entered<With<Position>>) {
    println!("{} {}", new.len(), entered.iter().count());
}

#[system(Game)]
fn count(positions: Query<&Position>, mut score: ResMut<Score>) {
    score.0 = positions.len() as u32;
}

#[system(Game)]
fn clear(mut hits: EventReader<Hit>) {
    for hit in &mut hits {
        println!("{}", hit.0);
    }
}

#[system(Game)]
fn lend(q: Query<(Entity, Sources<ChildOf>)>, parents: Query<&ChildOf>) {
    println!("{} {:?}", q.len(), parents.iter().map(|child_of| child_of.0).next());
}

#[system(Game)]
fn added(add: Query<(Entity, &Position), Added<Position>>) {
    println!("{}", add.len());
}

#[system(Game)]
fn losses(mut gone: Removed<Position>) {
    println!("{}", gone.iter().count());
}

#[system(Game)]
fn family(all: Query<Entity, AllowDisabled>, family: Related<ChildOf>, mut commands: Commands<Game>) {
    for entity in &all {
        for &child in family.sources(entity) {
            commands.despawn(child);
        }
    }
}

#[system(Game)]
fn wait(clock: Res<Clock>) {
    let mut timer = Timer::once(clock.delta());
    println!("{} {}", clock.delta().as_secs_f32(), timer.fraction());
    if timer.tick(clock.delta()) > 0 {
        println!("{}", timer.is_finished());
    }
}

#[system(Game)]
fn deferred(all: Query<Entity, With<Velocity>>, mut commands: Commands<Game>) {
    commands.run(|game| game.clear());
    let batch: Vec<_> = all.iter().map(|entity| (entity, Position(1.0))).collect();
    commands.run(move |game| {
        game.insert_batch(batch).unwrap();
    });
    for entity in &all {
        commands.entity(entity).insert_if_new(Position(1.0)).ok();
        commands.run(move |game| {
            game.clone_entity(entity).ok();
        });
        commands.remove::<ChildOf>(entity);
    }
}

#[system(Game)]
fn sorted(positions: Query<(Entity, &Position)>) {
    for (entity, position) in positions.sorted_by_key(|(entity, _)| *entity) {
        println!("{entity} {}", position.0);
    }
    let _ = (positions.iter().nth(0), positions.iter().next(), positions.len());
}

#[system(Game)]
fn all(kept: Query<(Option<&Position>, Option<&Velocity>), Or<(With<Position>, With<Velocity>)>>) {
    println!("{}", kept.len());
}

#[system(Game)]
fn watch(positions: Query<&Position>) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    println!("{}", positions.single()?.0);
    Ok(())
}

#[system(Game)]
fn nested(mut commands: Commands<Game>, mut next: ResMut<State<Screen>>) {
    next.change::<screen::Menu, screen::Play>();
    let parent = commands.spawn_with_children(Position(1.0), ChildOf, children![Position(2.0) => [Position(3.0)]]);
    commands.spawn_children(parent, |parent| ChildOf(parent), children![Velocity(1.0)]);
}

#[system(Game, par)]
fn sparks(position: &Position, mut commands: ParCommands<Game>) {
    commands.spawn_then(Position(position.0), |game, id| {
        game.insert(id, Velocity(1.0)).ok();
    });
}

pub fn main() {
    let mut game = Game::new();
    let ball = game.spawn((Position(1.0), Velocity(1.0), Name::new("ball")));
    let child = game.spawn((Position(1.0), ChildOf(ball)));
    game.insert(child, Disabled).unwrap();
    println!("{} {:?}", game.entities().len(), game.find_one::<Name>("ball"));
    println!("{:?}", game.get::<ChildOf>(child).map(|parent| parent.0));
    println!("{}", game.resource::<Score>().0);
    println!("{}", game.spawn_columns((vec![Position(1.0)], vec![Velocity(2.0)])).count());
    let _ = game.with_commands(|mut commands| commands.spawn(()));
    let _ = game.run::<start>();
    println!("{} {:?}", game.has::<Velocity>(ball), game.relate(child, ChildOf(ball)));
}
