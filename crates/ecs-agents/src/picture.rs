//! Pictures of a model: cells, layers and points, as a file, as an animation, and in the terminal.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_agents::prelude::*;
//!
//! world! {
//!     struct Life { resources { Layer<bool> } }
//!     schedule step { live }
//! }
//!
//! /// Conway's game of life.
//! #[system(Life)]
//! fn live(mut cells: ResMut<Layer<bool>>) {
//!     cells.update(|cells, cell| {
//!         let near = cells.grid().moore(cell, 1).filter(|&cell| cells[cell]).count();
//!         near == 3 || near == 2 && cells[cell]
//!     });
//! }
//!
//! fn picture(life: &Life) -> Picture {
//!     let cells = life.resource::<Layer<bool>>();
//!     Picture::of(&cells.grid(), 4).layer(&*cells, |&lives| if lives { Rgb::BLACK } else { Rgb::WHITE })
//! }
//!
//! let mut random = Random::new(1);
//! let mut life = Life::new(Layer::from_fn(Grid::torus(60, 40), |_| random.random_bool(0.3)));
//! let (mut film, mut recorder) = (Film::new(), Recorder::new());
//! run(&mut life, film.record(Life::step, picture), 20, &mut recorder);
//! assert_eq!(film.frames(), 21, "the start, and each of twenty steps");
//! let (mut gif, mut png) = (Vec::new(), Vec::new());          // or `std::fs::File::create("life.gif")?`
//! film.write_gif(&mut gif)?;
//! picture(&life).write_png(&mut png)?;
//! assert!(gif.starts_with(b"GIF89a") && png.starts_with(b"\x89PNG"));
//! # Ok::<(), std::io::Error>(())
//! ```

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::io::{self, Write};

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use crate::cell_list::Scalar;
use crate::cells::Cell;
use crate::grid::{Grid, Layer};
use crate::space::ContinuousSpace;

/// A colour: red, green and blue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// Colours that can be told apart by the colour-blind are those of Okabe and Ito, "Color universal
/// design", 2008.
impl Rgb {
    /// White.
    pub const WHITE: Self = Self(255, 255, 255);
    /// Black.
    pub const BLACK: Self = Self(0, 0, 0);
    /// A light grey.
    pub const GREY: Self = Self(221, 221, 221);
    /// A blue, of Okabe and Ito.
    pub const BLUE: Self = Self(0, 114, 178);
    /// A red, of Okabe and Ito.
    pub const VERMILION: Self = Self(213, 94, 0);
    /// A green, of Okabe and Ito.
    pub const GREEN: Self = Self(0, 158, 115);
    /// A pink, of Okabe and Ito.
    pub const PINK: Self = Self(204, 121, 167);
    /// An orange, of Okabe and Ito.
    pub const ORANGE: Self = Self(230, 159, 0);
    /// A light blue, of Okabe and Ito.
    pub const SKY: Self = Self(86, 180, 233);
    /// A yellow, of Okabe and Ito.
    pub const YELLOW: Self = Self(240, 228, 66);

    /// A colour between two: the first for 0, the second for 1. Numbers outside are brought to the
    /// nearest end, and NaN to the first colour.
    #[must_use]
    pub fn between(low: Self, high: Self, part: f64) -> Self {
        let part = if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) };
        let mix =
            |low: u8, high: u8| (f64::from(low) + (f64::from(high) - f64::from(low)) * part).round() as u8;
        Self(mix(low.0, high.0), mix(low.1, high.1), mix(low.2, high.2))
    }
}

/// A picture of a grid or of a continuous space. The row 0 of a grid, and the points whose second
/// coordinate is 0, are at the top. What is drawn later covers what was drawn before; what is outside
/// is left out.
#[derive(Clone, PartialEq)]
pub struct Picture {
    width: usize,
    height: usize,
    /// The pixels for each cell, or for each unit of length.
    scale: f64,
    /// Row by row.
    pixels: Vec<Rgb>,
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, height, scale, .. } = self;
        f.debug_struct("Picture")
            .field("width", width)
            .field("height", height)
            .field("scale", scale)
            .finish_non_exhaustive()
    }
}

