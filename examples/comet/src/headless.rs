//! A game without a window, on recorded input.

use std::error::Error;
use std::fs::File;
use std::path::Path;

use ecs::prelude::*;
use ecs::save::Saved;

use crate::draw::Canvas;
use crate::game::{Grains, Input, SIZE, Score, Sky};
use crate::history::History;

/// A character is a frame with this key, and a number after it repeats it: `w`, `a`, `s`, `d`,
/// space as `_`, `p`, `r`, and `.` for no key.
const RECORDED: &str = ".30_.20a60w40.90d50.60w60.40a30s30p.10p.60r20.120a90w20.200";

/// A frame of a recording.
enum Frame {
    Play(Input),
    GoBack,
}

fn recorded() -> Vec<Frame> {
    let mut frames = Vec::new();
    let mut rest = RECORDED;
    while let Some(key) = rest.chars().next() {
        rest = &rest[key.len_utf8()..];
        let digits = rest.find(|next: char| !next.is_ascii_digit()).unwrap_or(rest.len());
        let count: usize = rest[..digits].parse().unwrap_or(1);
        rest = &rest[digits..];
        frames.extend((0..count).map(|_| {
            let thrust = match key {
                'w' => (0, -1),
                'a' => (-1, 0),
                's' => (0, 1),
                'd' => (1, 0),
                'r' => return Frame::GoBack,
                _ => (0, 0),
            };
            Frame::Play(Input { thrust, start: key == '_', pause: key == 'p' })
        }));
    }
    frames
}

/// Plays the recording, and prints the score and the hash.
pub(crate) fn play(grains: u32, picture: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let (mut sky, mut history) = (Sky::new(Grains(grains)), History::default());
    for frame in recorded() {
        match frame {
            Frame::Play(input) => {
                sky.send(input);
                sky.frame();
                history.record(&mut sky);
            }
            Frame::GoBack => history.go_back(&mut sky),
        }
    }
    if let Some(path) = picture {
        let (width, height) = SIZE;
        let mut canvas = Canvas::new(width, height);
        canvas.draw(&sky, "");
        let mut encoder = png::Encoder::new(File::create(path)?, width as u32, height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let bytes: Vec<u8> =
            canvas.pixels().iter().flat_map(|pixel| pixel.to_be_bytes()[1..].to_vec()).collect();
        encoder.write_header()?.write_image_data(&bytes)?;
    }
    let Score { grains, lives, left, .. } = sky.resource::<Score>();
    println!("{grains} grains, {lives} lives, {} seconds left", left / 60);
    println!("hash {:016x}", sky.hash());
    Ok(())
}
