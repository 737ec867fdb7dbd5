//! A system with a reported mistake may be the reader or the writer of an event; the missing
//! sender of a delayed event is one error.
use ecs::prelude::*;
use ecs::time::{Clock, Delayed};

#[derive(Event)]
struct Died(Entity);
#[derive(Event)]
struct Hit(Entity);
#[derive(Event)]
struct Healed(Entity);
#[derive(Event)]
struct Explodes;

world! {
    struct Game {
        events { Died, Hit }
    }
    schedule tick { damage; bury }
}

#[system(Game)]
fn damage(hits: MessageReader<Hit>, mut died: EventWriter<Died>) {
    for Hit(entity) in &mut hits {
        died.send(Died(*entity));
    }
}

#[system(Game)]
fn bury(died: &mut EventReader<Died>, mut hits: EventWriter<Hit>) {
    for Died(entity) in died {
        hits.send(Hit(*entity));
    }
}

world! {
    struct Arena {
        resources { clock: Clock = Clock::new(), bombs: Delayed<Explodes> = Delayed::new() }
        events { Explodes, Healed }
    }
    schedule round { light; explode }
}

#[system(Arena)]
fn light(clock: Res<Clock>, mut bombs: ResMut<Delayed<Explodes>>) {
    bombs.send_after(std::time::Duration::from_millis(300), &clock, Explodes);
}

#[system(Arena)]
fn explode(mut explosions: EventReader<Explodes>, mut healed: EventReader<Healed>) {
    println!("{} {}", explosions.iter().count(), healed.iter().count());
}

fn main() {}