impl Picture {
    /// A white picture of a grid, with squares of this many pixels for the cells.
    ///
    /// # Panics
    /// If the picture has no pixel, more than 65,535 in one direction, or more than 2²⁸.
    #[must_use]
    pub fn of(grid: &Grid, cell: u32) -> Self {
        let side = |cells: u32| f64::from(cells) * f64::from(cell);
        Self::with_size(side(grid.width()), side(grid.height()), f64::from(cell))
    }

    /// A white picture of a continuous space, with this many pixels for each unit of length. Of three
    /// dimensions the third is not seen, and one dimension is a line.
    ///
    /// # Panics
    /// As [`of`](Self::of).
    #[must_use]
    pub fn of_space<S: Scalar, const D: usize>(space: &ContinuousSpace<S, D>, scale: f64) -> Self {
        let side = |axis: usize| space.extent().get(axis).map_or(1.0, |&extent| extent.to_f64() * scale);
        Self::with_size(side(0).ceil(), side(1).ceil(), scale)
    }

    fn with_size(width: f64, height: f64, scale: f64) -> Self {
        let is_side = |side| (1.0..=65_535.0).contains(&side);
        assert!(
            is_side(width) && is_side(height) && width * height <= f64::from(1 << 28),
            "a picture has 1 to 65,535 pixels in each direction, and at most 2^28, not {width} times {height}"
        );
        let (width, height) = (width as usize, height as usize);
        Self { width, height, scale, pixels: vec![Rgb::WHITE; width * height] }
    }

    /// The number of pixels in a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of rows of pixels.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// The pixels for each cell, or for each unit of length.
    #[must_use]
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The colour of a pixel; `None` if it is outside.
    #[must_use]
    pub fn pixel(&self, x: usize, y: usize) -> Option<Rgb> {
        (x < self.width && y < self.height).then(|| self.pixels[y * self.width + x])
    }

    /// Gives all pixels one colour.
    #[must_use]
    pub fn background(mut self, colour: Rgb) -> Self {
        self.pixels.fill(colour);
        self
    }

