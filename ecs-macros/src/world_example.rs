use std::num::ParseIntError;
use std::time::Duration;

use ecs::prelude::*;
use ecs::time::Clock;

/// In a program this is a crate of its own.
mod weather {
    use ecs::prelude::*;

    #[derive(Resource, Clone, Debug, PartialEq)]
    pub struct Wind(pub i32);

    parts! {
        pub weather {
            resources { wind: Wind = Wind(0) }
            schedule step { blow; calm }
        }
    }

    #[system]
    pub fn blow(mut wind: ResMut<Wind>) { wind.0 += 2 }
    #[system]
    pub fn calm(mut wind: ResMut<Wind>) { wind.0 -= 1 }
}

world! {
    /// The documentation of the world.
    #[derive(Clone)]
    #[world(journal = 1024)]
    pub struct Game {
        include weather::weather { wind as breeze = weather::Wind(10) };
        components { health: Health, Goblin, Orc, #[cfg(debug_assertions)] Label }
        resources {
            Clock = Clock::new(),
            FixedTime = FixedTime::new(Duration::from_millis(100)),
            log: Log = Log::default(),
            Playing,
        }
        events { Hit(external, keep = 64, full = newest), Spark(external, skip = clear), Ash }
    }

    observers { wound, die if playing } max 100

    schedule tick {
        spawn(2), spawn(3) as second every 60 if playing && fewer_than(5);
        count | report;
        (heal::<Goblin>, heal::<Orc>; cheer) every 0.5 s if playing && !(is_windy || fewer_than(1));
        react { burn, settle if playing } max 16;
        include weather::step { after blow { trace } } if playing;
        simulate if playing;
        #[cfg(debug_assertions)]
        label,
        (cheer as last) every 500 ms
    }
    /// Runs for each step of the clock.
    schedule simulate every FixedTime { drift }
    schedule start -> Result { read; cheer }
}

#[derive(Component, Clone)]
#[component(tracked)]
pub struct Health(i32);
#[derive(Component, Clone, Default)]
pub struct Goblin;
#[derive(Component, Clone, Default)]
pub struct Orc;
#[derive(Component, Clone)]
#[cfg(debug_assertions)]
pub struct Label;
#[derive(Resource, Clone)]
pub struct Playing(bool);
#[derive(Resource, Clone, Default)]
pub struct Log(Vec<String>);
#[derive(Event, Clone)]
pub struct Hit(Entity, i32);
#[derive(Event, Clone)]
pub struct Spark;
#[derive(Event, Clone)]
pub struct Ash;

#[system(Game)]
fn playing(playing: Res<Playing>) -> bool { playing.0 }
#[system(Game)]
fn is_windy(wind: Res<weather::Wind>) -> bool { wind.0 > 20 }
#[system(Game)]
fn fewer_than(limit: In<usize>, all: Query<&Health>) -> bool { all.len() < *limit }

#[system(Game)]
fn wound(mut hits: EventReader<Hit>, mut healths: Query<Mut<Health>>) {
    for Hit(target, damage) in &mut hits {
        if let Some(mut health) = healths.get_mut(*target) {
            health.0 -= damage;
        }
    }
}
#[system(Game)]
fn die(changed: Query<(Entity, &Health), Changed<Health>>, mut commands: Commands<Game>) {
    changed.iter().filter(|(_, health)| health.0 <= 0).for_each(|(entity, _)| commands.despawn(entity));
}

#[system(Game)]
fn spawn(number: In<usize>, mut commands: Commands<Game>) {
    (0..*number).for_each(|_| _ = commands.spawn((Health(5), Goblin)));
}
#[system(Game)]
fn count(all: Query<&Health>) -> usize { all.len() }
#[system(Game)]
fn report(In(number): In<usize>, mut log: ResMut<Log>) { log.0.push(format!("{number} alive")) }
#[system(Game)]
fn heal<T: Component>(mut health: Mut<Health>, _: With<T>) { health.0 += 1 }
#[system(Game)]
fn cheer(mut log: ResMut<Log>) { log.0.push("hurrah".into()) }
#[system(Game)]
fn burn(mut sparks: EventReader<Spark>, mut ash: EventWriter<Ash>) {
    sparks.iter().for_each(|_| ash.send(Ash));
}
#[system(Game)]
fn settle(mut ash: EventReader<Ash>, mut log: ResMut<Log>) {
    log.0.extend(ash.iter().map(|_| "ash".to_owned()));
}
#[system(Game)]
fn trace(wind: Res<weather::Wind>, mut log: ResMut<Log>) { log.0.push(format!("wind {}", wind.0)) }
#[system(Game)]
fn drift(mut log: ResMut<Log>) { log.0.push("drift".into()) }
#[system(Game)]
#[cfg(debug_assertions)]
fn label(_: Query<&Label>) {}
#[system(Game)]
fn read(mut log: ResMut<Log>) -> Result<(), ParseIntError> {
    log.0.clear();
    "7".parse::<u32>().map(|number| log.0.push(number.to_string()))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Game::new(Playing(true));
    game.start()?;
    game.resource_mut::<Clock>().advance(Duration::from_millis(500));
    game.resource_mut::<FixedTime>().advance(Duration::from_millis(200));
    let rat = game.spawn(Health(3));
    game.send(Hit(rat, 4));
    game.send(Spark);
    game.tick();
    assert!(!game.contains(rat));
    assert_eq!(
        game.resource::<Log>().0,
        ["7", "hurrah", "2 alive", "hurrah", "ash", "wind 12", "drift", "drift", "hurrah"],
    );
    assert_eq!(game.resource::<weather::Wind>(), &weather::Wind(11));
    Ok(())
}
