//! The commands of the console, with the rules of the world.

use ecs::prelude::*;
use ecs::reflect::ReflectWorld;
use ecs_inspect::Pace;

use crate::game::{Account, Clock, Name, *};

#[test]
fn a_value_is_edited_by_its_path() {
    let (mut game, [player, _, _, cub]) = game();
    let mut screen = Screen::new(110, 18);
    // in the values of the first entity: the second line is `Health`, the third `Health.now`
    let text = screen.press("<Enter><Down><Down><Enter>", &mut game);
    assert_shows(&text, &["\n:set Health.now = 7\n"]);
    let text = screen.press("<Bs>8<Enter>", &mut game);
    assert_shows(&text, &["set Health.now of 0v1", "  now 8"]);
    assert_eq!(game.get(player), Some(&Health { now: 8, max: 9 }));

    let values = [
        ("set 6v1 Monster.kind = Wolf", Kind::Wolf),
        ("set 6v1 Monster.kind = {\"Dragon\": {\"heads\": 9}}", Kind::Dragon { heads: 9 }),
        ("set 6v1 Monster.kind.Dragon.heads=3", Kind::Dragon { heads: 3 }),
    ];
    for (line, kind) in values {
        screen.inspector.run_command(line, &mut game).unwrap();
        assert_eq!(game.get::<Monster>(cub).unwrap().kind, kind);
    }
    screen.inspector.run_command("set 6v1 Monster.target = 5v1", &mut game).unwrap();
    assert_eq!(game.get::<Monster>(cub).unwrap().target.map(Entity::slot), Some(5));
    screen.inspector.run_command("set 6v1 Monster.target = none", &mut game).unwrap();
    assert_eq!(game.get::<Monster>(cub).unwrap().target, None);
    screen.inspector.run_command("set Clock.step = 0.5", &mut game).unwrap();
    assert_eq!(game.resource::<Clock>().step, 0.5);
}

#[test]
fn errors_are_shown_and_change_nothing() {
    let (mut game, _) = game();
    let mut screen = Screen::new(130, 18);
    let before = screen.draw(&game);
    let cases = [
        ("set Health.nwo = 3", "there is no field `nwo`: did you mean `now`?"),
        ("set Health.now = -1", "`Health.now` of entity 0v1: invalid value: integer `-1`, expected u32"),
        ("set Health.now", "`set` needs a value, as in `set Health.now = 3`"),
        ("set Health.now =", "expected a value after `=`"),
        ("set Health.now = {", "the value is not JSON: EOF while parsing"),
        ("set 9v9 Health.now = 3", "no entity with the id `9v9` is alive"),
        ("set Helth.now = 3", "world `Game` has no component `Helth`: did you mean `Health`?"),
        ("set Monster.kind = Wolf", "entity 0v1 has no component `Monster`"),
        ("add 4v1 Player", "component `Player`"),
        ("add 4v1 Account = 7", "component `Account`"),
        ("add Frozen, Burning", "components `Frozen` and `Burning` exclude each other: leave one out"),
        ("add Position", "for instance `Position = [0.0, 0.0]`"),
        ("add 4v1 ChildOf = 6v1", "component `ChildOf`"),
        ("add", "expected the name of a component after `add`"),
        ("remove Monster", "entity 0v1 has no component `Monster`"),
        ("remove Name, Monster", "entity 0v1 has no component `Monster`"),
        ("spawn Player", "component `Player`"),
        ("despawn 9v9", "no entity with the id `9v9` is alive"),
        ("move Name", "expected `to` and an id after the components"),
        ("move Name to 9v9", "no entity with the id `9v9` is alive"),
        ("move Name to 0v1", "0v1 is both source and target"),
        ("move ChildOf to 4v1", "entity 0v1 has no component `ChildOf`"),
        ("filter Health.now <", "query, position 12: a constant is a number"),
        ("filter Helth", "did you mean `Health`?"),
        ("sort Helth", "did you mean `Health`?"),
        ("sort Health.", "expected a name after `.`"),
        ("run tock", "world `Game` has no schedule `tock`: did you mean `tick`?"),
        ("step tock", "there is no schedule `tock`"),
        ("enable healing", "world `Game` has no system `healing`"),
        ("send Hit = 3", "`Hit`: invalid type: integer `3`"),
        ("watch Helth", "did you mean `Health`?"),
        ("unwatch 1", "expected a number from 1 to 0 after `unwatch`"),
        ("define Name", "`Name` is a component"),
        ("time", "expected `on` or `off` after `time`"),
        ("desp", "there is no command `desp`: did you mean `despawn`?"),
        ("goto x", "no entity with the id `x` is alive"),
        ("unpin", "this entity is not pinned"),
    ];
    for (line, message) in cases {
        let text = screen.press(&format!("1:{line}<Enter>"), &mut game);
        let status = text.lines().rev().nth(1).unwrap();
        assert!(status.contains(message), "{line}: {status}");
        screen.press("<Esc> :resume<Enter>", &mut game);
        let after = screen.press("1<Home>", &mut game);
        assert_eq!(after, before, "{line}");
    }
}