    /// Fills each cell with the colour of its value.
    #[must_use]
    pub fn layer<T: Send + Sync + 'static>(self, layer: &Layer<T>, colour: impl Fn(&T) -> Rgb) -> Self {
        self.cells(layer.iter().map(|(cell, value)| (cell, colour(value))))
    }

    /// Fills cells with colours.
    #[must_use]
    pub fn cells(mut self, cells: impl IntoIterator<Item = (Cell, Rgb)>) -> Self {
        for (cell, colour) in cells {
            let [x, y] = [cell.x, cell.y].map(|at| f64::from(at) * self.scale);
            self.fill([x, y], [x + self.scale, y + self.scale], colour, |_, _| true);
        }
        self
    }

    /// Draws an agent into each of these cells: a disc, or a square where cells have fewer than five
    /// pixels on a side.
    #[must_use]
    pub fn agents(self, agents: impl IntoIterator<Item = (Cell, Rgb)>) -> Self {
        if self.scale < 5.0 {
            return self.cells(agents);
        }
        let (scale, radius) = (self.scale, self.scale * 0.45);
        let middle = |at: u32| (f64::from(at) + 0.5) * scale;
        agents.into_iter().fold(self, |mut picture, (cell, colour)| {
            picture.disc([middle(cell.x), middle(cell.y)], radius, colour);
            picture
        })
    }

    /// Draws discs at points, with a radius in pixels: of at least one pixel.
    #[must_use]
    pub fn points<S: Scalar, const D: usize>(
        mut self,
        radius: f64,
        points: impl IntoIterator<Item = ([S; D], Rgb)>,
    ) -> Self {
        for (point, colour) in points {
            let at = |axis: usize| point.get(axis).map_or(0.5, |at| at.to_f64() * self.scale);
            let (x, y) = (at(0), at(1));
            // the pixel itself, where the disc is smaller
            let pixel = [x, y].map(f64::floor);
            self.fill(pixel, pixel.map(|at| at + 1.0), colour, |_, _| true);
            self.disc([x, y], radius, colour);
        }
        self
    }

    /// Colours the pixels whose middles are at most `radius` pixels from a point.
    fn disc(&mut self, middle: [f64; 2], radius: f64, colour: Rgb) {
        let is_in = |x: f64, y: f64| {
            let (x, y) = (x - middle[0], y - middle[1]);
            x * x + y * y <= radius * radius
        };
        self.fill(middle.map(|at| at - radius), middle.map(|at| at + radius), colour, is_in);
    }

    /// Colours the pixels of a box for whose middle `is_in` holds.
    fn fill(&mut self, low: [f64; 2], high: [f64; 2], colour: Rgb, is_in: impl Fn(f64, f64) -> bool) {
        // conversions saturate: what is outside, and NaN, becomes an empty range
        let span =
            |axis: usize, size: usize| low[axis].floor() as usize..(high[axis].ceil() as usize).min(size);
        for y in span(1, self.height) {
            for x in span(0, self.width) {
                if is_in(x as f64 + 0.5, y as f64 + 0.5) {
                    self.pixels[y * self.width + x] = colour;
                }
            }
        }
    }

    /// Writes the picture as PNG.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_png(&self, to: impl Write) -> io::Result<()> {
        let mut png = png::Encoder::new(to, self.width as u32, self.height as u32);
        png.set_color(png::ColorType::Rgb);
        let bytes: Vec<u8> =
            self.pixels.iter().flat_map(|&Rgb(red, green, blue)| [red, green, blue]).collect();
        let mut png = png.write_header()?;
        png.write_image_data(&bytes)?;
        Ok(png.finish()?)
    }

    /// The picture for a terminal with 24-bit colours: lines of half blocks, of which each is two
    /// pixels, one above the other. A picture with one pixel for each cell fits best:
    /// `Picture::of(&grid, 1)`. For an animation, print `"\x1b[H"` before each picture: the cursor
    /// goes back to the upper left corner.
    #[must_use]
    pub fn to_ansi(&self) -> String {
        let mut text = String::new();
        for y in (0..self.height).step_by(2) {
            let mut former = None;
            for x in 0..self.width {
                let both = (self.pixel(x, y), self.pixel(x, y + 1));
                if former != Some(both) {
                    if let (Some(Rgb(red, green, blue)), _) = both {
                        let _ = write!(text, "\x1b[38;2;{red};{green};{blue}");
                    }
                    let _ = match both.1 {
                        Some(Rgb(red, green, blue)) => write!(text, ";48;2;{red};{green};{blue}m"),
                        None => write!(text, ";49m"),
                    };
                    former = Some(both);
                }
                text.push('▀');
            }
            text.push_str("\x1b[0m\n");
        }
        text
    }
}

/// An animation: pictures of one size, one after the other, as GIF.
///
/// A picture with more than 256 colours is reduced to 252. A film keeps its pictures compressed, and
/// of each only the rectangle in which it differs from the one before.
pub struct Film {
    /// Hundredths of a second for each picture.
    delay: u16,
    gif: Option<Encoder<Vec<u8>>>,
    last: Option<Picture>,
    frames: usize,
}

impl Default for Film {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Film {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Film").field("frames", &self.frames).finish_non_exhaustive()
    }
}

impl Film {
    /// A film without pictures, which shows ten in a second.
    #[must_use]
    pub fn new() -> Self {
        Self { delay: 10, gif: None, last: None, frames: 0 }
    }

