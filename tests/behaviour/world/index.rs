//! Indexed components, keys, names and stable ids.

use ecs::command::FailurePolicy;
use ecs::component::{Name, StableId, StableIds};
use ecs::error::{InsertError, Reason};
use ecs::prelude::*;

#[derive(Component, Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[component(index)]
struct Cell(i32, i32);

#[derive(Component, Clone, Debug)]
#[component(index = owner, removed, requires(Cell))]
struct Deed {
    owner: String,
    price: u32,
}

#[derive(Component, Clone, PartialEq, Debug)]
#[component(key = 0)]
struct Ticket(u32, f32);

#[derive(Component, Clone, PartialEq, Eq, Hash, Debug)]
#[component(index)]
struct Tagged<T: Clone + PartialEq + Eq + std::hash::Hash>(T);

#[derive(Component, Clone)]
struct Walks(i32);

#[derive(Resource, Clone, Default, PartialEq, Debug)]
struct Seen(Vec<usize>);

world! {
    #[derive(Clone)]
    struct Game {
        components { Cell, Deed, Ticket, tagged: Tagged<u8>, Walks, Name, StableId }
        resources { seen: Seen = Seen::default(), StableIds = StableIds::default() }
    }
    schedule walk { step, count, again, count_again }
    schedule settle { place }
}

#[system(Game)]
fn step(mut cell: Mut<Cell>, walks: &Walks) {
    cell.0 += walks.0;
}

#[system(Game)]
fn count(cells: Lookup<Cell>, mut seen: ResMut<Seen>) {
    seen.0.push(cells.find(&Cell(1, 0)).len());
}

#[system(Game)]
fn again(mut cells: Query<Mut<Cell>, With<Walks>>) {
    cells.for_each(|mut cell| cell.0 += 1);
}

#[system(Game)]
fn count_again(cells: Lookup<Cell>, mut seen: ResMut<Seen>) {
    seen.0.push(cells.find(&Cell(2, 0)).len());
}

/// Changes through a `Storage` within one run of a system.
#[system(Game)]
fn place(walkers: Query<Entity, With<Walks>>, mut cells: Storage<Cell>, mut seen: ResMut<Seen>) {
    for entity in &walkers {
        cells.insert(entity, Cell(9, 9)).unwrap();
    }
    seen.0.push(cells.find(&Cell(9, 9)).len());
    let first = cells.find_one(&Cell(9, 9)).unwrap();
    cells.get_mut(first).unwrap().1 = 8;
    seen.0.push(cells.find(&Cell(9, 9)).len());
    seen.0.push(cells.find(&Cell(9, 8)).len());
    cells.insert(first, Cell(9, 9)).unwrap();
    seen.0.push(cells.find(&Cell(9, 9)).len());
    cells.remove(first);
    seen.0.push(cells.find(&Cell(9, 9)).len());
}

fn found(game: &Game, cell: Cell) -> Vec<Entity> {
    let found: Vec<Entity> = game.find::<Cell>(&cell).collect();
    assert_eq!(game.find_one::<Cell>(&cell), found.first().copied());
    assert_eq!(
        game.columns().cell.find(&cell).rev().collect::<Vec<_>>(),
        found.iter().rev().copied().collect::<Vec<_>>()
    );
    let scan = game.query::<(Entity, &Cell)>();
    assert_eq!(
        scan.iter().filter(|(_, at)| **at == cell).map(|(entity, _)| entity).collect::<Vec<_>>(),
        found
    );
    found
}

#[test]
fn entities_are_found_by_value_in_the_order_of_their_slots() {
    let mut game = Game::new();
    assert_eq!(found(&game, Cell(0, 0)), []);
    let ids: Vec<Entity> = game.spawn_batch((0..200).map(|n| Cell(n % 3, 0))).collect();
    assert_eq!(found(&game, Cell(2, 0)).len(), 66);
    assert_eq!(found(&game, Cell(7, 7)), []);
    game.insert(ids[5], Cell(7, 7)).unwrap();
    game.insert(ids[2], Cell(7, 7)).unwrap();
    assert_eq!(found(&game, Cell(7, 7)), [ids[2], ids[5]]);
    game.despawn(ids[2]).unwrap();
    game.remove::<Cell>(ids[5]).unwrap();
    assert_eq!(found(&game, Cell(7, 7)), []);
    let reborn = game.spawn(Cell(7, 7));
    assert_eq!(found(&game, Cell(7, 7)), [reborn]);
    game.clear();
    assert_eq!(found(&game, Cell(0, 0)), []);
    let late = game.spawn(Cell(0, 0));
    assert_eq!(found(&game, Cell(0, 0)), [late]);
}

