//! The rows W47 and W48 of the acceptance tests: the console of WECS, driven by keys alone and read
//! from the screen. `tests/acceptance` names these tests.

use ecs::prelude::*;
use ecs_inspect::Pace;

use crate::game::{Clock, Name, *};

/// The ids in the first column of the matrix.
fn ids(screen: &str) -> Vec<String> {
    let first = |line: &str| line.trim_start_matches('│').split(' ').next().unwrap_or_default().to_owned();
    screen.lines().skip(3).map(first).filter(|id| id.contains('v')).collect()
}

#[test]
fn w47_the_console_shows_the_matrix_of_entities_and_components() {
    let (mut game, _) = game();
    let mut screen = Screen::new(110, 18);
    let text = screen.press("v", &mut game);
    let rows = [
        "entity Name Health Position Player Account Monster ChildOf",
        "0v1    x    x      ·        x      x       ·       ·",
        "6v1    x    x      x        ·      ·       x       x",
    ];
    assert_shows(&text, &rows);
    // a change of the program is in the next picture
    game.spawn((Name("Rat".into()), Frozen));
    assert_shows(&screen.draw(&game), &["entities (5)", "Position Frozen Player"]);
}

#[test]
fn w47_values_are_watched_and_entities_pinned() {
    let (mut game, [player, _, _, cub]) = game();
    let mut screen = Screen::new(110, 22);
    // the column `Health` of the player, then its last entity is pinned
    let text = screen.press("<Right>W<Down><Down><Down>p", &mut game);
    assert_shows(&text, &["┌ watch ", " 1 0v1 Health = {now: 7, max: 9}"]);
    assert_eq!(ids(&text)[..2], ["6v1", "0v1"]);
    game.insert(player, Health { now: 2, max: 9 }).unwrap();
    game.despawn(cub).unwrap();
    let text = screen.draw(&game);
    assert_shows(&text, &[" 1 0v1 Health = {now: 2, max: 9}"]);
    assert_eq!(ids(&screen.press(":unpin 6v1<Enter>", &mut game))[0], "0v1");
    assert!(!screen.press(":unwatch<Enter>", &mut game).contains("┌ watch "));
}

#[test]
fn w47_rows_are_sorted_and_filtered() {
    let (mut game, _) = game();
    let mut screen = Screen::new(110, 18);
    // by `Name`: ascending, then descending
    assert_eq!(ids(&screen.press("o", &mut game)), ["0v1", "6v1", "4v1", "5v1"]);
    assert_eq!(ids(&screen.press("o", &mut game)), ["5v1", "4v1", "6v1", "0v1"]);
    // a struct has no order, but its parts have
    assert_shows(&screen.press("<Right>o", &mut game), &["\n:sort Health.\n"]);
    assert_eq!(ids(&screen.press("now<Enter>", &mut game)), ["6v1", "4v1", "5v1", "0v1"]);
    let text = screen.press(":sort<Enter>/Health.now > 3, without Player<Enter>", &mut game);
    assert_eq!(ids(&text), ["5v1"]);
    assert_shows(&text, &["1 entities match"]);
    // a filter with a mistake leaves the rows alone
    let text = screen.press(":filter Helth<Enter>", &mut game);
    assert_shows(&text, &["did you mean `Health`?"]);
    assert_eq!(ids(&text), ["5v1"]);
    assert_eq!(ids(&screen.press(":filter<Enter>", &mut game)).len(), 4);
}

#[test]
fn w47_the_systems_of_an_entity_are_known() {
    let (mut game, [player, ..]) = game();
    let mut screen = Screen::new(110, 18);
    assert_shows(&screen.draw(&game), &["systems: hurt, heal"]);
    let membership = ["    0  count", "    1 *hurt", "    2 *heal"];
    assert_shows(&screen.press("3", &mut game), &membership);
    game.remove::<Health>(player).unwrap();
    assert!(!screen.draw(&game).contains("*h"), "no system reads a component of the entity");
}

