//! The picture of the world, and the agent at a click.

use ecs::reflect::ReflectWorld;
use ecs_inspect_egui::egui::{
    self, Align2, Color32, ColorImage, Pos2, Rect, Sense, Stroke, TextureHandle, TextureOptions, Ui, Vec2,
    vec2,
};

use super::ModelWindow;
use super::run::guarded;
use crate::picture::{Picture, Rgb};

/// The picture of the world, as a texture.
pub(super) struct ShownPicture {
    texture: TextureHandle,
    /// The size of the picture, and its pixels for each cell or unit of length.
    size: Vec2,
    scale: f64,
    /// The room for which it was made.
    room: [usize; 2],
}

impl<W: ReflectWorld + 'static> ModelWindow<W> {
    /// The picture that is chosen, with a mark around the chosen agent.
    pub(super) fn picture_view(&mut self, ui: &mut Ui) {
        if self.views.len() > 1 {
            ui.horizontal_wrapped(|ui| {
                for (at, view) in self.views.iter().enumerate() {
                    if ui.selectable_label(self.view == at, &view.name).clicked() && self.view != at {
                        self.view = at;
                        self.shown.forget();
                    }
                }
            });
        }
        self.draw_picture(ui);
        let (Some(shown), Some(world)) = (&self.shown.picture, &self.run.world) else { return };
        let size = fitted(shown.size, ui.available_size(), ui.pixels_per_point());
        let room = ui.available_rect_before_wrap();
        let rect = Align2::CENTER_TOP.align_size_within_rect(size, room);
        let response = ui.allocate_rect(rect, Sense::click());
        let whole = Rect::from_min_max(Pos2::ZERO, egui::pos2(1.0, 1.0));
        ui.painter().image(shown.texture.id(), rect, whole, Color32::WHITE);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "picture"));
        // points for each cell, or unit of length
        let unit = size.x / shown.size.x * shown.scale as f32;
        if let (Some(at), true) = (response.interact_pointer_pos(), response.clicked()) {
            let place = ((at - rect.min) / unit).clamp(Vec2::ZERO, shown.size / shown.scale as f32);
            let found = guarded(|| self.agents.at(world, [f64::from(place.x), f64::from(place.y)]));
            if let Some(found) = self.run.end_if(found) {
                let known = found.iter().position(|agent| Some(*agent) == self.chosen);
                let next = known.map_or(0, |at| (at + 1) % found.len());
                found.get(next).into_iter().for_each(|agent| self.choose(*agent));
            }
            ui.request_repaint();
            return;
        }
        let (Some(chosen), None) = (self.chosen, &self.run.failure) else { return };
        let place = guarded(|| self.agents.place_of(world, chosen));
        if let Some(Some([x, y])) = self.run.end_if(place) {
            let middle = rect.min + vec2(x as f32, y as f32) * unit;
            let (radius, painter) = ((unit * 0.8).max(7.0), ui.painter_at(rect.expand(4.0)));
            painter.circle_stroke(middle, radius, Stroke::new(4.0, Color32::WHITE));
            painter.circle_stroke(middle, radius, Stroke::new(2.0, Color32::BLACK));
        }
    }

    /// Draws the picture again if the world or the room has changed.
    fn draw_picture(&mut self, ui: &Ui) {
        let room = ui.available_size() * ui.pixels_per_point();
        let room = [room.x, room.y].map(|side| side.max(1.0) as usize);
        let is_known = self.shown.picture.as_ref().is_some_and(|shown| shown.room == room);
        let (Some(view), Some(world)) = (self.views.get(self.view), &self.run.world) else { return };
        // what has panicked is not called again for each frame
        if is_known && !self.shown.is_stale || self.run.failure.is_some() {
            return;
        }
        self.shown.is_stale = false;
        let picture = guarded(|| (view.picture)(world));
        let Some(picture) = self.run.end_if(picture) else { return };
        let image = shrunk(&picture, room);
        let texture = match self.shown.picture.take() {
            Some(ShownPicture { mut texture, .. }) => {
                texture.set(image, TextureOptions::NEAREST);
                texture
            }
            None => ui.load_texture("picture", image, TextureOptions::NEAREST),
        };
        let size = vec2(picture.width() as f32, picture.height() as f32);
        self.shown.picture = Some(ShownPicture { texture, size, scale: picture.scale(), room });
    }
}

/// The size of a picture in points: as large as the room allows, with whole pixels for each of its own.
fn fitted(size: Vec2, room: Vec2, pixels_per_point: f32) -> Vec2 {
    let scale = (room.x / size.x).min(room.y / size.y) * pixels_per_point;
    let scale = if scale >= 1.0 { scale.floor() } else { scale.max(0.0) };
    size * scale / pixels_per_point
}

/// The pixels of a picture, and of one that is larger than the room the means of them.
fn shrunk(picture: &Picture, room: [usize; 2]) -> ColorImage {
    let size = [picture.width(), picture.height()];
    let scale = (0..2).map(|axis| room[axis] as f64 / size[axis] as f64).fold(1.0, f64::min);
    let new = size.map(|side| ((side as f64 * scale) as usize).clamp(1, side));
    let span = |at: usize, axis: usize| {
        let start = at * size[axis] / new[axis];
        start..((at + 1) * size[axis] / new[axis]).max(start + 1)
    };
    let mut pixels = Vec::with_capacity(new[0] * new[1]);
    for y in 0..new[1] {
        for x in 0..new[0] {
            let (mut sum, mut number) = ([0_u32; 3], 0);
            for y in span(y, 1) {
                for x in span(x, 0) {
                    let Rgb(red, green, blue) = picture.pixel(x, y).unwrap_or_default();
                    sum = [sum[0] + u32::from(red), sum[1] + u32::from(green), sum[2] + u32::from(blue)];
                    number += 1;
                }
            }
            let [red, green, blue] = sum.map(|sum| (sum / number) as u8);
            pixels.push(Color32::from_rgb(red, green, blue));
        }
    }
    ColorImage::new(new, pixels)
}