    /// Shows this many pictures in a second. GIF counts hundredths of a second, so that 30 become 33.
    ///
    /// # Panics
    /// If the number is not 1 to 50, which is what programs show.
    #[must_use]
    pub fn per_second(mut self, pictures: u16) -> Self {
        assert!((1..=50).contains(&pictures), "a film shows 1 to 50 pictures in a second, not {pictures}");
        self.delay = 100 / pictures;
        self
    }

    /// The number of pictures.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Adds a picture.
    ///
    /// # Panics
    /// If it has another size than those before.
    pub fn push(&mut self, picture: Picture) {
        let (width, height) = (picture.width, picture.height);
        let changed = match &self.last {
            None => (0..width, 0..height),
            Some(last) => {
                let size = (last.width, last.height);
                assert!(size == (width, height), "the pictures of a film have one size, {size:?}");
                changed(last, &picture)
            }
        };
        // writing into memory does not fail, and a size was checked when the picture was made
        const NO_ERROR: &str = "a frame of right size is written into memory";
        let gif = self.gif.get_or_insert_with(|| {
            let mut gif = Encoder::new(Vec::new(), width as u16, height as u16, &[]).expect(NO_ERROR);
            gif.set_repeat(Repeat::Infinite).expect(NO_ERROR);
            gif
        });
        let rows = changed.1.clone().map(|y| &picture.pixels[y * width..][changed.0.clone()]);
        let (buffer, palette) = indexed(&rows.collect::<Vec<_>>().concat());
        let frame = Frame {
            delay: self.delay,
            dispose: DisposalMethod::Keep,
            left: changed.0.start as u16,
            top: changed.1.start as u16,
            width: changed.0.len() as u16,
            height: changed.1.len() as u16,
            palette: Some(palette),
            buffer: buffer.into(),
            ..Frame::default()
        };
        gif.write_frame(&frame).expect(NO_ERROR);
        self.frames += 1;
        self.last = Some(picture);
    }

    /// A step that is also recorded: the world before the first step, and after each one.
    ///
    /// `run(&mut town, film.record(Town::step, picture), 100, &mut recorder)` records a run.
    pub fn record<W>(
        &mut self,
        mut step: impl FnMut(&mut W),
        mut picture: impl FnMut(&W) -> Picture,
    ) -> impl FnMut(&mut W) {
        let mut is_first = true;
        move |world| {
            if is_first {
                self.push(picture(world));
                is_first = false;
            }
            step(world);
            self.push(picture(world));
        }
    }

    /// Writes the film as GIF, which begins again at its end.
    ///
    /// # Errors
    /// If the film has no pictures, or writing fails.
    pub fn write_gif(&self, mut to: impl Write) -> io::Result<()> {
        let Some(gif) = &self.gif else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the film has no pictures"));
        };
        const TRAILER: u8 = 0x3B;
        to.write_all(gif.get_ref())?;
        to.write_all(&[TRAILER])?;
        to.flush()
    }
}

type Range = std::ops::Range<usize>;

/// The columns and rows in which two pictures of one size differ; one pixel if they are equal.
fn changed(one: &Picture, other: &Picture) -> (Range, Range) {
    let pairs = one.pixels.chunks(one.width).zip(other.pixels.chunks(one.width)).enumerate();
    let rows = pairs.filter_map(|(y, (one, other))| {
        let differs = |x: &usize| one[*x] != other[*x];
        let first = (0..one.len()).find(differs)?;
        Some((first..(0..one.len()).rev().find(differs)? + 1, y..y + 1))
    });
    let both = |one: Range, other: Range| one.start.min(other.start)..one.end.max(other.end);
    rows.reduce(|one, other| (both(one.0, other.0), both(one.1, other.1))).unwrap_or((0..1, 0..1))
}

