//! The views: their texts, and their own clicks.

use ecs::prelude::*;
use ecs::reflect::{AllowList, ReflectWorld};
use ecs_inspect_egui::WindowInspector;
use ecs_inspect_egui::ecs_inspect::{Inspector, Pace, View};
use egui::Key;
use egui_kittest::kittest::{By, NodeT, Queryable};

use crate::game::*;

#[test]
fn the_list_shows_entities_and_their_components() {
    let (game, [player, wolf, cub]) = game();
    let mut screen = Screen::new(game, |inspector| inspector);
    let rows = [player, wolf, cub].map(|entity| entity.to_string());
    screen.assert_shows(&["Game", "Entities", "3 entities", "Monster", "{now: 3, max: 9}"]);
    screen.assert_shows(&rows.each_ref().map(String::as_str));
    assert_eq!(screen.inspector().chosen(), Some(player));
    screen.click(&format!("{wolf} Grey"));
    assert_eq!(screen.inspector().chosen(), Some(wolf));
    for (key, chosen) in [(Key::ArrowDown, cub), (Key::ArrowDown, cub), (Key::ArrowUp, wolf)] {
        screen.harness.key_press(key);
        screen.frames();
        assert_eq!(screen.inspector().chosen(), Some(chosen));
    }
    // the values at the right, and the systems
    screen.assert_shows(&["Health.now", "Account", "systems: hurt"]);
}

#[test]
fn a_filter_and_an_order_are_those_of_the_console() {
    let (game, [_, wolf, cub]) = game();
    let mut screen = Screen::new(game, |inspector| inspector);
    screen.type_into("filter", "Health, Health.now < 5", Key::Enter);
    assert_eq!(screen.inspector().filter_text(), "Health, Health.now < 5");
    screen.assert_shows(&["1 match", &wolf.to_string()]);
    assert!(!screen.shows(&cub.to_string()));
    // a filter that is wrong leaves the old one
    screen.type_into("filter", "Helth", Key::Enter);
    assert!(screen.inspector().message().is_err());
    assert_eq!(screen.inspector().filter_text(), "Health, Health.now < 5");
    screen.click("x");
    assert_eq!(screen.inspector().filter_text(), "");
    // a click at the title of a column with one value, or with parts
    screen.click("Speed");
    assert_eq!(screen.inspector().order(), Some(("Speed", false)));
    screen.click("Health");
    screen.click("Sort by Health.max");
    assert_eq!(screen.inspector().order(), Some(("Health.max", false)));
}

#[test]
fn completions_are_clicked() {
    let (game, _) = game();
    let mut screen = Screen::new(game, |inspector| inspector);
    screen.click("console");
    screen.harness.event(egui::Event::Text("disa".to_owned()));
    screen.frames();
    screen.click("disable");
    screen.harness.event(egui::Event::Text(" hu".to_owned()));
    screen.frames();
    screen.click("hurt");
    screen.harness.key_press(Key::Enter);
    screen.frames();
    assert_eq!(screen.inspector().message(), Ok("`hurt` is off at 1 place(s)"));
}

#[test]
fn the_tree_shows_a_relation() {
    let (game, [_, wolf, cub]) = game();
    let mut screen = Screen::new(game, |inspector| inspector);
    screen.click("Relations");
    screen.click(&format!("{cub} Cub"));
    assert_eq!((screen.inspector().chosen(), screen.inspector().view()), (Some(cub), View::Relations));
    screen.inspector().choose(wolf);
    screen.click(&format!("branch {wolf}"));
    assert!(!screen.shows(&format!("{cub} Cub")));
    screen.click(&format!("branch {wolf}"));
    screen.assert_shows(&[&format!("{cub} Cub")]);
}

#[test]
fn systems_have_switches_and_run_times() {
    let (game, _) = game();
    let mut screen = Screen::new(game, |inspector| inspector);
    screen.click("Systems");
    screen.assert_shows(&["tick", "count", "writes Calendar"]);
    screen.click("count");
    screen.click("run");
    assert_eq!(screen.game().resource::<Calendar>().frame, 0);
    screen.click("count");
    screen.click("measure run times");
    screen.click("run");
    assert_eq!(screen.game().resource::<Calendar>().frame, 1);
    screen.assert_shows(&["µs"]);
}

