//! `ParamSet`: queries that clash, one at a time.

use ecs::prelude::*;

#[derive(Component, Clone, Debug, PartialEq)]
struct Health(i32);
#[derive(Component, Clone)]
struct Hero;
#[derive(Component, Clone)]
struct Poisoned;
#[derive(Component, Clone, Debug, PartialEq)]
struct Armor(i32);
#[derive(Resource, Clone, Default)]
struct Total(i32);

world! {
    #[derive(Clone)]
    struct Game {
        components { Health, Hero, Poisoned, Armor }
        resources { Total = Total::default() }
    }
    schedule tick { suffer, shield; sum }
}

#[system(Game)]
fn suffer(
    mut bodies: ParamSet<(
        Query<&mut Health, With<Poisoned>>,
        Query<&mut Health, With<Hero>>,
        Query<&Health>,
    )>,
) {
    for health in bodies.p0() {
        health.0 -= 2;
    }
    let most = bodies.p2().iter().map(|health| health.0).max().unwrap_or(0);
    for health in &mut bodies.p1() {
        health.0 += most;
    }
}

#[system(Game)]
fn shield(armors: Query<&mut Armor, Without<Hero>>) {
    for armor in armors {
        armor.0 += 1;
    }
}

/// A set beside other parameters, for each entity.
#[system(Game)]
fn sum(
    _: &Hero,
    mut set: ParamSet<(Query<(&mut Health, &Armor)>, Query<(&Health, &mut Armor)>)>,
    mut total: ResMut<Total>,
) {
    set.p0().for_each(|(health, armor)| health.0 += armor.0);
    set.p1().for_each(|(health, armor)| armor.0 += health.0);
    total.0 += set.p1().iter().map(|(health, _)| health.0).sum::<i32>();
}

#[test]
fn queries_of_a_set_see_what_those_before_have_written() {
    let mut game = Game::new();
    let hero = game.spawn((Health(10), Hero, Poisoned));
    let other = game.spawn((Health(20), Armor(1)));
    game.tick();
    assert_eq!((game.get(hero), game.get(other)), (Some(&Health(28)), Some(&Health(22))));
    assert_eq!((game.get(other), game.resource::<Total>().0), (Some(&Armor(24)), 22));
}

#[test]
fn a_set_is_made_of_a_world_for_a_call_of_the_function() {
    let mut game = Game::new();
    let hero = game.spawn((Health(10), Hero));
    suffer(ParamSet::of(&mut game));
    assert_eq!(game.get(hero), Some(&Health(20)));
}

#[derive(SystemParam)]
#[expect(clippy::type_complexity, reason = "a set of queries is a long type")]
struct Bodies<'w> {
    set: ParamSet<'w, (Query<'static, &'static mut Health>, Query<'static, &'static Health, With<Hero>>)>,
    armors: Query<'w, &'static mut Armor>,
}

#[system]
fn copy_armor(mut bodies: Bodies<'_>) {
    let sum: i32 = bodies.set.p1().iter().map(|health| health.0).sum();
    bodies.set.p0().for_each(|health| health.0 = sum);
    bodies.armors.for_each(|armor| armor.0 = sum);
}

/// A set in a system of every world.
#[system]
fn double<T: Component>(mut set: ParamSet<(Query<&mut Health, With<T>>, Query<&mut Health>)>) {
    set.p0().for_each(|health| health.0 *= 2);
    set.p1().for_each(|health| health.0 += 1);
}

#[test]
fn sets_are_fields_and_fit_any_world() {
    let mut game = Game::new();
    let (hero, other) = (game.spawn((Health(10), Hero)), game.spawn((Health(5), Armor(1))));
    game.run::<copy_armor>();
    assert_eq!(
        (game.get(hero), game.get(other), game.get(other)),
        (Some(&Health(10)), Some(&Health(10)), Some(&Armor(10)))
    );
    game.run::<double<Hero>>();
    assert_eq!((game.get(hero), game.get(other)), (Some(&Health(21)), Some(&Health(11))));
}

#[test]
fn systems_that_a_set_clashes_with_keep_their_order() {
    let graph = Game::new().schedule_graph();
    let nodes = &graph.schedules[0].nodes;
    assert_eq!(nodes[0].wave, nodes[1].wave, "the set and the armors are apart");
    assert_eq!(nodes[0].writes, ["Health"]);
}
