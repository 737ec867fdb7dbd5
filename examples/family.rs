//! Relations: they can be queried from both ends, and stay consistent when entities are despawned.

use ecs::prelude::*;
use ecs::{ChildOf, Many, Related, Sources};

#[derive(Component)]
struct Name(&'static str);

/// A symmetric relation: the target is married to the source, too.
#[derive(Relation, Clone)]
#[relation(exclusive, symmetric)]
struct MarriedTo(Entity);

/// A relation with any number of targets. When a target is despawned, the debt to it is removed.
#[derive(Relation)]
#[relation(many, gone = remove)]
struct Owes {
    #[target]
    to: Entity,
    amount: u32,
}

world! {
    struct Village {
        // `ChildOf` of the library: children are despawned with their parent
        components { Name, ChildOf, MarriedTo, owes: Many<Owes> }
    }
    schedule evening { tell; collect }
}

/// Runs for each entity with a name; most have no debtors.
#[system(Village)]
fn tell(name: &Name, spouse: Option<&MarriedTo>, debtors: Sources<Owes>, names: Query<&Name>) {
    if let Some(spouse) = spouse {
        println!("{} is married to {}", name.0, names.get(spouse.0).map_or("nobody", |name| name.0));
    }
    for &debtor in debtors {
        println!("{} is owed by {}", name.0, names.get(debtor).map_or("nobody", |name| name.0));
    }
}

#[system(Village)]
fn collect(debts: Related<Owes>, people: Query<(Entity, &Name)>) {
    for (entity, name) in &people {
        let all: u32 = debts.relations(entity).iter().map(|owes| owes.amount).sum();
        if all > 0 {
            println!("{} owes {all} in all", name.0);
        }
    }
}

fn main() {
    let mut village = Village::new();
    let [ada, bob, cyd] = ["Ada", "Bob", "Cyd"].map(|name| village.spawn(Name(name)));

    village.relate(ada, MarriedTo(bob)).expect("both live");
    village.relate(cyd, Owes { to: ada, amount: 5 }).expect("both live");
    village.relate(cyd, Owes { to: bob, amount: 2 }).expect("both live");
    println!("-- the first evening");
    village.evening();

    // a second marriage removes the first relation from both partners
    village.relate(cyd, MarriedTo(ada)).expect("both live");
    village.despawn(bob).expect("he lives");
    println!("-- Bob has left");
    village.evening();

    let house = village.spawn(Name("house"));
    let chest = village.spawn((Name("chest"), ChildOf(house)));
    village.spawn((Name("coin"), ChildOf(chest)));
    village.spawn((Name("bed"), ChildOf(house)));
    println!("-- in the house");
    let things = village.related::<ChildOf>();
    for thing in things.descendants(house) {
        let depth = things.ancestors(thing).count();
        println!("{}{}", "  ".repeat(depth), village.get::<Name>(thing).map_or("", |name| name.0));
    }
    if let Err(error) = village.insert(house, ChildOf(chest)) {
        println!("{error}");
    }
    village.despawn(house).expect("it stands");
    println!("{} remain when it has burnt down", village.entities().len());
}
