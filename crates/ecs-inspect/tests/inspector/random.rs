//! Random keys and lines: nothing panics, and the rules of the world hold.

use std::collections::HashSet;

use ecs::prelude::*;
use ecs_inspect::ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ecs_inspect::{COMMANDS, Inspector};
use oorandom::Rand32;

use crate::game::*;

/// Words that lines are made of, beside the names of commands.
const WORDS: &[&str] = &[
    "Health",
    "Health.now",
    "Name",
    "Position",
    "Position.1",
    "Player",
    "Account",
    "Frozen",
    "Burning",
    "Monster",
    "Monster.kind",
    "Monster.path[0]",
    "ChildOf",
    "Likes",
    "Clock",
    "Clock.step",
    "Hit",
    "tick",
    "heal",
    "0v1",
    "4v1",
    "5v1",
    "6v1",
    "2v1",
    "=",
    "=",
    "=",
    ",",
    ",",
    "to",
    "desc",
    "<",
    ">=",
    "3",
    "-1",
    "0.5",
    "\"text\"",
    "none",
    "()",
    "Wolf",
    "{\"now\": 3, \"max\": 4}",
    "[1, 2]",
    "{",
    "[",
    "\"",
    "é",
    "日本",
    "\\",
    "with",
    "without",
    "limit",
    "?",
    ".",
    "on",
    "off",
    "{\"kind\": \"Wolf\", \"target\": null, \"path\": []}",
    "[[[[[[",
    "Body",
];

fn pick<'a>(rand: &mut Rand32, list: &[&'a str]) -> &'a str {
    list[rand.rand_range(0..list.len() as u32) as usize]
}

fn random_key(rand: &mut Rand32) -> KeyEvent {
    const CODES: [KeyCode; 16] = [
        KeyCode::Enter,
        KeyCode::Enter,
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Tab,
        KeyCode::BackTab,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::Backspace,
        KeyCode::Delete,
    ];
    let code = match rand.rand_range(0..3) {
        0 => CODES[rand.rand_range(0..16) as usize],
        1 => KeyCode::Char(char::from(rand.rand_range(32..127) as u8)),
        _ => KeyCode::Char(
            pick(rand, &["é", "日", "\u{301}", "🦀", ":", "/", "1", "2", "e", "w"]).chars().next().unwrap(),
        ),
    };
    let control = rand.rand_range(0..12) == 0;
    KeyEvent::new(code, if control { KeyModifiers::CONTROL } else { KeyModifiers::NONE })
}

fn random_line(rand: &mut Rand32) -> String {
    let command = COMMANDS[rand.rand_range(0..COMMANDS.len() as u32) as usize].name;
    let words = (0..rand.rand_range(0..8)).map(|_| pick(rand, WORDS)).collect::<Vec<_>>();
    let words = words.join(if rand.rand_range(0..4) == 0 { "" } else { " " });
    format!("{command} {words}")
}

/// The rules of the world that typed code relies on.
fn assert_rules(game: &Game) {
    assert!(game.query::<&Player>().iter().count() <= 1);
    let accounts: Vec<&Account> = game.query::<&Account>().iter().collect();
    assert_eq!(accounts.iter().collect::<HashSet<_>>().len(), accounts.len());
    assert_eq!(game.query::<(&Frozen, &Burning)>().iter().count(), 0);
    for (child, parent) in &game.query::<(Entity, &ChildOf)>() {
        assert!(game.contains(parent.0) && game.sources::<ChildOf>(parent.0).contains(&child));
        // children have no cycles
        let mut above = Some(parent.0);
        let mut steps = 0;
        while let Some(entity) = above {
            assert!(steps <= game.entities().len());
            (above, steps) = (game.get::<ChildOf>(entity).map(|parent| parent.0), steps + 1);
        }
    }
    for (source, likes) in &game.query::<(Entity, &Likes)>() {
        assert!(game.contains(likes.0) && game.sources::<Likes>(likes.0).contains(&source));
    }
}

#[test]
fn random_keys_do_no_harm() {
    for seed in 0..4 {
        let mut rand = Rand32::new(seed);
        let (mut game, _) = game();
        let (mut screen, mut pasted) = (Screen::new(100, 30), 0);
        screen.inspector = Inspector::new().group("Body", [("Frozen", ().into())]).label("Name");
        for step in 0..1500 {
            match rand.rand_range(0..20) {
                0 => {
                    screen.inspector.handle(Event::Paste(random_line(&mut rand)), &mut game);
                    pasted += 1;
                }
                1 => drop(screen.inspector.run_command(&random_line(&mut rand), &mut game)),
                2 => {
                    // any size, also those in which nothing fits
                    let (width, height) = (rand.rand_range(0..130) as u16, rand.rand_range(0..40) as u16);
                    let (width, height) = if width * height == 0 { (1, 1) } else { (width, height) };
                    screen.terminal.backend_mut().resize(width, height);
                    screen.terminal.autoresize().unwrap();
                    screen.draw(&game);
                }
                3 if screen.inspector.pace().runs() => game.tick(),
                _ => screen.inspector.handle(Event::Key(random_key(&mut rand)), &mut game),
            }
            if step % 16 == 0 {
                screen.draw(&game);
                assert_rules(&game);
            }
            if screen.inspector.is_closed() {
                screen.inspector.open();
            }
        }
        assert!(pasted > 0);
    }
}

#[test]
fn random_lines_do_no_harm() {
    let mut done = 0;
    for seed in 0..3 {
        let mut rand = Rand32::new(100 + seed);
        let (mut game, _) = game();
        let mut inspector = Inspector::new();
        for _ in 0..1500 {
            let line = random_line(&mut rand);
            let before = game.entities().len();
            match inspector.run_command(&line, &mut game) {
                Ok(_) => done += 1,
                Err(_) => assert_eq!(before, game.entities().len(), "{line}"),
            }
            assert_rules(&game);
        }
    }
    assert!(done > 500, "{done} lines were commands");
}
