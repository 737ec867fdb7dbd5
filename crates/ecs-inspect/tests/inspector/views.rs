//! The text of each view.

use ecs::prelude::*;

use crate::game::*;

/// The lines between two others, without the borders of blocks.
fn block(screen: &str, rows: std::ops::Range<usize>) -> Vec<String> {
    let lines: Vec<&str> = screen.lines().collect();
    lines[rows].iter().map(|line| line.trim_matches('│').trim_end().to_owned()).collect()
}

#[test]
fn the_matrix_shows_entities_components_and_the_values_of_the_chosen_one() {
    let (mut game, _) = game();
    let mut screen = Screen::new(110, 20);
    let text = screen.draw(&game);
    let expected = " Game   1 Entities   2 Relations   3 Systems   4 Resources   5 Components   6 Content     4 entities  running
┌ entities (4) ──────────────────────────────────────────────────┐┌ 0v1 ─────────────────────────────────────┐
│entity Name    Health           Position   Player Account Monste││ Name \"Ada\"                               │
│0v1    \"Ada\"   {now: 7, max: 9} ·          x      7       ·     ││ Health                                   │
│4v1    \"Grey\"  {now: 3, max: 9} [3.0, 0.5] ·      ·       ·     ││   now 7                                  │
│5v1    \"White\" {now: 5, max: 9} [5.0, 0.5] ·      ·       ·     ││   max 9                                  │
│6v1    \"Cub\"   {now: 1, max: 9} [1.0, 0.5] ·      ·       {kind:││ Player                                   │
│                                                                ││ Account 7                                │
";
    assert!(text.starts_with(expected), "{text}");
    assert_shows(&text, &["systems: hurt, heal"]);

    let text = screen.press("v<Down><Down><Down>", &mut game);
    let expected = [
        "entity Name Health Position Player Account Monster ChildOf",
        "0v1    x    x      ·        x      x       ·       ·",
        "4v1    x    x      x        ·      ·       ·       ·",
        "5v1    x    x      x        ·      ·       ·       x",
        "6v1    x    x      x        ·      ·       x       x",
    ];
    assert_shows(&text, &expected);
    let values = [
        "┌ 6v1 ",
        "Name \"Cub\"",
        "  now 1",
        "Position [1.0, 0.5]",
        "    Dragon",
        "      heads 2",
        "  target 0v1@",
        "    [0] [1, 2]",
        "ChildOf 5v1@",
    ];
    assert_shows(&text, &values);
    // components without entities have columns at a key
    assert_shows(&screen.press("z", &mut game), &["Frozen Burning"]);
}

#[test]
fn the_chosen_column_is_always_on_the_screen() {
    let (mut game, _) = game();
    let mut screen = Screen::new(50, 12);
    for name in ["Name", "Health", "Position", "Player", "Account", "Monster", "ChildOf"] {
        let text = screen.draw(&game);
        assert_shows(text.lines().nth(2).unwrap(), &[name]);
        screen.press("<Right>", &mut game);
    }
    for name in ["Monster", "Account", "Player", "Position", "Health", "Name"] {
        let text = screen.press("<Left>", &mut game);
        assert_shows(text.lines().nth(2).unwrap(), &[name]);
    }
}

#[test]
fn a_despawned_entity_leaves_the_cursor_at_its_neighbour() {
    let (mut game, [_, grey, white, cub]) = game();
    let mut screen = Screen::new(110, 18);
    screen.press("<End>", &mut game);
    assert_eq!(screen.inspector.chosen(), Some(cub));
    game.despawn(cub).unwrap();
    screen.draw(&game);
    assert_eq!(screen.inspector.chosen(), Some(white));
    screen.press("<Up>", &mut game);
    assert_eq!(screen.inspector.chosen(), Some(grey));
    let all: Vec<Entity> = game.entities().iter().collect();
    for entity in all.into_iter().rev() {
        game.despawn(entity).unwrap();
    }
    assert_shows(&screen.draw(&game), &["entities (0)", "no entity"]);
    assert_shows(&screen.press("<Down>e<Esc>x<Enter>dm<Enter>w2<Down>345", &mut game), &["0 entities"]);
}

