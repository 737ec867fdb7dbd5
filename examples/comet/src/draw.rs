//! The picture: pixels in memory, drawn without a graphics card.

use ecs::prelude::*;
use font8x8::legacy::BASIC_LEGACY;

use crate::game::{Comet, Grain, Paused, Planet, Position, SIZE, Score, Screen, Sky, Velocity};

/// A picture of `0x00RRGGBB` pixels, row by row.
pub(crate) struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<u32>,
}

impl Canvas {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self { width, height, pixels: vec![0; width * height] }
    }

    pub(crate) fn pixels(&self) -> &[u32] {
        &self.pixels
    }

    /// Draws the game, and a line of text at the bottom.
    pub(crate) fn draw(&mut self, sky: &Sky, status: &str) {
        self.pixels.fill(0x0005_060d);
        sky.query::<(&Position, &Velocity)>().filter::<With<Grain>>().for_each(|(position, velocity)| {
            let speed = (velocity.x * velocity.x + velocity.y * velocity.y).sqrt();
            let heat = (speed * 0.9) as u32;
            self.add(
                position.x as usize,
                position.y as usize,
                50 + heat.min(205),
                60 + (heat * 2 / 3).min(140),
                110,
            );
        });
        for (position, Planet(radius)) in sky.query::<(&Position, &Planet)>() {
            self.disc(position, radius + 2.0, 0x00c8_8a4a);
            self.disc(position, *radius, 0x0046_2c1a);
        }
        for (position, velocity) in sky.query::<(&Position, &Velocity)>().filter::<With<Comet>>() {
            for n in (0..12).rev() {
                let back = n as f32 * 0.02;
                let place = Position { x: position.x - velocity.x * back, y: position.y - velocity.y * back };
                let glow = 255 - 20 * n;
                self.disc(&place, 9.0 - n as f32 * 0.6, glow << 16 | (glow * 9 / 10) << 8 | (glow / 2));
            }
        }
        let Score { grains, best, lives, left } = sky.resource::<Score>();
        match sky.resource::<State<Screen>>().get() {
            Screen::Menu => {
                self.middle(200, 8, "COMET");
                self.middle(320, 2, "catch the dust, avoid the planets");
                self.middle(360, 2, "arrows or WASD: steer     space: start");
                self.middle(400, 2, "P: pause     R: back in time     I: inspector");
            }
            Screen::Play => {
                self.text(
                    16,
                    12,
                    2,
                    0x00c8_c8d8,
                    &format!("{grains} grains   {lives} lives   {} s", left / 60),
                );
                if sky.resource::<Paused>().0 {
                    self.middle(280, 4, "PAUSED");
                }
            }
            Screen::Over => {
                self.middle(220, 6, "THE END");
                self.middle(320, 3, &format!("{grains} grains   best {}", best.max(grains)));
                self.middle(380, 2, "space: again");
            }
        }
        self.text(16, SIZE.1 - 20, 1, 0x0080_8090, status);
    }

    /// Adds light to a pixel.
    fn add(&mut self, x: usize, y: usize, red: u32, green: u32, blue: u32) {
        if x < self.width && y < self.height {
            let pixel = &mut self.pixels[y * self.width + x];
            let light = |shift: u32, more: u32| ((*pixel >> shift & 0xff) + more).min(0xff) << shift;
            *pixel = light(16, red) | light(8, green) | light(0, blue);
        }
    }

    fn disc(&mut self, center: &Position, radius: f32, color: u32) {
        let rows = (center.y - radius).max(0.0) as usize
            ..((center.y + radius + 1.0).max(0.0) as usize).min(self.height);
        for y in rows {
            let down = y as f32 - center.y;
            let half = (radius * radius - down * down).max(0.0).sqrt();
            let columns =
                (center.x - half).max(0.0) as usize..((center.x + half).max(0.0) as usize).min(self.width);
            let row = y * self.width;
            if columns.start < columns.end {
                self.pixels[row + columns.start..row + columns.end].fill(color);
            }
        }
    }

    /// A line of text in the middle, at a height.
    fn middle(&mut self, y: usize, scale: usize, text: &str) {
        let x = self.width.saturating_sub(text.len() * 8 * scale) / 2;
        self.text(x, y, scale, 0x00f0_f0ff, text);
    }

    fn text(&mut self, x: usize, y: usize, scale: usize, color: u32, text: &str) {
        for (at, letter) in text.bytes().enumerate() {
            let Some(rows) = BASIC_LEGACY.get(usize::from(letter)) else { continue };
            for (row, bits) in rows.iter().enumerate() {
                for column in (0..8).filter(|column| bits >> column & 1 == 1) {
                    let (left, top) = (x + (at * 8 + column) * scale, y + row * scale);
                    for y in top..(top + scale).min(self.height) {
                        let (from, to) = (left.min(self.width), (left + scale).min(self.width));
                        self.pixels[y * self.width..][from..to].fill(color);
                    }
                }
            }
        }
    }
}
