//! A relation that its options, its derive or the list of its world take for another one is one
//! error, and works as its world lists it.
use ecs::prelude::*;

#[derive(Component)]
struct Weight(u32);
#[derive(Relation)]
#[relation(exclusive)]
struct Guards(Entity);
#[derive(Relation)]
#[relation(many)]
struct Owes(Entity);
#[derive(Component)]
#[relation(exclusive, gone = cascade)]
struct PartOf(Entity);
#[derive(Relation)]
#[relation(exclusive, many)]
struct Likes(Entity);
#[derive(Relation)]
#[relation(exclusive, many)]
struct Follows(Entity);

world! {
    struct Town { components { Weight, guards: Many<Guards>, Owes, PartOf, likes: Many<Likes>, Follows } }
    schedule tick { lazy, many }
}

#[system(Town)]
fn lazy(guards: &Guards, parts: Query<&Weight, TargetOf<PartOf>>, mut commands: Commands<Town>) {
    if parts.get(guards.0).is_none() {
        commands.unrelate::<Guards>(guards.0, guards.0);
    }
}

#[system(Town)]
fn many(owes: &Many<Owes>, likes: &Many<Likes>, follows: &Follows, part: &PartOf) {
    println!("{} {} {} {}", owes.len(), likes.len(), follows.0, part.0);
}

fn main() {
    let mut town = Town::new();
    let bank = town.spawn(Weight(3));
    let dog = town.spawn((Weight(1), Guards(bank), PartOf(bank), Follows(bank)));
    town.relate(dog, Owes(bank)).unwrap();
    town.relate(dog, Likes(bank)).unwrap();
    println!("{:?}", town.target::<Guards>(dog));
}
