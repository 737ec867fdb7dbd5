//! Entities that are spawned with their children, by a closure or a literal: in a world, by
//! commands and in parallel systems.

use ecs::command::FailurePolicy;
use ecs::prelude::*;
use ecs::schedule::Parallelism;

#[derive(Component, Clone, PartialEq, Debug)]
struct Part(&'static str);
#[derive(Component, Clone, Copy, PartialEq, Debug)]
struct Side(u8);
#[derive(Component, Clone, PartialEq, Eq, Hash, Debug)]
#[component(key)]
struct Badge(u32);
#[derive(Relation, Clone, PartialEq, Debug)]
#[relation(exclusive)]
struct Mounted {
    #[target]
    on: Entity,
    screws: u8,
}
#[derive(Relation, Clone, PartialEq, Debug)]
#[relation(many)]
struct Likes(Entity);

world! {
    #[derive(Clone)]
    struct Game {
        components { Part, Side, Badge, ChildOf, Mounted, likes: Many<Likes> }
    }
    schedule parallel { grow; }
}

#[system(Game, par)]
fn grow(side: &Side, mut commands: ParCommands<Game>) {
    let side = *side;
    commands.spawn_with_children(
        Part("bud"),
        ChildOf,
        children![
            move (Part("leaf"), side) => [Part("vein")],
            Badge(u32::from(side.0)),
        ],
    );
}

fn parts(game: &Game, parent: Entity) -> Vec<&'static str> {
    game.sources::<ChildOf>(parent).iter().map(|&child| game.get::<Part>(child).unwrap().0).collect()
}

/// The tank of all tests, by a literal.
macro_rules! tank {
    () => {
        children![
            Part("turret") => [Part("gun") => [Part("shell"), Part("shell")], Part("hatch")],
            (Part("wheel"), Side(0)),
            (Part("wheel"), Side(1)) => [],
        ]
    };
}

fn check(game: &Game, tank: Entity) {
    assert_eq!(game.get(tank), Some(&Part("hull")));
    assert_eq!(parts(game, tank), ["turret", "wheel", "wheel"]);
    let [turret, left, right] = *game.sources::<ChildOf>(tank) else { panic!("three children") };
    assert_eq!((game.get(left), game.get(right)), (Some(&Side(0)), Some(&Side(1))));
    assert_eq!(parts(game, turret), ["gun", "hatch"]);
    assert_eq!(parts(game, game.sources::<ChildOf>(turret)[0]), ["shell", "shell"]);
    assert_eq!(parts(game, right), [""; 0]);
}

#[test]
fn a_literal_of_children_is_spawned_in_the_order_of_the_text() {
    let mut game = Game::new();
    let tank = game.spawn_with_children(Part("hull"), ChildOf, tank!());
    check(&game, tank);
    assert_eq!(game.entities().len(), 8);
    game.despawn(tank).unwrap();
    assert!(game.entities().is_empty());
}

#[test]
fn commands_spawn_the_same_children() {
    let mut game = Game::new();
    let (tank, empty) = game.with_commands(|mut commands| {
        let tank = commands.spawn_with_children(Part("hull"), ChildOf, tank!());
        assert_eq!(commands.len(), 8);
        (tank, commands.spawn_with_children((), ChildOf, children![]))
    });
    check(&game, tank);
    assert!(game.contains(empty) && game.sources::<ChildOf>(empty).is_empty());
    let existing = game.spawn(Part("hull"));
    game.with_commands(|mut commands| {
        commands.entity(existing).insert(Side(9)).spawn_children(ChildOf, tank!()).insert(Side(8));
    });
    check(&game, existing);
}

#[test]
fn a_closure_knows_the_ids_of_its_parent_and_children() {
    let mut game = Game::new();
    let mut ids = Vec::new();
    let name = Part("moved into the closure");
    let root = game.spawn_with_children((), ChildOf, |children| {
        ids.push(children.parent());
        for side in 0..3 {
            ids.push(children.spawn(Side(side)));
        }
        let last = children.spawn_with_children(name, |children| ids.push(children.parent()));
        ids.push(last);
    });
    assert_eq!((ids[0], ids.len()), (root, 6));
    assert_eq!(game.sources::<ChildOf>(root), &ids[1..5]);
    assert_eq!(ids[4], ids[5]);
}