#[test]
fn w48_values_are_edited_and_a_refused_value_changes_nothing() {
    let (mut game, [player, ..]) = game();
    let mut screen = Screen::new(110, 18);
    assert_shows(&screen.press("<Enter><Down><Down>e", &mut game), &["\n:set Health.now = 7\n"]);
    assert_shows(&screen.press("<Bs>4<Enter>", &mut game), &["set Health.now of 0v1", "  now 4"]);
    assert_eq!(game.get(player), Some(&Health { now: 4, max: 9 }));
    let text = screen.press("e<Bs>four<Enter>", &mut game);
    assert_shows(&text, &["`Health.now` of entity 0v1", "expected u32"]);
    assert_eq!(game.get(player), Some(&Health { now: 4, max: 9 }));
}

#[test]
fn w48_entities_are_created_and_destroyed() {
    let (mut game, _) = game();
    let mut screen = Screen::new(110, 18);
    let text = screen.press("cName = \"Rat\", Frozen<Enter>", &mut game);
    assert_shows(&text, &["spawned ", "entities (5)", "Name \"Rat\""]);
    let rat = screen.inspector.chosen().unwrap();
    assert!(game.has::<Frozen>(rat));
    assert_shows(&screen.press("d<Enter>", &mut game), &["despawned ", "entities (4)"]);
    assert!(!game.contains(rat));
}

#[test]
fn w48_components_are_added_removed_and_moved() {
    let (mut game, [player, grey, ..]) = game();
    let mut screen = Screen::new(110, 18);
    screen.press("aFrozen<Enter>", &mut game);
    assert!(game.has::<Frozen>(player));
    // the cursor is at the first column, `Name`
    screen.press("m4v1<Enter>", &mut game);
    assert_eq!((game.get::<Name>(player), game.get(grey)), (None, Some(&Name("Ada".into()))));
    screen.press(":goto 4v1<Enter>x<Enter>", &mut game);
    assert!(!game.has::<Name>(grey));
}

#[test]
fn w48_the_world_is_paused_and_stepped() {
    let (mut game, _) = game();
    let mut screen = Screen::new(110, 18);
    screen.press(" n", &mut game);
    assert_eq!([(); 2].map(|()| screen.inspector.pace()), [Pace::Step, Pace::Wait]);
    assert_shows(&screen.press("3s", &mut game), &["ran system `count` of `tick`"]);
    assert_eq!(game.resource::<Clock>().frame, 1);
    screen.press("n ", &mut game);
    assert_eq!(screen.inspector.pace(), Pace::Run);
}

#[test]
fn w48_aspects_are_added_swapped_and_removed() {
    let (mut game, [player, ..]) = game();
    let mut screen = Screen::new(120, 22);
    let rat = game.spawn(Frozen);
    screen.press(&format!(":goto {rat}<Enter>"), &mut game);
    assert_shows(&screen.draw(&game), &["aspects: Ghost"]);
    assert_shows(&screen.press(":swap Ghost for Body<Enter>", &mut game), &["swapped Ghost for Body"]);
    assert_eq!((game.has::<Frozen>(rat), game.get(rat)), (false, Some(&Health { now: 4, max: 10 })));
    assert_shows(&screen.press("aGho<Tab><Enter>", &mut game), &["added Ghost to ", "aspects: Body, Ghost"]);
    assert_shows(&screen.press(":remove Body<Enter>", &mut game), &["removed Health, Name from "]);
    // a part of the aspect is there already
    let text = screen.press(&format!(":add {player} Body<Enter>"), &mut game);
    assert_shows(&text, &["already has component `Health`"]);
    let text = screen.press(":spawn Body, Frozen<Enter>", &mut game);
    assert_shows(&text, &["aspects: Body, Ghost", "Name \"body\""]);
}

#[test]
fn aspects_prefabs_and_failures_have_their_places_on_the_screen() {
    let (mut game, _) = game();
    let mut screen = Screen::new(120, 24);
    let text = screen.press("6", &mut game);
    assert_shows(
        &text,
        &["6 Content", " Body           4  Health Name", "Something that can be hurt.", " rat  prefab"],
    );
    let text = screen.press("<Down><Down><Enter><Enter>", &mut game);
    assert_shows(&text, &["spawned rat ", ", flea "]);
    assert_shows(&screen.press("1", &mut game), &["entities (6)", "Name \"Rat\""]);
    assert!(!screen.press("3", &mut game).contains("last failure"));
    assert_shows(&screen.press(":run import<Enter>", &mut game), &["last failure: no such file"]);
}