#[test]
fn a_value_changed_in_place_is_found_at_once() {
    let mut game = Game::new();
    let ids: Vec<Entity> = game.spawn_batch((0..100).map(|n| Cell(n, 0))).collect();
    game.get_tracked::<Cell>(ids[40]).unwrap().0 = 3;
    assert_eq!(found(&game, Cell(3, 0)), [ids[3], ids[40]]);
    assert_eq!(found(&game, Cell(40, 0)), []);
    game.query_mut::<Mut<Cell>>().for_each(|mut cell| cell.1 = cell.0 % 2);
    assert_eq!(found(&game, Cell(3, 1)), [ids[3], ids[40]]);
    game.columns_mut().cell.get_mut(ids[3]).unwrap().1 = 5;
    game.columns_mut().cell.iter_mut().filter(|(id, _)| *id == ids[40]).for_each(|(_, mut cell)| cell.1 = 5);
    assert_eq!(found(&game, Cell(3, 5)), [ids[3], ids[40]]);
    game.entity_mut(ids[3]).unwrap().get_tracked::<Cell>().unwrap().1 = 6;
    game.insert(ids[40], Cell(3, 6)).unwrap();
    assert_eq!(found(&game, Cell(3, 6)), [ids[3], ids[40]]);
    assert_eq!(found(&game, Cell(3, 5)), []);
}

#[test]
fn systems_find_the_changes_of_earlier_systems() {
    let mut game = Game::new();
    for _ in 0..10 {
        game.spawn((Cell(0, 0), Walks(1)));
    }
    let still = game.spawn(Cell(1, 0));
    game.walk();
    assert_eq!(game.resource::<Seen>().0, [11, 10]);
    game.get_tracked::<Cell>(still).unwrap().0 = 3;
    assert_eq!(found(&game, Cell(3, 0)), [still]);
    game.walk();
    assert_eq!(game.resource::<Seen>().0[2..], [0, 0]);
    assert_eq!(found(&game, Cell(4, 0)).len(), 10);
    game.settle();
    assert_eq!(game.resource::<Seen>().0[4..], [10, 9, 1, 10, 9]);
    assert_eq!(found(&game, Cell(9, 9)).len(), 9);
    assert_eq!(count_in(&mut game), 9);
}

fn count_in(game: &mut Game) -> usize {
    #[system(Game)]
    fn nines(cells: Lookup<Cell>) -> usize {
        cells.find(&Cell(9, 9)).len()
    }
    assert_eq!(nines(Lookup::new(game.columns().cell)), game.run::<nines>());
    game.run::<nines>()
}

#[test]
fn one_field_may_be_the_indexed_value() {
    let mut game = Game::new();
    let deed = |owner: &str, price| Deed { owner: owner.to_owned(), price };
    let (a, b) = (game.spawn(deed("ann", 1)), game.spawn(deed("bob", 2)));
    assert_eq!(game.columns().deed.find_one("bob"), Some(b));
    game.get_tracked::<Deed>(a).unwrap().owner.replace_range(.., "bob");
    let owned: u32 =
        game.columns().deed.find("bob").map(|entity| game.get::<Deed>(entity).unwrap().price).sum();
    assert_eq!((owned, found(&game, Cell(0, 0))), (3, vec![a, b]));
    let tagged = game.spawn(Tagged(3_u8));
    assert_eq!(game.find_one::<Tagged<u8>>(&Tagged(3)), Some(tagged));
}

#[test]
fn a_key_has_one_entity() {
    let mut game = Game::new();
    let first = game.spawn(Ticket(1, 0.5));
    let second = game.spawn(Ticket(2, 0.5));
    let refused = match game.insert(second, Ticket(1, 9.0)).unwrap_err() {
        InsertError::Refused(refused) => refused,
        other => panic!("{other}"),
    };
    assert_eq!(refused.reason, Reason::Duplicate(first));
    let text = format!(
        "entity {second} of world `Game` cannot have component `Ticket`: the component is a key, and entity \
         {first} already has an equal value"
    );
    assert_eq!(refused.to_string(), text);
    assert_eq!(game.get(second), Some(&Ticket(2, 0.5)));
    assert_eq!(game.insert(first, Ticket(1, 7.0)), Ok(Some(Ticket(1, 0.5))), "its own value is no duplicate");
    assert!(game.columns_mut().ticket.insert(second, Ticket(1, 0.0)).is_err());
    let mut view = game.columns_mut().ticket;
    let shared: &Ticket = view.get_mut(first).unwrap();
    assert_eq!(shared.1, 7.0);
    game.on_failed_command(FailurePolicy::Ignore);
    game.with_commands(|mut commands| {
        commands.insert(second, Ticket(1, 0.0));
        commands.spawn(Ticket(2, 0.0));
        commands.despawn(first);
        commands.insert(second, Ticket(1, 3.0));
    });
    assert_eq!((game.stats().failed_commands, game.find_one::<Ticket>(&1)), (2, Some(second)));
    let batch = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        game.spawn_batch([5, 6, 5].map(|n| Ticket(n, 0.0))).count()
    }));
    assert!(batch.is_err());
    assert_eq!((game.find::<Ticket>(&5).len(), game.find::<Ticket>(&6).len()), (1, 1));
}

