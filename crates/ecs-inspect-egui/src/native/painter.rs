//! A painter for egui that needs no graphics card: it draws triangles into a picture.

use std::collections::HashMap;
use std::ops::Range;

use egui::epaint::{ImageData, Primitive, Vertex};
use egui::{ClippedPrimitive, Color32, ColorImage, FullOutput, Rect, TextureId};

/// A picture, and the textures of egui.
#[derive(Default)]
pub(crate) struct Painter {
    pub(crate) pixels: Vec<Color32>,
    textures: HashMap<TextureId, ColorImage>,
}

impl Painter {
    /// Draws a frame of egui.
    pub(crate) fn paint(&mut self, egui: &egui::Context, mut output: FullOutput, size: [usize; 2]) {
        // new textures come before the shapes that use them
        for (id, deltas) in output.textures_delta.set.drain() {
            for delta in deltas {
                let ImageData::Color(image) = &delta.image;
                match (delta.pos, self.textures.get_mut(&id)) {
                    (Some([x, y]), Some(texture)) => {
                        for (row, pixels) in image.pixels.chunks(image.size[0]).enumerate() {
                            let start = (y + row) * texture.size[0] + x;
                            texture.pixels[start..start + pixels.len()].copy_from_slice(pixels);
                        }
                    }
                    _ => drop(self.textures.insert(id, (**image).clone())),
                }
            }
        }
        self.pixels.clear();
        self.pixels.resize(size[0] * size[1], Color32::BLACK);
        let scale = output.pixels_per_point;
        for ClippedPrimitive { clip_rect, primitive } in
            egui.tessellate(std::mem::take(&mut output.shapes), scale)
        {
            let Primitive::Mesh(mesh) = primitive else { continue };
            let Some(texture) = self.textures.get(&mesh.texture_id) else { continue };
            for corners in mesh.indices.chunks_exact(3) {
                let corners = [0, 1, 2].map(|at| mesh.vertices[corners[at] as usize]);
                triangle(&mut self.pixels, size, texture, clip_rect * scale, scale, corners);
            }
        }
        for id in output.textures_delta.free.drain() {
            self.textures.remove(&id);
        }
    }
}

/// Draws the pixels whose centers are in a triangle, with colors between those of its corners.
fn triangle(
    pixels: &mut [Color32],
    size: [usize; 2],
    texture: &ColorImage,
    clip: Rect,
    scale: f32,
    mut corners: [Vertex; 3],
) {
    // corners in parts of a pixel, so that the sides of two neighbours are exactly the same
    let exact = |at: f32| (at * scale * STEPS as f32).round() as i64;
    let places = |corners: &[Vertex; 3]| corners.map(|corner| (exact(corner.pos.x), exact(corner.pos.y)));
    let [a, b, c] = places(&corners);
    let area = side(a, b, c);
    if area == 0 {
        return;
    }
    if area < 0 {
        corners.swap(1, 2);
    }
    let [a, b, c] = places(&corners);
    // the pixels around the triangle, within the clip
    let around = Rect::from_points(&corners.map(|corner| corner.pos * scale));
    let pixel = |at: f32, most: usize| (at.max(0.0) as usize).min(most);
    let left = pixel(around.left().floor().max(clip.left().round()), size[0]);
    let right = pixel(around.right().ceil().min(clip.right().round()), size[0]);
    let top = pixel(around.top().floor().max(clip.top().round()), size[1]);
    let bottom = pixel(around.bottom().ceil().min(clip.bottom().round()), size[1]);
    let sides = [(b, c), (c, a), (a, b)];
    let has_one_color = corners.iter().all(|corner| corner.color == corners[0].color);
    let is_plain = has_one_color && corners.iter().all(|corner| corner.uv == corners[0].uv);
    let color = corners[0].color.to_array().map(f32::from);
    let plain = sample(texture, corners[0].uv.x, corners[0].uv.y, color);
    let mix = |weights: [f32; 3], of: &dyn Fn(&Vertex) -> f32| -> f32 {
        of(&corners[0]) * weights[0] + of(&corners[1]) * weights[1] + of(&corners[2]) * weights[2]
    };
    for y in top..bottom {
        let columns = span(sides, y, left..right);
        if columns.is_empty() {
            continue;
        }
        let row = &mut pixels[y * size[0]..][columns.clone()];
        if is_plain {
            match plain.a() {
                255 => row.fill(plain),
                _ => row.iter_mut().for_each(|target| *target = plain.blend_over(*target)),
            }
            continue;
        }
        for (target, x) in row.iter_mut().zip(columns) {
            let distance = |(from, to)| side(from, to, center(x, y)) as f32 / area.abs() as f32;
            let weights = sides.map(distance);
            let color = match has_one_color {
                true => color,
                false => [0, 1, 2, 3].map(|at| mix(weights, &|corner| f32::from(corner.color[at]))),
            };
            let [u, v] = [mix(weights, &|corner| corner.uv.x), mix(weights, &|corner| corner.uv.y)];
            *target = sample(texture, u, v, color).blend_over(*target);
        }
    }
}