#[test]
fn the_tree_shows_a_relation() {
    let (mut game, [_, _, white, _]) = game();
    let mut screen = Screen::new(110, 12);
    let text = screen.press(":label Name<Enter>2", &mut game);
    let rows = [
        "┌ ChildOf: 2 entities, < > 1 more relation(s) ",
        "│ ▾ 4v1 Grey (1)  Name Health Position ",
        "│   ▾ 5v1 White (1)  Name Health Position ChildOf ",
        "│       6v1 Cub  Name Health Position Monster ChildOf ",
        "┌ 4v1 Grey ",
    ];
    assert_shows(&text, &rows);
    let text = screen.press("<Down><Left>", &mut game);
    assert_eq!(screen.inspector.chosen(), Some(white));
    assert_shows(&text, &["▸ 5v1 White (1)"]);
    assert!(!text.contains("6v1"), "{text}");
    assert_shows(&screen.press("<Right>", &mut game), &["6v1 Cub"]);
    // the other relation has no edges
    assert_shows(&screen.press(">", &mut game), &["┌ Likes: 0 entities"]);
}

#[test]
fn a_relation_that_is_no_tree_ends_where_it_repeats() {
    let (mut game, [player, grey, white, _]) = game();
    for (one, other) in [(player, grey), (grey, white), (white, player)] {
        game.insert(one, Likes(other)).unwrap();
    }
    let mut screen = Screen::new(110, 12);
    let text = screen.press("2<End>", &mut game);
    assert_shows(&text, &["▾ 0v1 (1)", "  ▾ 5v1 (1)", "    ▾ 4v1 (1)", "      ↺ 0v1 (1)"]);
    assert_eq!(screen.inspector.chosen(), Some(player));
}

#[test]
fn systems_show_accesses_membership_and_run_times() {
    let (mut game, [player, ..]) = game();
    let mut screen = Screen::new(110, 10);
    let text = screen.press("3", &mut game);
    let rows = [
        "       system    runs      last      mean  accesses",
        " tick",
        "    0  count                               writes Clock",
        "    1 *hurt                                reads Hit; writes Health",
        "    2 *heal                                writes Health; filters Frozen",
    ];
    assert_eq!(block(&text, 2..7), rows);
    game.tick();
    screen.press("t", &mut game);
    game.tick();
    game.tick();
    assert_shows(&screen.draw(&game), &["count        2 ", "µs  writes Clock"]);
    let text = screen.press("t<Down>x", &mut game);
    assert_shows(
        &text,
        &["*hurt                                off reads Hit", "`hurt` is off at 1 place(s)"],
    );
    game.remove::<Health>(player).unwrap();
    assert_shows(&screen.draw(&game), &["       system", "  hurt ", "  heal "]);
}

#[test]
fn resources_and_events_are_listed() {
    let (mut game, _) = game();
    game.tick();
    let mut screen = Screen::new(110, 10);
    let rows = [" Clock", "   step 0.0", "   frame 1", " PrefabLibrary"];
    assert_eq!(block(&screen.press("4", &mut game), 2..6), rows);
}

#[test]
fn components_are_listed_with_their_options() {
    let (mut game, _) = game();
    let mut screen = Screen::new(110, 16);
    let text = screen.press("5", &mut game);
    let rows = [
        " component     entities  bytes  options",
        " Name                 4     24",
        " Health               4      8  tracked",
        " Position             3      8",
        " Frozen               0      0  excludes(Burning)",
        " Burning              0      0  excludes(Frozen)",
        " Player               1      0  unique",
        " Account              1      4  key",
        " Monster              1     40  requires(Health)",
    ];
    assert_eq!(block(&text, 2..11).iter().map(|line| line.trim_end()).collect::<Vec<_>>(), rows);
    // Enter shows the entities of a component
    let text = screen.press("<Down><Down><Enter>", &mut game);
    assert_shows(&text, &["entities (3 of 4), filter: Position", "entity Position", "3 entities match"]);
}

#[test]
fn the_help_lists_all_commands() {
    let (mut game, _) = game();
    let mut screen = Screen::new(120, 90);
    let text = screen.press("?", &mut game);
    for command in ecs_inspect::COMMANDS {
        assert_shows(&text, &[&format!(" {} {}", command.name, command.usage), command.help]);
    }
    assert_shows(&screen.press("q", &mut game), &["entities (4)"]);
    assert!(!screen.inspector.is_closed());
    screen.press("q", &mut game);
    assert!(screen.inspector.is_closed());
}