#[test]
fn a_clone_finds_its_own() {
    let mut game = Game::new();
    let id = game.spawn(Cell(1, 1));
    game.get_tracked::<Cell>(id).unwrap().0 = 2;
    let mut copy = game.clone();
    assert_eq!(found(&copy, Cell(2, 1)), [id]);
    copy.get_tracked::<Cell>(id).unwrap().0 = 3;
    copy.walk();
    assert_eq!((found(&copy, Cell(3, 1)), found(&game, Cell(2, 1))), (vec![id], vec![id]));
    assert_eq!((found(&copy, Cell(2, 1)), found(&game, Cell(3, 1))), (vec![], vec![]));
}

#[test]
fn names_and_stable_ids() {
    let mut game = Game::new();
    let bob = game.spawn((Name::new("bob"), Cell(0, 0)));
    let twin = game.spawn(Name::from("bob"));
    assert_eq!((game.find_one::<Name>("bob"), game.find_one::<Name>("ann")), (Some(bob), None));
    assert_eq!(game.columns().name.find("bob").collect::<Vec<_>>(), [bob, twin]);
    *game.get_tracked::<Name>(bob).unwrap() = Name::new("rob");
    assert_eq!((game.find_one::<Name>("bob"), game.find_one::<Name>("rob")), (Some(twin), Some(bob)));
    let id = game.resource_mut::<StableIds>().make();
    game.insert(bob, id).unwrap();
    assert_eq!(
        (id, game.find_one::<StableId>(&id), game.find_one::<StableId>(&StableId(2))),
        (StableId(1), Some(bob), None)
    );
    assert!(game.insert(twin, StableId(1)).is_err());
    game.resource_mut::<StableIds>().take(StableId(100));
    assert_eq!(game.resource_mut::<StableIds>().make(), StableId(101));
    game.despawn(bob).unwrap();
    assert_eq!(game.find_one::<StableId>(&id), None);
    game.insert(twin, id).unwrap();
    assert_eq!(game.find_one::<StableId>(&id), Some(twin));
}

#[test]
fn reactions_see_insertions_into_an_indexed_column() {
    #[derive(Resource, Default)]
    struct Log(Vec<(usize, usize)>);
    world! {
        struct Watched {
            components { Cell, Walks }
            resources { log: Log = Log::default() }
        }
        schedule tick { watch, put }
    }
    #[system(Watched)]
    fn watch(changed: Query<Entity, Changed<Cell>>, added: Query<Entity, Added<Cell>>, mut log: ResMut<Log>) {
        log.0.push((changed.len(), added.len()));
    }
    #[system(Watched)]
    fn put(walkers: Query<(Entity, &Walks)>, mut cells: Storage<Cell>) {
        for (entity, _) in walkers.iter().filter(|(_, walks)| walks.0 == 1) {
            cells.insert(entity, Cell(5, 5)).unwrap();
        }
    }
    let mut game = Watched::new();
    let first = game.spawn((Cell(0, 0), Walks(0)));
    game.spawn(Walks(1));
    game.tick();
    game.tick();
    game.get_tracked::<Cell>(first).unwrap().0 = 1;
    game.tick();
    game.insert(first, Cell(3, 3)).unwrap();
    game.tick();
    // `watch` sees the changes of `put` in its next run
    assert_eq!(game.resource::<Log>().0, [(1, 1), (1, 1), (2, 0), (2, 0)]);
}

#[test]
fn groups_have_values_that_were_changed_in_place() {
    let mut game = Game::new();
    let ids = [1, 2, 1].map(|x| game.spawn(Cell(x, 0)));
    game.get_tracked::<Cell>(ids[0]).unwrap().0 = 2;
    for mut cell in game.query_mut::<Mut<Cell>>() {
        cell.0 += 1;
    }
    let groups: Vec<_> = game.group_by::<Cell>().map(|(cell, ids)| (*cell, Vec::from_iter(ids))).collect();
    assert_eq!(groups, [(Cell(3, 0), vec![ids[0], ids[1]]), (Cell(2, 0), vec![ids[2]])]);
    assert_eq!(game.columns().cell.group_by().count(), 2);
}