#[test]
fn entities_are_spawned_and_despawned() {
    let (mut game, [player, grey, ..]) = game();
    let mut screen = Screen::new(110, 18);
    let text = screen.press(
        "cName = \"Rat\", Monster = {\"kind\": \"Wolf\", \"target\": null, \"path\": []}<Enter>",
        &mut game,
    );
    let rat = screen.inspector.chosen().unwrap();
    assert_shows(&text, &[&format!("spawned {rat}"), "\"Rat\""]);
    assert_eq!((game.get(rat), game.get(rat)), (Some(&Name("Rat".into())), Some(&Health::default())));
    let text = screen.press(":goto 4v1<Enter>d<Enter>", &mut game);
    assert_shows(&text, &["despawned 4v1", "entities (2)"]);
    assert!(!game.contains(grey) && game.contains(player)); // and its children with it
}

#[test]
fn components_are_added_and_removed_with_keys() {
    let (mut game, [player, ..]) = game();
    let mut screen = Screen::new(110, 18);
    screen.press("aFrozen, Position = [1, 2]<Enter>", &mut game);
    assert!(game.has::<Frozen>(player));
    assert_eq!(game.get(player), Some(&Position(1.0, 2.0)));
    // the cursor is at the first column, `Name`
    assert_shows(&screen.press("x<Enter>", &mut game), &["removed Name from 0v1"]);
    assert!(!game.has::<Name>(player));
}

#[test]
fn components_move_between_entities_by_the_rules() {
    let (mut game, [player, grey, white, cub]) = game();
    let mut screen = Screen::new(110, 18);
    let mut run = |line: &str, game: &mut Game| screen.inspector.run_command(line, game);
    // a unique component and a key leave their entity first
    run("move 0v1 Player, Account to 4v1", &mut game).unwrap();
    assert!(!game.has::<Player>(player) && game.has::<Player>(grey));
    assert_eq!((game.get::<Account>(player), game.get(grey)), (None, Some(&Account(7))));
    run("copy 4v1 Name, Health to 0v1", &mut game).unwrap();
    assert_eq!((game.get(player), game.get(grey)), (Some(&Name("Grey".into())), Some(&Name("Grey".into()))));
    // a copy of a unique component is refused
    let error = run("copy 4v1 Player to 0v1", &mut game).unwrap_err();
    assert!(error.contains("Player"), "{error}");
    // one refused component: nothing moves
    game.insert(player, Frozen).unwrap();
    game.insert(grey, Burning).unwrap();
    let error = run("move 4v1 Player, Burning to 0v1", &mut game).unwrap_err();
    assert!(error.contains("Burning") || error.contains("Frozen"), "{error}");
    assert!(game.has::<Player>(grey) && game.has::<Burning>(grey) && !game.has::<Player>(player));
    // a relation moves with its target, but not onto its target
    run("move 6v1 ChildOf to 0v1", &mut game).unwrap();
    assert_eq!(game.sources::<ChildOf>(white), [player]);
    let error = run("move 5v1 ChildOf to 4v1", &mut game).unwrap_err();
    assert!(error.contains("ChildOf"), "{error}");
    assert_eq!((game.sources::<ChildOf>(grey), game.has::<ChildOf>(cub)), (&[white][..], false));
}

