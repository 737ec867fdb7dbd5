//! A system that changes an event and reads it by another parameter.
use ecs::prelude::*;
use ecs::SystemParam;

#[derive(Event)]
struct Hit(u32);
#[derive(Component)]
struct Armor(u32);
#[derive(SystemParam)]
struct Blows<'w> {
    hits: EventReader<'w, Hit>,
}

world! {
    struct Game { components { Armor } events { Hit(external) } }
    schedule tick { twice, both, nested, spread }
}

#[system(Game)]
fn twice(mut hits: EventMutator<Hit>, mut others: EventMutator<Hit>) {
    hits.iter_mut().zip(others.iter_mut()).for_each(|(hit, other)| hit.0 += other.0);
}
#[system(Game)]
fn both(mut hits: EventMutator<Hit>, mut read: EventReader<Hit>) {
    hits.iter_mut().zip(read.iter()).for_each(|(hit, other)| hit.0 += other.0);
}
#[system(Game)]
fn nested(mut hits: EventMutator<Hit>, mut blows: Blows) {
    hits.iter_mut().zip(blows.hits.iter()).for_each(|(hit, other)| hit.0 += other.0);
}
#[system(Game, par)]
fn spread(armor: &Armor, mut hits: EventMutator<Hit>) {
    hits.iter_mut().for_each(|hit| hit.0 -= armor.0);
}

fn main() {}
