//! The model that a window shows: rows, lines of the tree, parts of values, joined changes.

use ecs::prelude::*;
use ecs::reflect::{NameKind, ReflectWorld, Schema};
use ecs_inspect::{Inspector, ValuePart};

use crate::game::*;

#[test]
fn rows_are_counted_across_slots_without_entities() {
    let mut game = Game::default();
    let all: Vec<Entity> = (0..300).map(|now| game.spawn(Health { now, max: now })).collect();
    for entity in all.iter().step_by(3) {
        game.despawn(*entity).unwrap();
    }
    let left: Vec<Entity> = all.iter().copied().filter(|entity| game.contains(*entity)).collect();
    let mut inspector = Inspector::new();
    assert_eq!(inspector.row_count(&game.reflect()), Ok(200));
    assert_eq!(inspector.rows(&game.reflect(), 0..200), left);
    assert_eq!(inspector.rows(&game.reflect(), 120..130), left[120..130]);
    assert_eq!(inspector.rows(&game.reflect(), 195..400), left[195..]);
    assert_eq!(inspector.rows(&game.reflect(), 400..500), []);
    inspector.choose(left[77]);
    assert_eq!(inspector.row_of_chosen(&game.reflect()), Some(77));

    // a filter and an order have rows of their own
    inspector.run_command("filter Health.now < 10", &mut game).unwrap();
    inspector.run_command("sort Health.now desc", &mut game).unwrap();
    assert_eq!(inspector.order(), Some(("Health.now", true)));
    assert_eq!(inspector.row_count(&game.reflect()), Ok(6));
    assert_eq!(inspector.rows(&game.reflect(), 0..2), [left[5], left[4]]);
    assert_eq!(inspector.rows(&game.reflect(), 5..9), [left[0]]);
    assert_eq!(inspector.row_of_chosen(&game.reflect()), None);
}

#[test]
fn lines_of_the_tree_follow_its_branches() {
    let (mut game, [_, grey, white, cub]) = game();
    let mut inspector = Inspector::new();
    let (names, shown) = inspector.relations(&game.reflect());
    assert_eq!(names[shown], "ChildOf");
    let lines = |inspector: &mut Inspector, game: &Game| {
        let count = inspector.tree_count(&game.reflect()).unwrap();
        let rows = inspector.tree_rows(0..count);
        rows.iter().map(|row| (row.entity, row.depth)).collect::<Vec<_>>()
    };
    assert_eq!(lines(&mut inspector, &game), [(grey, 0), (white, 1), (cub, 2)]);
    assert_eq!(inspector.tree_rows(2..9).len(), 1);
    inspector.toggle_branch(white);
    assert_eq!(lines(&mut inspector, &game), [(grey, 0), (white, 1)]);
    inspector.toggle_branch(white);
    game.despawn(cub).unwrap();
    assert_eq!(lines(&mut inspector, &game), [(grey, 0), (white, 1)]);
    inspector.show_relation(1 - shown);
    assert_eq!(lines(&mut inspector, &game), []);
}

#[test]
fn parts_have_paths_and_structures() {
    let (game, [player, _, _, cub]) = game();
    let world = game.reflect();
    let schema = world.schema(NameKind::Components, "Monster").unwrap();
    let value = world.read(cub, "Monster").unwrap();
    // all paths lead to the values that are listed, with the structures of their types
    let (mut open, mut paths) = (vec![ValuePart::whole("Monster", &value, &schema)], Vec::new());
    while let Some(part) = open.pop() {
        assert_eq!(world.read(cub, &part.path).as_ref(), Ok(part.value), "{}", part.path);
        if part.path.ends_with("heads") {
            assert_eq!(part.schema, &Schema::Integer("u8"));
        }
        paths.push(part.path.clone());
        open.extend(part.parts(10));
    }
    paths.sort_unstable();
    let expected = [
        "Monster",
        "Monster.kind",
        "Monster.kind.Dragon",
        "Monster.kind.Dragon.heads",
        "Monster.path",
        "Monster.path[0]",
        "Monster.path[0][0]",
        "Monster.path[0][1]",
        "Monster.target",
    ];
    assert_eq!(paths, expected);
    assert!(game.contains(player));
}

#[test]
fn changes_of_one_drag_are_taken_back_together() {
    let (mut game, [player, grey, ..]) = game();
    let mut inspector = Inspector::new();
    let now = |game: &Game, entity| game.get::<Health>(entity).unwrap().now;
    inspector.choose(grey);
    let mut enter = |inspector: &mut Inspector, line: &str, is_more| {
        let world = &mut game.reflect_mut();
        if is_more { inspector.enter_more(line, world) } else { inspector.enter(line, world) }
    };
    enter(&mut inspector, "set Health.max = 20", false);
    enter(&mut inspector, "set Health.now = 4", false);
    for value in 5..200 {
        enter(&mut inspector, &format!("set Health.now = {value}"), true);
    }
    // a line that fails, and one about another entity, are no parts of it
    enter(&mut inspector, "set Health.now = many", true);
    assert!(inspector.message().is_err());
    enter(&mut inspector, &format!("set {player} Health.now = 1"), true);
    enter(&mut inspector, "undo", false);
    assert_eq!(now(&game, player), 7);
    assert_eq!(now(&game, grey), 199);
    inspector.run_command("undo", &mut game).unwrap();
    assert_eq!(game.get(grey), Some(&Health { now: 3, max: 20 }));
    inspector.run_command("redo", &mut game).unwrap();
    assert_eq!(now(&game, grey), 199);
    assert_eq!(inspector.can_undo_redo(), (true, true));
}
