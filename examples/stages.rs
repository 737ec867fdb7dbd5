//! Stages: commands are applied at the end of a stage. Also `react` blocks, nested schedules, and
//! fixed time steps.

use std::time::Duration;

use ecs::prelude::*;

/// A barrel of powder, with its distance from the fuse.
#[derive(Component)]
struct Barrel(i32);
#[derive(Component)]
struct Smoke(u32);

#[derive(Event)]
struct Explosion(i32);

world! {
    struct Cellar {
        components { Barrel, Smoke }
        resources { time: FixedTime = FixedTime::new(Duration::from_millis(20)) }
        events { Explosion(external) }
    }
    /// One frame.
    schedule frame {
        drift;                                  // a schedule of this world
        react { explode, report } max 100;      // until no explosion is left that nobody has seen
        draw
    }
    /// Runs once for each 20 milliseconds of passed time.
    schedule drift every FixedTime { thin; clear; }
}

/// Lets every barrel within two steps explode, too. It uses commands, since the query must not
/// change while it is iterated.
#[system(Cellar)]
fn explode(
    mut explosions: EventReader<Explosion>,
    barrels: Query<(Entity, &Barrel)>,
    mut commands: Commands<Cellar>,
) {
    for Explosion(at) in &mut explosions {
        for (entity, barrel) in barrels.iter().filter(|(_, barrel)| (barrel.0 - at).abs() <= 2) {
            let at = barrel.0;
            commands.despawn(entity);
            commands.spawn(Smoke(3));
            commands.run(move |cellar| cellar.send(Explosion(at)));
        }
    }
}

#[system(Cellar)]
fn report(barrels: Query<&Barrel>) {
    println!("  {} barrels", barrels.len());
}

#[system(Cellar)]
fn thin(smoke: &mut Smoke) {
    smoke.0 -= 1;
}

#[system(Cellar)]
fn clear(entity: Entity, smoke: &Smoke, mut commands: Commands<Cellar>) {
    if smoke.0 == 0 {
        commands.despawn(entity);
    }
}

#[system(Cellar)]
fn draw(barrels: Query<&Barrel>, smoke: Query<&Smoke>, time: Res<FixedTime>) {
    let (left, clouds) = (barrels.len(), smoke.len());
    println!("{left} barrels, {clouds} clouds, {:.2} of the next step", time.alpha());
}

fn main() {
    let mut cellar = Cellar::new();
    cellar.spawn_batch([1, 2, 4, 6, 9, 10].map(Barrel));
    cellar.send(Explosion(0));
    for _ in 0..4 {
        cellar.resource_mut::<FixedTime>().advance(Duration::from_millis(25));
        cellar.frame();
    }
}