#[test]
fn groups_are_added_and_removed_like_aspects() {
    let (mut game, [player, ..]) = game();
    let mut screen = Screen::new(110, 18);
    screen.inspector = ecs_inspect::Inspector::new()
        .group("Body", [("Position", vec![1.0_f32.into(), 2.0_f32.into()].into()), ("Frozen", ().into())]);
    let mut run = |line: &str, game: &mut Game| screen.inspector.run_command(line, game);
    run("add Body", &mut game).unwrap();
    assert!(game.has::<Frozen>(player) && game.get(player) == Some(&Position(1.0, 2.0)));
    run("remove Body", &mut game).unwrap();
    assert!(!game.has::<Frozen>(player) && !game.has::<Position>(player));
    assert!(run("remove Body", &mut game).unwrap_err().contains("has no component `Position`"));
    // an entity is a group, too
    run("goto 5v1", &mut game).unwrap();
    run("remove ChildOf", &mut game).unwrap();
    run("define White", &mut game).unwrap();
    run("spawn White, Frozen", &mut game).unwrap();
    let copy = screen.inspector.chosen().unwrap();
    assert!(game.has::<Frozen>(copy) && game.get(copy) == Some(&Name("White".into())));
}

#[test]
fn rows_are_filtered_sorted_and_pinned() {
    let (mut game, [player, grey, white, cub]) = game();
    let mut screen = Screen::new(140, 18);
    let rows = |text: &str| -> Vec<String> {
        let ids = text
            .lines()
            .skip(3)
            .map(|line| line.trim_start_matches('│').split(' ').next().unwrap().to_owned());
        ids.filter(|id| id.contains('v')).collect()
    };
    let text = screen.press("/Health, without Player, Health.now >= 3<Enter>", &mut game);
    assert_shows(
        &text,
        &["entities (2 of 4), filter: Health, without Player, Health.now >= 3", "2 entities match"],
    );
    assert_eq!(rows(&text), ["4v1", "5v1"]);
    // the filter follows the world
    game.get_tracked::<Health>(cub).unwrap().now = 4;
    assert_eq!(rows(&screen.draw(&game)), ["4v1", "5v1", "6v1"]);
    assert_eq!(
        rows(&screen.press(":filter<Enter>:sort Health.now desc<Enter>", &mut game)),
        ["0v1", "5v1", "6v1", "4v1"]
    );
    assert_eq!(rows(&screen.press(":pin 6v1<Enter>", &mut game)), ["6v1", "0v1", "5v1", "6v1", "4v1"]);
    assert_eq!(rows(&screen.press(":unpin 6v1<Enter>:sort<Enter>", &mut game)), ["0v1", "4v1", "5v1", "6v1"]);
    // the key sorts by the column: ascending, descending, not
    screen.press("<Home><Left><Left><Left><Left>", &mut game);
    assert_eq!(rows(&screen.press("o", &mut game)), ["0v1", "6v1", "4v1", "5v1"]);
    assert_eq!(rows(&screen.press("o", &mut game)), ["5v1", "4v1", "6v1", "0v1"]);
    assert_eq!(rows(&screen.press("o", &mut game)), ["0v1", "4v1", "5v1", "6v1"]);
    // a filter by a relation to a live entity, which then dies
    screen.press(":filter ChildOf = 4v1<Enter>", &mut game);
    assert_eq!(screen.inspector.chosen(), Some(white));
    game.despawn(grey).unwrap();
    assert_shows(&screen.draw(&game), &["no entity with the id `4v1` is alive"]);
    assert!(game.contains(player));
}

#[test]
fn watched_values_are_always_shown() {
    let (mut game, [player, ..]) = game();
    let mut screen = Screen::new(110, 22);
    screen
        .press(":watch Health.now<Enter>:watch Clock.frame<Enter>:watch 6v1 Monster.kind<Enter>", &mut game);
    let watches = [" 1 0v1 Health.now = 7", " 2 Clock.frame = 0", " 3 6v1 Monster.kind = Dragon{heads: 2}"];
    for view in ["1", "2", "3", "4", "5"] {
        assert_shows(&screen.press(view, &mut game), &watches);
    }
    game.tick();
    assert_shows(&screen.draw(&game), &["0v1 Health.now = 8", "Clock.frame = 1"]);
    game.despawn(player).unwrap();
    assert_shows(&screen.draw(&game), &["0v1 Health.now = (entity 0v1@"]);
    let text = screen.press(":unwatch 1<Enter>", &mut game);
    assert_shows(&text, &["1 Clock.frame = 1"]);
    assert!(!screen.press(":unwatch<Enter>", &mut game).contains("watch ─"));
}

