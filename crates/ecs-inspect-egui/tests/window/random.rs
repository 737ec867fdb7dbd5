//! Random clicks, drags and keys: nothing panics, and the world stays usable.

use egui::{Event, Key, Modifiers, PointerButton, pos2};
use oorandom::Rand32;

use crate::game::*;

#[test]
fn random_input_does_no_harm() {
    let rounds = if std::env::var("ROUNDS").is_ok_and(|rounds| rounds == "all") { 10 } else { 2 };
    for seed in 0..rounds {
        let (game, _) = game();
        let mut screen = Screen::new(game, |inspector| inspector.group("Cold", [("Frozen", ().into())]));
        let mut random = Rand32::new(seed);
        for _ in 0..400 {
            input(&mut screen, &mut random);
            screen.harness.step();
            if random.rand_range(0..20) == 0 {
                screen.tick();
            }
        }
        // a press that was not let go of, and an open menu
        screen.harness.input_mut().events.push(Event::PointerGone);
        screen.frames();
        screen.assert_shows(&["Game", "Entities"]);
    }
}

fn input(screen: &mut Screen, random: &mut Rand32) {
    const TEXTS: [&str; 8] = ["7", "-3", "Health", "none", "{\"points\": 5}", "undo", "1v1", "filter Health"];
    const KEYS: [Key; 8] = [
        Key::Enter,
        Key::Escape,
        Key::Tab,
        Key::ArrowDown,
        Key::Backspace,
        Key::Space,
        Key::ArrowUp,
        Key::Delete,
    ];
    let at = pos2(random.rand_range(0..1400) as f32, random.rand_range(0..900) as f32);
    // often a widget, otherwise any place
    let texts = screen.texts();
    let label = &texts[random.rand_range(0..texts.len() as u32) as usize];
    let widget = screen.rect_of(label);
    let at = widget.filter(|_| random.rand_range(0..4) > 0).unwrap_or(at);
    let events = &mut screen.harness.input_mut().events;
    match random.rand_range(0..8) {
        0 => events.push(Event::Text(TEXTS[random.rand_range(0..8) as usize].to_owned())),
        1 => {
            let key = KEYS[random.rand_range(0..8) as usize];
            for pressed in [true, false] {
                let (modifiers, repeat) = (Modifiers::NONE, false);
                events.push(Event::Key { key, physical_key: None, pressed, repeat, modifiers });
            }
        }
        2 => events.push(Event::PointerMoved(at)),
        kind => {
            let button = if kind == 3 { PointerButton::Secondary } else { PointerButton::Primary };
            events.push(Event::PointerMoved(at));
            for pressed in [true, false] {
                events.push(Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE });
            }
        }
    }
}
