//! A world of 100,000 entities: a frame costs what is on the screen.

use std::time::Instant;

use ecs::prelude::*;
use ecs_inspect_egui::WindowInspector;
use ecs_inspect_egui::ecs_inspect::{Inspector, View};

use crate::game::*;

/// The time of a frame with its triangles.
fn frame(egui: &egui::Context, inspector: &mut WindowInspector, game: &mut Game) -> f64 {
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1280.0, 800.0));
    let input = egui::RawInput { screen_rect: Some(screen), ..Default::default() };
    let begin = Instant::now();
    let mut output = egui.run_ui(input, |ui| inspector.show(ui, game));
    let shapes = std::mem::take(&mut output.shapes);
    let triangles = egui.tessellate(shapes, output.pixels_per_point);
    let time = begin.elapsed().as_secs_f64() * 1000.0;
    assert!(!triangles.is_empty());
    output.drop_without_applying_deltas();
    time
}

#[test]
fn a_hundred_thousand_entities_scroll() {
    let mut game = Game::default();
    let mut parent = game.spawn(Name("root".into()));
    for number in 1..100_000_u32 {
        let held = (
            Name(format!("wolf {number}")),
            Health { now: 3, max: 9 },
            Speed(number as f32),
            ChildOf(parent),
        );
        let wolf = game.spawn(held);
        parent = if number % 10 == 0 { wolf } else { parent };
    }
    let entities: Vec<Entity> = game.entities().iter().collect();
    let mut inspector = WindowInspector::new(Inspector::new().label("Name"));
    let egui = egui::Context::default();
    for (view, line) in [("begin", ""), ("end", ""), ("filter", "filter Health, Speed > 5"), ("tree", "")] {
        match view {
            "end" => inspector.inspector_mut().choose(entities[99_999]),
            "filter" => drop(inspector.inspector_mut().run_command(line, &mut game)),
            "tree" => inspector.inspector_mut().show(View::Relations),
            _ => {}
        }
        for _ in 0..5 {
            frame(&egui, &mut inspector, &mut game);
        }
        let mut times: Vec<f64> = (0..30).map(|_| frame(&egui, &mut inspector, &mut game)).collect();
        times.sort_by(f64::total_cmp);
        println!("{view}: {:.2} ms (median), {:.2} ms (most)", times[15], times[29]);
        let bound = if cfg!(debug_assertions) { 500.0 } else { 16.0 };
        assert!(times[15] < bound, "{view}: {} ms", times[15]);
    }
    assert_eq!(inspector.inspector().chosen(), Some(entities[99_999]));
}