/// The middle of a pixel, in parts of a pixel.
fn center(x: usize, y: usize) -> (i64, i64) {
    ((2 * x as i64 + 1) * STEPS / 2, (2 * y as i64 + 1) * STEPS / 2)
}

/// The columns of a row whose middles are in a triangle.
fn span(sides: [((i64, i64), (i64, i64)); 3], y: usize, columns: Range<usize>) -> Range<usize> {
    let (mut start, mut end) = (columns.start as i64, columns.end as i64);
    for (from, to) in sides {
        // the distance at column 0, by how much it grows from column to column, and its least value
        let (first, slope) = (side(from, to, center(0, y)), (from.1 - to.1) * STEPS);
        let least = i64::from(!is_owned(from, to));
        match slope {
            0 if first < least => return 0..0,
            0 => {}
            // rounded up
            1.. => start = start.max(-(first - least).div_euclid(slope)),
            _ => end = end.min((first - least).div_euclid(-slope) + 1),
        }
    }
    if start < end { start as usize..end as usize } else { 0..0 }
}

/// The parts of a pixel in which corners are counted.
const STEPS: i64 = 256;

/// Positive if a point is at the right of a line, as the eye sees it.
fn side(from: (i64, i64), to: (i64, i64), point: (i64, i64)) -> i64 {
    (to.0 - from.0) * (point.1 - from.1) - (to.1 - from.1) * (point.0 - from.0)
}

/// Whether the points of a side belong to the triangle, and not to its neighbour: those of the upper
/// and the left sides.
fn is_owned(from: (i64, i64), to: (i64, i64)) -> bool {
    to.1 < from.1 || (to.1 == from.1 && to.0 > from.0)
}

/// The color of a texture, multiplied by that of the vertices.
fn sample(texture: &ColorImage, u: f32, v: f32, color: [f32; 4]) -> Color32 {
    let [width, height] = texture.size;
    let at = |part: f32, size: usize| ((part * size as f32) as usize).min(size - 1);
    let texel = texture.pixels[at(v, height) * width + at(u, width)];
    if color == [255.0; 4] {
        return texel;
    }
    let [r, g, b, a] = [0, 1, 2, 3].map(|at| (f32::from(texel[at]) * color[at] / 255.0 + 0.5) as u8);
    Color32::from_rgba_premultiplied(r, g, b, a)
}

/// Premultiplied colors over each other.
trait BlendOver {
    fn blend_over(self, below: Self) -> Self;
}

impl BlendOver for Color32 {
    fn blend_over(self, below: Self) -> Self {
        match self.a() {
            0 if self == Self::TRANSPARENT => below,
            255 => self,
            alpha => {
                let rest = 255 - u32::from(alpha);
                let mix = |at: usize| self[at].saturating_add((u32::from(below[at]) * rest / 255) as u8);
                Self::from_rgba_premultiplied(mix(0), mix(1), mix(2), 255)
            }
        }
    }
}
