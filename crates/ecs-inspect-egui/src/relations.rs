//! The tree of a relation.

use ecs::reflect::ReflectRef;
use egui::collapsing_header::paint_default_icon;
use egui::{Label, RichText, ScrollArea, Sense, Ui};

use crate::window::WindowInspector;

/// The deepest indent.
const DEEPEST: usize = 24;

impl WindowInspector {
    pub(crate) fn relations(&mut self, ui: &mut Ui, world: &ReflectRef<'_>) {
        let (relations, shown) = self.inspector.relations(world);
        let Some(name) = relations.get(shown) else {
            ui.weak("the world has no relation");
            return;
        };
        ui.horizontal(|ui| {
            egui::ComboBox::from_id_salt("relation").selected_text(*name).show_ui(ui, |ui| {
                for (at, name) in relations.iter().enumerate() {
                    if ui.selectable_label(at == shown, *name).clicked() {
                        self.inspector.show_relation(at);
                    }
                }
            });
            if ui.button("Read").on_hover_text("reads the tree again").clicked() {
                self.inspector.read_again();
            }
        });
        let count = match self.inspector.tree_count(world) {
            Ok(count) => count,
            Err(error) => {
                ui.colored_label(ui.visuals().error_fg_color, error.to_string());
                return;
            }
        };
        let height = ui.spacing().interact_size.y;
        ScrollArea::both().auto_shrink(false).show_rows(ui, height, count, |ui, range| {
            for row in self.inspector.tree_rows(range) {
                ui.horizontal(|ui| {
                    ui.add_space(18.0 * row.depth.min(DEEPEST) as f32);
                    let size = egui::Vec2::splat(ui.spacing().icon_width);
                    let (_, branch) = ui.allocate_exact_size(size, Sense::click());
                    if row.sources > 0 && !row.is_repeated {
                        let openness = if row.is_collapsed { 0.0 } else { 1.0 };
                        paint_default_icon(ui, openness, &branch);
                        if branch.accessible_name(format!("branch {}", row.entity)).clicked() {
                            self.inspector.toggle_branch(row.entity);
                        }
                    }
                    let name = self.inspector.name_of(row.entity, world);
                    let is_chosen = self.inspector.chosen() == Some(row.entity);
                    if ui.selectable_label(is_chosen, name).clicked() {
                        self.inspector.choose(row.entity);
                    }
                    if row.sources > 0 {
                        let above = if row.is_repeated { "as above, " } else { "" };
                        ui.weak(format!("({above}{})", row.sources));
                    }
                    let held = world.components_of(row.entity).unwrap_or_default().join(" ");
                    ui.add(Label::new(RichText::new(held).weak()).extend());
                });
            }
        });
    }
}