#[test]
fn a_paused_world_is_stepped_by_ticks_and_systems() {
    let (mut game, [player, ..]) = game();
    let mut screen = Screen::new(110, 18);
    assert_eq!(screen.inspector.pace(), Pace::Run);
    assert_shows(&screen.press(" ", &mut game), &["paused"]);
    assert_eq!(screen.inspector.pace(), Pace::Wait);
    screen.press("nn", &mut game);
    let paces = [(); 3].map(|()| screen.inspector.pace());
    assert_eq!(paces, [Pace::Step, Pace::Step, Pace::Wait]);

    let text = screen.press("4<End><Enter>", &mut game);
    assert_shows(&text, &[":send Hit ="]);
    screen.press("<Tab>", &mut game);
    let text = screen.press("<Esc>:send Hit = {\"entity\": \"0v1@1\", \"points\": -5}<Enter>", &mut game);
    assert_shows(&text, &["`Hit.points`: invalid value: integer `-5`, expected u32"]);
    let line = format!("send Hit = {{\"entity\": \"{player:#}\", \"points\": 5}}");
    screen.inspector.run_command(&line, &mut game).unwrap();
    let now = |game: &Game| (game.resource::<Clock>().frame, game.get::<Health>(player).unwrap().now);
    assert_eq!(now(&game), (0, 7));
    assert_shows(&screen.press("3s", &mut game), &["ran system `count` of `tick`", "▶  1 *hurt"]);
    assert_eq!(now(&game), (1, 7));
    screen.press("s", &mut game);
    assert_eq!(now(&game), (1, 2));
    // the rest of the tick: `heal`
    assert_shows(&screen.press("n", &mut game), &["ran the rest of `tick`"]);
    assert_eq!((now(&game), screen.inspector.pace()), ((1, 3), Pace::Wait));
    // all systems are on again
    assert_shows(&screen.press("<Home><Enter><Enter>", &mut game), &["ran `tick`"]);
    assert_eq!(now(&game), (2, 4));
    // a step leaves out what is off
    screen.press(":disable hurt<Enter>ss", &mut game);
    assert_eq!(now(&game), (3, 5));
    assert_shows(&screen.press("s", &mut game), &["schedule `tick` is over"]);
    assert_shows(&screen.press(" ", &mut game), &["running"]);
    assert_eq!(screen.inspector.pace(), Pace::Run);
}

#[test]
fn names_are_completed() {
    let (mut game, _) = game();
    let mut screen = Screen::new(110, 18);
    let cases = [
        ("des", "despawn"),
        ("set Hea", "set Health"),
        ("set Health.n", "set Health.now"),
        ("set 4v1 Monster.ki", "set 4v1 Monster.kind"),
        ("set Clo", "set Clock"),
        ("set Clock.f", "set Clock.frame"),
        ("add Frozen, Pos", "add Frozen, Position"),
        ("add Position = ", "add Position = [0.0, 0.0]"),
        ("add Health = ", "add Health = {\"now\": 0, \"max\": 0}"),
        ("add Health = {\"now\": 0, \"max\": 0}, Fr", "add Health = {\"now\": 0, \"max\": 0}, Frozen"),
        ("set Monster.kind = W", "set Monster.kind = Wolf"),
        ("set Monster.kind = {\"D", "set Monster.kind = {\"Dragon\": {\"heads\": 0}}"),
        ("filter with Pl", "filter with Player"),
        ("filter Health, ?Po", "filter Health, ?Position"),
        ("filter Health.m", "filter Health.max"),
        ("sort Acc", "sort Account"),
        ("run t", "run tick"),
        ("enable hu", "enable hurt"),
        ("send H", "send Hit"),
        ("move Na", "move Name"),
        ("nothing at all", "nothing at all"),
    ];
    for (typed, completed) in cases {
        let text = screen.press(&format!(":{typed}<Tab>"), &mut game);
        assert_shows(&text, &[&format!("\n:{completed}\n")]);
        screen.press("<Esc>", &mut game);
    }
    // several candidates are listed, and repeated Tabs go through them
    let text = screen.press(":set Health.<Tab>", &mut game);
    assert_shows(&text, &[" Health.now  Health.max", "\n:set Health.\n"]);
    assert_shows(&screen.press("<Tab>", &mut game), &["\n:set Health.now\n"]);
    assert_shows(&screen.press("<Tab>", &mut game), &["\n:set Health.max\n"]);
    assert_shows(&screen.press("<Tab> = 2<Enter>", &mut game), &["set Health.now of 0v1"]);
    // the history
    assert_shows(&screen.press(":x<Up>", &mut game), &["\n:set Health.now = 2\n"]);
    assert_shows(&screen.press("<Down>", &mut game), &["\n:x\n"]);
}