#[test]
fn resources_are_edited_and_events_are_sent() {
    let (game, [player, ..]) = game();
    let mut screen = Screen::new(game, |inspector| inspector);
    screen.click("Resources");
    screen.type_into("Calendar.frame", "40", Key::Enter);
    assert_eq!(screen.game().resource::<Calendar>().frame, 40);
    screen.click("Undo");
    assert_eq!(screen.game().resource::<Calendar>().frame, 0);
    screen.type_into("Hit", r#"{"points": 5}"#, Key::Enter);
    screen.click("Send");
    screen.tick();
    assert_eq!(screen.game().get::<Health>(player).map(|health| health.now), Some(2));
}

#[test]
fn components_filter_the_list() {
    let (game, [_, _, cub]) = game();
    let mut screen = Screen::new(game, |inspector| inspector);
    screen.click("Components");
    screen.assert_shows(&["key", "relation"]);
    screen.click("Monster");
    assert_eq!((screen.inspector().view(), screen.inspector().filter_text()), (View::Entities, "Monster"));
    screen.assert_shows(&["1 match", &cub.to_string()]);
}

#[test]
fn the_time_line_goes_back_and_forward() {
    let (game, [player, ..]) = game();
    let mut screen = Screen::new(game, |inspector| inspector);
    for _ in 0..10 {
        screen.tick();
    }
    let frame = |screen: &mut Screen| screen.game().resource::<Calendar>().frame;
    screen.assert_shows(&["run 10/10"]);
    screen.click("back");
    assert_eq!(frame(&mut screen), 9);
    for _step in 0..3 {
        screen.click("back system");
    }
    assert_eq!(frame(&mut screen), 8);
    screen.click("forward");
    assert_eq!(frame(&mut screen), 9);
    assert!(screen.inspector().is_paused());
    // the handle of the slider is dragged to the begin
    let slider = screen.widget("time line").rect();
    screen.harness.drag_at(slider.left_center() + egui::vec2(slider.width() * 0.9, 0.0));
    screen.harness.step();
    screen.harness.hover_at(slider.left_center() + egui::vec2(2.0, 0.0));
    screen.harness.step();
    screen.harness.drop_at(slider.left_center() + egui::vec2(2.0, 0.0));
    screen.frames();
    assert_eq!(frame(&mut screen), 0);
    screen.assert_shows(&["run 0/10"]);

    // who has changed a value, from the menu at its name
    screen.click("Resources");
    screen.harness.state_mut().inspector.inspector_mut().choose(player);
    screen.click_secondary("frame");
    screen.click("Who has changed it");
    assert_eq!(screen.inspector().view(), View::History);
    screen.assert_shows(&["changes of Calendar.frame", "count: 4 -> 5"]);
    let line = screen.texts().into_iter().find(|text| text.contains("count: 4 -> 5")).unwrap();
    screen.click(&line);
    assert_eq!(frame(&mut screen), 5);
}

#[test]
fn values_are_watched() {
    let (game, _) = game();
    let mut screen = Screen::new(game, |inspector| inspector);
    screen.click("Resources");
    screen.click_secondary("frame");
    screen.click("Watch");
    screen.tick();
    screen.assert_shows(&["Calendar.frame = 1"]);
    screen.click("x");
    assert!(!screen.shows("Calendar.frame = 1"));
}

#[test]
fn an_allow_list_hides_and_a_reader_cannot_change() {
    let (game, [player, ..]) = game();
    let list = AllowList::new().components(["Name", "Health"]).resources([""; 0]).events([""; 0]).read_only();
    let mut screen = Screen::new(game, |inspector| inspector.restrict(list));
    screen.assert_shows(&["Health.now"]);
    for hidden in ["Account", "Monster"] {
        assert!(!screen.shows(hidden), "{hidden}");
    }
    screen.drag("Health.now", 60.0);
    screen.click("Despawn");
    screen.click("Resources");
    assert!(!screen.shows("Calendar"));
    assert_eq!(screen.game().get(player), Some(&Health { now: 7, max: 9 }));
    screen.type_into("console", "set Health.now = 1", Key::Enter);
    assert!(screen.inspector().message().is_err());
}

#[test]
fn a_read_only_window_does_not_change_how_the_program_runs() {
    let (game, _) = game();
    let list = AllowList::new().read_only();
    let mut screen = Screen::new(game, |inspector| inspector.restrict(list));
    for button in ["Pause", "Tick", "Step"] {
        screen.click(button);
        assert_eq!(screen.harness.state_mut().inspector.pace(), Pace::Run, "{button}");
    }
    for command in ["pause", "tick", "step"] {
        screen.type_into("console", command, Key::Enter);
        let message = format!("`{command}` changes how the program runs: this inspector is read-only");
        assert_eq!(screen.inspector().message(), Err(&*message));
        assert_eq!(screen.harness.state_mut().inspector.pace(), Pace::Run, "{command}");
    }
}

#[test]
fn a_paused_program_gets_the_ticks_that_are_asked_for() {
    let (game, _) = game();
    let mut screen = Screen::new(game, |inspector| inspector);
    screen.click("Pause");
    assert!(!screen.harness.state_mut().inspector.pace().runs());
    screen.click("Tick");
    assert!(screen.harness.state_mut().inspector.pace().runs());
    assert!(!screen.harness.state_mut().inspector.pace().runs());
    screen.click("Run");
    assert!(screen.harness.state_mut().inspector.pace().runs());
}

#[test]
fn entities_are_pinned_and_despawned_by_the_menu_of_their_row() {
    let (game, [player, wolf, _]) = game();
    let mut screen = Screen::new(game, |inspector| inspector);
    let row = format!("{wolf} Grey");
    screen.click_secondary(&row);
    screen.click("Pin above the others");
    screen.type_into("filter", "Health, Health.now > 5", Key::Enter);
    screen.assert_shows(&["1 match", &row, &format!("{player} Ada")]);
    screen.click_secondary(&row);
    screen.click("Unpin");
    assert!(!screen.shows(&row));
    screen.click_secondary(&format!("{player} Ada"));
    screen.click("Despawn");
    assert!(!screen.game().contains(player));
}

#[test]
fn the_help_lists_the_lines_of_the_console() {
    let (game, _) = game();
    let mut screen = Screen::new(game, |inspector| inspector);
    screen.type_into("console", "help", Key::Enter);
    screen.assert_shows(&["set [ID] PATH = VALUE"]);
    screen.click("Entities");
    assert!(!screen.shows("set [ID] PATH = VALUE"));
    screen.click("?");
    screen.assert_shows(&["set [ID] PATH = VALUE"]);
}

#[test]
fn it_opens_in_a_window_above_the_program_and_closes() {
    let (mut game, _) = game();
    let mut inspector = WindowInspector::new(Inspector::new());
    let egui = egui::Context::default();
    let mut shapes = |inspector: &mut WindowInspector| {
        let mut shapes = 0;
        // a window opens and closes slowly
        for _ in 0..30 {
            let output = egui.run_ui(egui::RawInput::default(), |ui| {
                inspector.show_window(ui.ctx(), &mut game);
            });
            shapes = output.shapes.len();
            output.drop_without_applying_deltas();
        }
        shapes
    };
    assert!(shapes(&mut inspector) > 50);
    inspector.inspector_mut().run_command("quit", &mut Game::default()).unwrap();
    assert_eq!(shapes(&mut inspector), 0);
    inspector.inspector_mut().open();
    assert!(shapes(&mut inspector) > 50);
}

#[test]
fn a_handle_hides_what_it_does_not_show() {
    let (game, _) = game();
    let mut inspector = WindowInspector::new(Inspector::new());
    let list = AllowList::new().components(["Name"]);
    let mut harness = egui_kittest::Harness::new_ui_state(
        move |ui, game: &mut Game| {
            let mut world = game.reflect_mut().restrict(&list).unwrap();
            inspector.show_through(ui, &mut world);
        },
        game,
    );
    harness.run_steps(3);
    assert!(harness.query_by_label_contains("Grey").is_some());
    assert!(harness.query_by_label_contains("Health").is_none());
}

#[test]
fn a_slider_and_the_values_of_an_entity_are_shown_alone() {
    let (game, [_, wolf, _]) = game();
    let mut inspector = WindowInspector::new(Inspector::new());
    inspector.inspector_mut().choose(wolf);
    let show = |ui: &mut egui::Ui, (game, inspector): &mut (Game, WindowInspector)| {
        inspector.show_slider(ui, game, "Calendar.frame", 0.0..=10.0);
        inspector.show_slider(ui, game, "Calendar", 0.0..=10.0);
        inspector.show_slider(ui, game, "Calender", 0.0..=10.0);
        inspector.show_chosen(ui, game);
    };
    let mut harness = egui_kittest::Harness::builder().build_ui_state(show, (game, inspector));
    harness.run_steps(4);
    let slider = harness.get_by_role_and_label(egui::Role::Slider, "Calendar.frame").rect();
    harness.drag_at(slider.left_center());
    for part in 1..=6 {
        harness.hover_at(slider.left_center() + egui::vec2(slider.width() * part as f32 / 4.0, 0.0));
        harness.step();
    }
    harness.drop_at(slider.right_center());
    harness.run_steps(4);
    for text in ["Health.now", "Speed", "no resource", "{frame: 10}"] {
        let is_shown = |node: egui_kittest::Node<'_>| {
            let node = node.accesskit_node();
            [node.label(), node.value()].iter().flatten().any(|shown| shown.contains(text))
        };
        assert!(harness.root().query_all(By::new()).any(is_shown), "`{text}` is not shown");
    }
    let (game, inspector) = harness.state_mut();
    assert_eq!(game.resource::<Calendar>().frame, 10);
    inspector.inspector_mut().enter("undo", &mut game.reflect_mut());
    assert_eq!(game.resource::<Calendar>().frame, 0, "the whole drag is taken back");
}