#[test]
fn other_relations_link_children_too() {
    let mut game = Game::new();
    let car = game.spawn_with_children(
        (),
        |on| Mounted { on, screws: 5 },
        children![Side(0), Side(1) => [Side(2)]],
    );
    let wheels = game.sources::<Mounted>(car).to_vec();
    assert_eq!(wheels.len(), 2);
    assert_eq!(game.sources::<Mounted>(wheels[1]).len(), 1);
    assert!(game.query::<&Mounted>().iter().all(|mounted| mounted.screws == 5));
    let idol = game.spawn(());
    game.spawn_children(idol, |idol| (Many::one(Likes(idol)), Part("fan")), children![(), Side(1)]).unwrap();
    assert_eq!(game.sources::<Likes>(idol).len(), 2);
    assert_eq!(game.query::<&Part>().iter().count(), 2);
}

#[test]
fn children_of_a_dead_entity_are_not_spawned() {
    let mut game = Game::new();
    game.on_failed_command(FailurePolicy::Ignore);
    let ghost = game.spawn(());
    game.despawn(ghost).unwrap();
    let error = game.spawn_children(ghost, ChildOf, |_| unreachable!("it is not called")).unwrap_err();
    assert_eq!(error.entity, ghost);
    game.with_commands(|mut commands| commands.spawn_children(ghost, ChildOf, tank!()));
    assert!(game.entities().is_empty());
    assert_eq!(game.stats().failed_commands, 7);
}

#[test]
fn a_refused_child_fails_with_its_own_children() {
    let mut game = Game::new();
    game.on_failed_command(FailurePolicy::Ignore);
    game.spawn(Badge(1));
    let root = game.with_commands(|mut commands| {
        commands.spawn_with_children((), ChildOf, children![Badge(1) => [Badge(2)], Badge(3)])
    });
    assert_eq!(game.sources::<ChildOf>(root).len(), 1);
    assert_eq!((game.stats().failed_commands, game.entities().len()), (2, 3));
}

#[test]
fn a_panic_keeps_the_entities_before_it() {
    let mut game = Game::new();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        game.spawn_with_children(Badge(1), ChildOf, children![Badge(2), Badge(1), Badge(3)])
    }));
    assert!(panicked.is_err());
    assert_eq!(game.query::<&Badge>().iter().map(|badge| badge.0).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn children_of_a_parallel_system_do_not_depend_on_the_threads() {
    let run = |parallelism: Parallelism| {
        let mut game = Game::new();
        game.on_failed_command(FailurePolicy::Ignore);
        game.set_parallelism(parallelism);
        game.spawn_batch((0..3000).map(|n| Side((n % 200) as u8)));
        game.parallel();
        let parents: Vec<(Entity, Entity)> =
            game.query::<(Entity, &ChildOf)>().iter().map(|(id, of)| (id, of.0)).collect();
        (parents, game.stats().failed_commands)
    };
    let (parents, failed) = run(Parallelism::Never);
    assert_eq!((parents.len(), failed), (3000 * 2 + 200, 2800), "a badge is a key: each is given once");
    assert_eq!((parents, failed), run(Parallelism::Always));
}

#[test]
fn ids_and_columns_of_a_literal_are_those_of_single_spawns() {
    let (mut one, mut two) = (Game::new(), Game::new());
    one.spawn_with_children(Part("a"), ChildOf, children![Part("b") => [Part("c")], Part("d")]);
    let a = two.spawn(Part("a"));
    let b = two.spawn((ChildOf(a), Part("b")));
    two.spawn((ChildOf(b), Part("c")));
    two.spawn((ChildOf(a), Part("d")));
    let all = |game: &Game| {
        game.query::<(Entity, &Part, Option<&ChildOf>)>()
            .iter()
            .map(|(id, part, of)| (id, part.0, of.copied()))
            .collect::<Vec<_>>()
    };
    assert_eq!(all(&one), all(&two));
}
