//! Clones of several entities: relations among them point to the clones.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::ChildOf;
use ecs::prelude::*;

#[derive(Component, Clone, PartialEq, Debug)]
struct Part(u32);
#[derive(Component, Clone)]
struct Fragile(bool);
impl Fragile {
    fn check(&self) {
        assert!(!self.0, "it breaks");
    }
}
/// A component whose `Clone` panics.
#[derive(Component)]
struct Breaks(Fragile);
impl Clone for Breaks {
    fn clone(&self) -> Self {
        self.0.check();
        Self(self.0.clone())
    }
}

#[derive(Relation, Clone, PartialEq, Debug)]
#[relation(many)]
struct Wired {
    #[target]
    to: Entity,
    volts: u32,
}
#[derive(Relation, Clone, PartialEq, Debug)]
#[relation(exclusive, symmetric)]
struct Paired(Entity);

/// An id in a component that is no relation.
#[derive(Component, Clone, PartialEq, Debug)]
struct Looks(Entity);

world! {
    #[derive(Clone)]
    struct Shop { components { Part, Breaks, ChildOf, wired: Many<Wired>, Paired, Looks } }
}

/// A machine in a hall, with three parts, of which the second has a part of its own.
fn machine(shop: &mut Shop) -> [Entity; 6] {
    let hall = shop.spawn(Part(0));
    let machine = shop.spawn((Part(1), ChildOf(hall)));
    let [a, b, c] = [2, 3, 4].map(|number| shop.spawn((Part(number), ChildOf(machine))));
    let inner = shop.spawn((Part(5), ChildOf(b)));
    [hall, machine, a, b, c, inner]
}

fn parts(shop: &Shop, root: Entity) -> Vec<u32> {
    let below = shop.related::<ChildOf>().descendants(root);
    [root].into_iter().chain(below).map(|entity| shop.get::<Part>(entity).expect("it has one").0).collect()
}

#[test]
fn a_tree_is_cloned_with_its_order_beside_the_original() {
    let mut shop = Shop::new();
    let [hall, machine, ..] = machine(&mut shop);
    let clone = shop.clone_tree::<ChildOf>(machine).expect("it lives");
    assert_eq!(parts(&shop, machine), [1, 2, 3, 5, 4]);
    assert_eq!(parts(&shop, clone), [1, 2, 3, 5, 4]);
    assert_eq!(shop.sources::<ChildOf>(hall), [machine, clone], "the root keeps its parent");
    assert_eq!(shop.entities().len(), 11);
    shop.despawn(clone).expect("it lives");
    assert_eq!(parts(&shop, hall), [0, 1, 2, 3, 5, 4], "the original has lost nothing");
    assert_eq!(shop.entities().len(), 6);
}

#[test]
fn other_relations_within_the_tree_point_to_clones_and_those_that_lead_out_stay() {
    let mut shop = Shop::new();
    let [hall, machine, a, b, c, inner] = machine(&mut shop);
    shop.relate(a, Wired { to: inner, volts: 5 }).expect("both live");
    shop.relate(a, Wired { to: hall, volts: 230 }).expect("both live");
    shop.insert(b, Paired(c)).expect("both live");
    shop.insert(c, Looks(a)).expect("it lives");
    let clone = shop.clone_tree::<ChildOf>(machine).expect("it lives");
    let children: Vec<Entity> = shop.sources::<ChildOf>(clone).to_vec();
    let inner_clone = shop.sources::<ChildOf>(children[1])[0];
    let wires = shop.relations::<Wired>(children[0]);
    assert_eq!(wires, [Wired { to: inner_clone, volts: 5 }, Wired { to: hall, volts: 230 }]);
    assert_eq!(shop.relations::<Wired>(a)[0].to, inner, "the original has its own");
    assert_eq!(shop.target::<Paired>(children[1]), Some(children[2]));
    assert_eq!(shop.target::<Paired>(children[2]), Some(children[1]));
    assert_eq!((shop.target::<Paired>(b), shop.target::<Paired>(c)), (Some(c), Some(b)));
    assert_eq!(shop.get::<Looks>(children[2]), Some(&Looks(a)), "only relations are mapped");
}

#[test]
fn entities_are_cloned_in_the_given_order() {
    let mut shop = Shop::new();
    let [_, machine, a, b, ..] = machine(&mut shop);
    let clones = shop.clone_entities(&[b, machine, b]).expect("they live");
    assert_eq!(
        clones.iter().map(|entity| shop.get::<Part>(*entity).unwrap().0).collect::<Vec<_>>(),
        [3, 1, 3]
    );
    assert_eq!(shop.target::<ChildOf>(clones[0]), Some(clones[1]), "a child may come before its parent");
    assert_eq!(shop.sources::<ChildOf>(clones[1]), [clones[0], clones[2]]);
    assert_eq!(shop.target::<ChildOf>(a), Some(machine));
    assert!(shop.clone_entities(&[]).expect("nothing is no error").is_empty());
}

#[test]
fn a_dead_entity_is_an_error_and_nothing_is_cloned() {
    let mut shop = Shop::new();
    let [_, machine, a, ..] = machine(&mut shop);
    shop.despawn(a).expect("it lives");
    let before = shop.entities().len();
    assert_eq!(shop.clone_entities(&[machine, a]).expect_err("one is dead").entity, a);
    assert_eq!(shop.clone_tree::<ChildOf>(a).expect_err("it is dead").entity, a);
    assert_eq!(shop.entities().len(), before);
}

#[test]
fn a_clone_that_panics_leaves_no_new_entity() {
    let mut shop = Shop::new();
    let [_, machine, .., inner] = machine(&mut shop);
    shop.insert(inner, Breaks(Fragile(true))).expect("it lives");
    let before = shop.entities().len();
    let clone = catch_unwind(AssertUnwindSafe(|| shop.clone_tree::<ChildOf>(machine)));
    assert!(clone.is_err());
    assert_eq!(shop.entities().len(), before);
    assert_eq!(parts(&shop, machine), [1, 2, 3, 5, 4]);
    shop.insert(inner, Breaks(Fragile(false))).expect("it lives");
    assert!(shop.clone_tree::<ChildOf>(machine).is_ok());
}

#[test]
fn a_clone_does_not_take_the_partner_of_the_original() {
    let mut shop = Shop::new();
    let [_, _, a, b, ..] = machine(&mut shop);
    shop.insert(a, Paired(b)).expect("both live");
    let clone = shop.clone_entity(a).expect("it lives");
    assert_eq!((shop.target::<Paired>(a), shop.target::<Paired>(b)), (Some(b), Some(a)));
    assert_eq!(shop.target::<Paired>(clone), None);
    let clones = shop.clone_entities(&[a, b]).expect("both live");
    assert_eq!(shop.target::<Paired>(clones[0]), Some(clones[1]));
}
