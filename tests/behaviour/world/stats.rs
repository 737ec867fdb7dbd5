//! Figures about memory.

use ecs::prelude::*;

#[derive(Component)]
struct Wide(#[allow(dead_code)] [u8; 1024]);
#[derive(Component)]
struct Slim(#[allow(dead_code)] u32);
#[derive(Component)]
struct Tag;

world! {
    struct Game { components { wide: Wide, slim: Slim, Tag } }
}

#[test]
fn an_empty_world_allocates_no_page() {
    let stats = Game::new().stats();
    assert_eq!((stats.entities, stats.blocks, stats.groups, stats.pages, stats.bytes), (0, 0, 0, 0, 0));
    assert_eq!(stats.columns.len(), 3);
}

#[test]
fn every_column_is_counted() {
    let mut game = Game::new();
    for n in 0..100 {
        let entity = game.spawn((Slim(n), Tag));
        if n < 10 {
            game.insert(entity, Wide([0; 1024])).unwrap();
        }
    }
    let stats = game.stats();
    let columns: Vec<_> = stats.columns.iter().map(|column| (column.component, column.len)).collect();
    assert_eq!(columns, [("Wide", 10), ("Slim", 100), ("Tag", 100)]);
    assert_eq!((stats.entities, stats.groups), (100, 1));
    assert_eq!(stats.pages, stats.columns.iter().map(|column| column.pages).sum::<usize>());
    assert_eq!(stats.bytes, stats.columns.iter().map(|column| column.bytes).sum::<usize>());
    let [wide, slim, tag] = stats.columns.as_slice() else { panic!("three columns") };
    assert!(wide.bytes >= 64 * 1024 && wide.pages == 1);
    assert!(slim.bytes >= 400 && slim.pages == 1);
    assert!(tag.bytes > 0 && tag.pages == 0, "a tag has bits and no page");
}

#[test]
fn a_rare_component_costs_its_own_pages_only() {
    let mut game = Game::new();
    let entities: Vec<Entity> = (0..100_000).map(|n| game.spawn(Slim(n))).collect();
    game.insert(entities[70_000], Wide([1; 1024])).unwrap();
    assert_eq!(game.stats().columns[0].pages, 1);
}

#[test]
fn figures_print_as_a_table() {
    let mut game = Game::new();
    game.spawn((Slim(1), Tag));
    let table = game.stats().to_string();
    for word in ["entities", "Wide", "Slim", "Tag"] {
        assert!(table.contains(word), "{table}");
    }
}