#[test]
fn changes_are_taken_back_one_after_the_other() {
    let (mut game, [player, grey, ..]) = game();
    let mut screen = Screen::new(110, 18);
    let before = |game: &Game| game.reflect().read_all(player).unwrap();
    let (first, other) = (before(&game), game.reflect().read_all(grey).unwrap());
    let commands = [
        "set Health.now = 1".to_owned(),
        "remove Name".to_owned(),
        "add Frozen".to_owned(),
        format!("move Health to {grey}"),
    ];
    let mut states = Vec::new();
    for command in &commands {
        states.push((before(&game), game.reflect().read_all(grey).unwrap()));
        screen.inspector.run_command(&command.replacen(' ', &format!(" {player} "), 1), &mut game).unwrap();
    }
    assert_eq!(states[0], (first, other));
    for state in states.iter().rev() {
        assert_shows(&screen.press("u", &mut game), &["took the change of"]);
        assert_eq!((before(&game), game.reflect().read_all(grey).unwrap()), *state);
    }
    assert_shows(&screen.press("u", &mut game), &["there is no change to take back"]);

    // a resource, and new entities
    let step = game.resource::<Clock>().step;
    screen.inspector.run_command("set Clock.step = 9.0", &mut game).unwrap();
    assert_eq!(game.resource::<Clock>().step, 9.0);
    screen.inspector.run_command("undo", &mut game).unwrap();
    assert_eq!(game.resource::<Clock>().step, step);
    let count = game.entities().len();
    screen.inspector.run_command("spawn Frozen", &mut game).unwrap();
    screen.inspector.run_command("undo", &mut game).unwrap();
    assert_eq!(game.entities().len(), count);
    // a despawn has an end
    screen.inspector.run_command(&format!("despawn {grey}"), &mut game).unwrap();
    let error = screen.inspector.run_command("undo", &mut game).unwrap_err();
    assert!(error.contains("no other entity can have its id"), "{error}");
}

#[test]
fn a_key_that_has_replaced_another_is_taken_back() {
    let (mut game, [player, grey, ..]) = game();
    game.insert(grey, Account(8)).unwrap();
    let mut screen = Screen::new(110, 18);
    screen.inspector.run_command(&format!("move {player} Account to {grey}"), &mut game).unwrap();
    assert_eq!(game.get::<Account>(grey).map(|account| account.0), Some(7));
    screen.inspector.run_command("undo", &mut game).unwrap();
    let accounts = [player, grey].map(|entity| game.get::<Account>(entity).map(|account| account.0));
    assert_eq!(accounts, [Some(7), Some(8)]);
}

/// The game despawns an entity that was edited.
#[test]
fn a_change_of_an_entity_that_is_gone_is_passed_over_after_its_error() {
    let (mut game, [player, grey, ..]) = game();
    let mut screen = Screen::new(110, 18);
    let before = game.get::<Health>(player).unwrap().now;
    screen.inspector.run_command(&format!("set {player} Health.now = 1"), &mut game).unwrap();
    screen.inspector.run_command(&format!("set {grey} Health.now = 1"), &mut game).unwrap();
    game.despawn(grey).unwrap();
    assert!(screen.inspector.run_command("undo", &mut game).is_err());
    screen.inspector.run_command("undo", &mut game).unwrap();
    assert_eq!(game.get::<Health>(player).unwrap().now, before);
}
