//! A world of a million entities: pictures cost what is on the screen.

use std::time::Instant;

use ecs::prelude::*;

use crate::game::*;

#[test]
fn a_million_entities_scroll() {
    let mut game = Game::default();
    game.spawn_batch((0..1_000_000_u32).map(|now| Health { now, max: now })).for_each(drop);
    let first = game.entities().iter().next().unwrap();
    let mut screen = Screen::new(120, 40);
    let begin = Instant::now();
    let text = screen.press("<End>", &mut game);
    assert_shows(&text, &["entities (1,000,000)", "{now: 999999, max: 999999}"]);
    for _ in 0..20 {
        screen.press("<PgUp>", &mut game);
    }
    assert_shows(&screen.press("<PgDn><PgDn><Down><Up>", &mut game), &["{now: 999356, max: 999356}"]);
    screen.press("<Home>", &mut game);
    assert_eq!(screen.inspector.chosen(), Some(first));
    let pictures = 60;
    let time = begin.elapsed() / pictures;
    println!("{time:?} for a key and two pictures of a debug build");
}

#[test]
fn an_order_is_read_once_in_a_large_world() {
    let mut game = Game::default();
    game.spawn_batch((0..20_000_u32).map(|now| Health { now, max: 30_000 })).for_each(drop);
    let mut screen = Screen::new(140, 20);
    let text = screen.press(":filter Health.max < 40000<Enter>:sort Health.now desc<Enter>", &mut game);
    assert_shows(&text, &["entities (20,000 of 20,000)", "{now: 19999, max: 30000}"]);
    let last = screen.inspector.chosen().unwrap();
    game.get_tracked::<Health>(last).unwrap().now = 0;
    assert_shows(&screen.draw(&game), &["│19999v1 {now: 0, max: 30000}"]);
    // the key reads the order again, and the cursor stays at its entity
    let text = screen.press("r", &mut game);
    assert_shows(&text, &["19999v1 {now: 0, max: 30000}"]);
    assert_shows(&screen.press("<Home>", &mut game), &["19998v1 {now: 19998, max: 30000}"]);
    // so does a change in the console
    screen.press(":set Health.now = 1<Enter>", &mut game);
    assert_shows(&screen.press("<Home>", &mut game), &["│19997v1 {now: 19997, max: 30000}"]);
}
