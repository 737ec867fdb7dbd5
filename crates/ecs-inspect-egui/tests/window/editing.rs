//! Values are edited in place, and each edit is a line of the console.

use ecs::prelude::*;
use egui::Key;

use crate::game::*;

/// A screen with the chosen entity of [`game`].
fn at(choose: usize) -> (Screen, Entity) {
    let (game, entities) = game();
    let mut screen = Screen::new(game, |inspector| inspector);
    screen.inspector().choose(entities[choose]);
    screen.frames();
    (screen, entities[choose])
}

#[test]
fn a_number_is_dragged_and_one_undo_takes_the_drag_back() {
    let (mut screen, wolf) = at(1);
    screen.drag("Speed", 0.0);
    assert_eq!(screen.game().get(wolf), Some(&Speed(0.5)), "a click changes nothing");
    screen.frames();
    screen.harness.key_press(Key::Escape);
    screen.frames();
    screen.drag("Health.now", 60.0);
    let now = screen.game().get::<Health>(wolf).unwrap().now;
    assert!(now > 3, "{now}");
    assert!(screen.inspector().message().is_ok_and(|text| text.starts_with("set Health.now")));
    screen.click("Undo");
    assert_eq!(screen.game().get(wolf), Some(&Health { now: 3, max: 9 }));
    assert_eq!(screen.inspector().can_undo_redo(), (false, true));
    screen.click("Redo");
    assert_eq!(screen.game().get::<Health>(wolf).unwrap().now, now);
}

#[test]
fn a_number_stays_in_the_range_of_its_type() {
    let (mut screen, wolf) = at(1);
    screen.type_into("Health.max", "4000", Key::Enter);
    assert_eq!(screen.game().get(wolf), Some(&Health { now: 3, max: 255 }));
    screen.type_into("Health.max", "-4", Key::Enter);
    assert_eq!(screen.game().get(wolf), Some(&Health { now: 3, max: 0 }));
    screen.type_into("Speed", "2.25", Key::Enter);
    assert_eq!(screen.game().get(wolf), Some(&Speed(2.25)));
}

#[test]
fn a_refused_value_leaves_the_world_and_says_why() {
    let (mut screen, wolf) = at(1);
    screen.type_into("Account", "7", Key::Enter);
    assert_eq!(screen.game().get(wolf), Some(&Account(8)));
    let error = screen.inspector().message().unwrap_err().to_owned();
    screen.assert_shows(&[&error]);
    assert_eq!(screen.inspector().can_undo_redo(), (false, false));
}

#[test]
fn texts_are_typed() {
    let (mut screen, wolf) = at(1);
    screen.type_into("Name", "White \"the\" wolf", Key::Enter);
    assert_eq!(screen.game().get(wolf), Some(&Name("White \"the\" wolf".into())));
    screen.type_into("Name", "Nobody", Key::Escape);
    assert_eq!(screen.game().get(wolf), Some(&Name("White \"the\" wolf".into())));
}

#[test]
fn variants_options_bools_lists_and_maps() {
    let (mut screen, cub) = at(2);
    let monster = |screen: &mut Screen| screen.game().get::<Monster>(cub).unwrap().clone();
    // the content of a variant, and another variant
    screen.type_into("Monster.kind.Dragon.heads", "5", Key::Enter);
    assert_eq!(monster(&mut screen).kind, Kind::Dragon { heads: 5 });
    screen.click("Monster.kind");
    screen.click("Ghost");
    assert_eq!(monster(&mut screen).kind, Kind::Ghost(0));
    screen.click("Monster.kind");
    screen.click("Wolf");
    assert_eq!(monster(&mut screen).kind, Kind::Wolf);

    screen.click("Monster.is_awake");
    assert!(monster(&mut screen).is_awake);

    // an option without and with a value
    screen.click("Monster.target is some");
    assert_eq!(monster(&mut screen).target, None);
    screen.click("Monster.target");
    assert_eq!(monster(&mut screen).target, Some(cub));

    // elements of a list are removed, added and changed
    screen.click("remove Monster.path[0]");
    assert_eq!(monster(&mut screen).path, [(3, 4)]);
    screen.click("add to Monster.path");
    assert_eq!(monster(&mut screen).path, [(3, 4), (0, 0)]);
    screen.type_into("Monster.path[1][1]", "-7", Key::Enter);
    assert_eq!(monster(&mut screen).path, [(3, 4), (0, -7)]);

    // entries of a map
    screen.type_into("Monster.bag[\"gold\"]", "6", Key::Enter);
    screen.type_into("Monster.bag key", "silver", Key::Enter);
    assert_eq!(monster(&mut screen).bag, [("gold".to_owned(), 6), ("silver".to_owned(), 0)].into());
    screen.click("remove Monster.bag[\"gold\"]");
    assert_eq!(monster(&mut screen).bag, [("silver".to_owned(), 0)].into());
}

#[test]
fn integers_beyond_those_of_a_drag_are_typed() {
    let (mut screen, cub) = at(2);
    screen.game().get_mut::<Monster>(cub).unwrap().bag.insert("gold".to_owned(), u64::MAX - 1);
    screen.frames();
    let most = u64::MAX.to_string();
    screen.type_into("Monster.bag[\"gold\"]", &most, Key::Enter);
    assert_eq!(screen.game().get::<Monster>(cub).unwrap().bag["gold"], u64::MAX);
}

#[test]
fn a_link_chooses_the_entity_and_can_be_edited() {
    let (game, [player, wolf, cub]) = game();
    let mut screen = Screen::new(game, |inspector| inspector);
    screen.inspector().choose(cub);
    screen.frames();
    screen.click("edit ChildOf");
    screen.harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    screen.frames();
    screen.harness.event(egui::Event::Text(player.to_string()));
    screen.frames();
    screen.harness.key_press(Key::Enter);
    screen.frames();
    assert_eq!(screen.game().get::<ChildOf>(cub).map(|parent| parent.0), Some(player));
    screen.click("Undo");
    assert_eq!(screen.game().get::<ChildOf>(cub).map(|parent| parent.0), Some(wolf));
    screen.click(&format!("{wolf} Grey"));
    assert_eq!(screen.inspector().chosen(), Some(wolf));
}

#[test]
fn components_and_entities_come_and_go() {
    let (mut screen, wolf) = at(1);
    screen.click("Add");
    screen.click("Frozen");
    assert!(screen.game().has::<Frozen>(wolf));
    screen.click("remove Health");
    assert!(!screen.game().has::<Health>(wolf));
    screen.click("Add");
    screen.click("Health");
    assert_eq!(screen.game().get(wolf), Some(&Health { now: 0, max: 0 }));
    screen.click("Spawn");
    let spawned = screen.inspector().chosen().unwrap();
    assert!(spawned != wolf && screen.game().contains(spawned));
    screen.click("Despawn");
    assert!(!screen.game().contains(spawned));
    screen.assert_shows(&["not alive"]);
}

#[test]
fn an_empty_list_gets_elements_and_a_long_one_is_closed() {
    let (mut screen, cub) = at(2);
    screen.game().get_mut::<Monster>(cub).unwrap().path.clear();
    screen.frames();
    screen.click("add to Monster.path");
    assert_eq!(screen.game().get::<Monster>(cub).unwrap().path, [(0, 0)]);
    screen.assert_shows(&["Monster.path[0][1]"]);
    screen.click("parts of Monster.path");
    assert!(!screen.shows("Monster.path[0][1]"));
    screen.game().get_mut::<Monster>(cub).unwrap().path = vec![(1, 1); 400];
    screen.frames();
    screen.assert_shows(&["400 elements"]);
}