#[test]
fn hidden_and_forbidden_things_are_not_shown() {
    use ecs::reflect::AllowList;
    let (mut game, [player, ..]) = game();
    game.insert(player, Secret(9)).unwrap();
    let mut screen = Screen::new(110, 14);
    assert!(!screen.press("z", &mut game).contains("Secret"));
    assert_eq!(game.get(player).map(|secret: &Secret| secret.0), Some(9));
    let list = AllowList::new().components(["Name", "Health"]).read_only();
    screen.inspector = ecs_inspect::Inspector::new().restrict(list);
    let text = screen.draw(&game);
    assert_shows(&text, &["Name    Health"]);
    assert!(!text.contains("Account") && !text.contains("ChildOf"), "{text}");
    assert_shows(
        &screen.press(":set Health.now = 1<Enter>", &mut game),
        &["the world was not changed: this handle is read-only"],
    );
    assert_eq!(game.get::<Health>(player).unwrap().now, 7);
    screen.inspector = ecs_inspect::Inspector::new().restrict(AllowList::new().components(["Nam"]));
    assert_shows(&screen.draw(&game), &["world `Game` has no component `Nam`"]);
    screen.press("12345:set Name = 1<Enter><Down>n", &mut game);
}

#[test]
fn a_read_only_inspector_does_not_change_how_the_program_runs() {
    use ecs::reflect::AllowList;
    use ecs_inspect::{Inspector, Pace};
    let read_only = || Inspector::new().restrict(AllowList::new().read_only());
    for (inspector, pace) in [(read_only(), Pace::Run), (read_only().paused(), Pace::Wait)] {
        let (mut game, _) = game();
        let frame = game.resource::<crate::game::Clock>().frame;
        let mut screen = Screen::new(110, 14);
        screen.inspector = inspector;
        let is_paused = pace == Pace::Wait;
        let space = if is_paused { "resume" } else { "pause" };
        let keys = [" ", "n", "s", ":pause<Enter>", ":resume<Enter>", ":tick<Enter>", ":step tick<Enter>"];
        for (keys, command) in
            keys.into_iter().zip([space, "tick", "step", "pause", "resume", "tick", "step"])
        {
            let message = format!("`{command}` changes how the program runs: this inspector is read-only");
            assert_shows(&screen.press(keys, &mut game), &[message.as_str()]);
            assert_eq!((screen.inspector.is_paused(), screen.inspector.pace()), (is_paused, pace), "{keys}");
            let line = format!("  {command} ");
            assert_eq!(screen.inspector.run_command(&line, &mut game), Err(message));
        }
        for line in ["run tick", "time on", "disable hurt"] {
            assert!(screen.inspector.run_command(line, &mut game).is_err(), "{line}");
        }
        assert_eq!((screen.inspector.pace(), game.resource::<crate::game::Clock>().frame), (pace, frame));
    }
}

#[test]
fn a_tiny_terminal_shows_a_row_in_each_view_of_entities() {
    let (mut game, _) = game();
    for height in 5..8 {
        let mut screen = Screen::new(20, height);
        for (view, id) in [("1", "0v1"), ("2", "4v1")] {
            let text = screen.press(view, &mut game);
            assert!(text.contains(id), "{height}: {text}");
        }
    }
}

#[test]
fn names_do_not_turn_the_text_around_them() {
    let (mut game, [_, grey, ..]) = game();
    game.insert(grey, Name("a\u{202e}gnp.exe\u{2066}".into())).unwrap();
    let mut screen = Screen::new(110, 18);
    for keys in [":label Name<Enter>2", "1", "3"] {
        let text = screen.press(keys, &mut game);
        let turns =
            |c: char| ('\u{202a}'..='\u{202e}').contains(&c) || ('\u{2066}'..='\u{2069}').contains(&c);
        assert!(!text.contains(turns), "{text:?}");
    }
    assert!(screen.press("2", &mut game).contains("agnp.exe"));
}