/// The numbers of the pixels' colours in a palette, and the palette.
fn indexed(pixels: &[Rgb]) -> (Vec<u8>, Vec<u8>) {
    colours(pixels).unwrap_or_else(|| {
        // 6 times 7 times 6 colours, since eyes see green best
        let level = |value: u8, most: u16| (u16::from(value) * most + 127) / 255;
        let back = |level: u16, most: u16| (level * 255 / most) as u8;
        let reduced = |&Rgb(red, green, blue): &Rgb| {
            Rgb(back(level(red, 5), 5), back(level(green, 6), 6), back(level(blue, 5), 5))
        };
        let reduced: Vec<Rgb> = pixels.iter().map(reduced).collect();
        colours(&reduced).expect("252 colours fit into a palette")
    })
}

/// The numbers of the pixels' colours in the order in which they occur; `None` if there are more
/// than 256.
fn colours(pixels: &[Rgb]) -> Option<(Vec<u8>, Vec<u8>)> {
    let (mut numbers, mut palette) = (HashMap::new(), Vec::new());
    let mut last = None;
    let number = pixels.iter().map(|&colour| match last {
        Some((former, number)) if former == colour => Some(number),
        _ => {
            let next = numbers.len();
            let number = *numbers.entry(colour).or_insert(next);
            if number == next {
                palette.extend([colour.0, colour.1, colour.2]);
            }
            let number = u8::try_from(number).ok()?;
            last = Some((colour, number));
            Some(number)
        }
    });
    let numbers = number.collect::<Option<Vec<u8>>>()?;
    Some((numbers, palette))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use rand::RngExt;

    const RED: Rgb = Rgb(255, 0, 0);

    /// The pixels of all frames of a film, as a program shows them.
    fn shown(film: &Film) -> Vec<Vec<Rgb>> {
        let mut bytes = Vec::new();
        film.write_gif(&mut bytes).unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut gif = options.read_info(bytes.as_slice()).unwrap();
        let (width, height) = (usize::from(gif.width()), usize::from(gif.height()));
        let (mut screen, mut frames) = (vec![Rgb::BLACK; width * height], Vec::new());
        while let Some(frame) = gif.read_next_frame().unwrap() {
            let palette = frame.palette.as_ref().unwrap();
            let (left, top, columns) = (frame.left as usize, frame.top as usize, frame.width as usize);
            for (at, &number) in frame.buffer.iter().enumerate() {
                let colour = &palette[3 * number as usize..][..3];
                screen[(top + at / columns) * width + left + at % columns] =
                    Rgb(colour[0], colour[1], colour[2]);
            }
            frames.push(screen.clone());
        }
        frames
    }

    #[test]
    fn a_png_has_the_pixels_of_the_picture() {
        let mut random = Random::new(1);
        let layer = Layer::from_fn(Grid::torus(9, 5), |_| random.random_range(0.0..1.0));
        let picture = Picture::of(&layer.grid(), 3)
            .layer(&layer, |&value| Rgb::between(RED, Rgb::BLUE, value))
            .agents([(Cell { x: 2, y: 1 }, Rgb::BLACK)]);
        let mut bytes = Vec::new();
        picture.write_png(&mut bytes).unwrap();
        let mut png = png::Decoder::new(io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; 27 * 15 * 3];
        let info = png.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (27, 15));
        for (at, colour) in pixels.chunks(3).enumerate() {
            assert_eq!(picture.pixel(at % 27, at / 27), Some(Rgb(colour[0], colour[1], colour[2])));
        }
        assert_eq!(picture.pixel(6, 3), Some(Rgb::BLACK));
        assert_eq!((picture.pixel(27, 0), picture.pixel(0, 15)), (None, None));
    }

    #[test]
    fn a_film_shows_the_pictures_one_after_the_other() {
        let mut random = Random::new(2);
        let grid = Grid::bounded(40, 30);
        let (mut film, mut pictures) = (Film::new().per_second(30), Vec::new());
        let mut layer = Layer::new(grid, 0_u8);
        for step in 0..30 {
            // sometimes nothing changes
            for _ in 0..step % 4 {
                layer[grid.random(&mut random)] = random.random_range(0..9);
            }
            let picture = Picture::of(&grid, 2).layer(&layer, |&value| Rgb(value * 20, 0, 255 - value));
            pictures.push(picture.pixels.clone());
            film.push(picture);
        }
        assert_eq!(film.frames(), 30);
        assert!(shown(&film) == pictures);
    }

    #[test]
    fn a_picture_of_many_colours_is_reduced() {
        let grid = Grid::bounded(256, 4);
        let layer = Layer::from_fn(grid, |cell| cell);
        let mut film = Film::new();
        let picture = Picture::of(&grid, 1)
            .layer(&layer, |cell| Rgb(cell.x as u8, 255 - cell.x as u8, cell.y as u8 * 80));
        film.push(picture.clone());
        let shown = shown(&film);
        for (shown, right) in shown[0].iter().zip(&picture.pixels) {
            let near = |one: u8, other: u8| one.abs_diff(other) <= 26;
            assert!(
                near(shown.0, right.0) && near(shown.1, right.1) && near(shown.2, right.2),
                "{shown:?} {right:?}"
            );
        }
    }

    #[test]
    fn agents_are_discs_and_points_are_where_they_are() {
        let grid = Grid::torus(3, 3);
        let picture = Picture::of(&grid, 10).background(Rgb::GREY).agents([(Cell { x: 1, y: 2 }, RED)]);
        let at = |x, y| picture.pixel(x, y).unwrap();
        assert_eq!(
            [at(15, 25), at(10, 20), at(19, 29), at(5, 25), at(11, 25)],
            [RED, Rgb::GREY, Rgb::GREY, Rgb::GREY, RED]
        );
        let space = ContinuousSpace::bounded([10.0_f32, 5.0]);
        let points = [[0.0, 0.0], [9.99, 4.99], [5.0, 2.5], [-3.0, 2.0], [f32::NAN, 1.0], [50.0, 1.0]];
        let picture = Picture::of_space(&space, 4.0).points(0.0, points.map(|at| (at, RED)));
        assert_eq!((picture.width(), picture.height()), (40, 20));
        assert_eq!(picture.pixels.iter().filter(|&&colour| colour == RED).count(), 3);
        assert_eq!([picture.pixel(0, 0), picture.pixel(39, 19), picture.pixel(20, 10)], [Some(RED); 3]);
    }

    #[test]
    fn a_colour_between_is_that_of_the_nearest_end() {
        let between = |part| Rgb::between(Rgb::WHITE, RED, part);
        assert_eq!([0.0, -1.0, f64::NEG_INFINITY, f64::NAN].map(between), [Rgb::WHITE; 4]);
        assert_eq!([1.0, 2.0, f64::INFINITY].map(between), [RED; 3]);
        assert_eq!(between(0.5), Rgb(255, 128, 128));
    }

    #[test]
    fn a_terminal_shows_two_rows_in_a_line() {
        let picture = Picture::of(&Grid::bounded(2, 3), 1).cells([(Cell { x: 0, y: 1 }, RED)]);
        let white = "\x1b[38;2;255;255;255";
        assert_eq!(
            picture.to_ansi(),
            format!("{white};48;2;255;0;0m▀{white};48;2;255;255;255m▀\x1b[0m\n{white};49m▀▀\x1b[0m\n")
        );
    }

    #[test]
    #[should_panic(expected = "the pictures of a film have one size, (3, 3)")]
    fn pictures_of_another_size_are_refused() {
        let mut film = Film::new();
        film.push(Picture::of(&Grid::bounded(3, 3), 1));
        film.push(Picture::of(&Grid::bounded(3, 4), 1));
    }

    #[test]
    fn a_film_without_pictures_is_not_written() {
        assert!(Film::new().write_gif(Vec::new()).is_err());
    }
}
