//! The components of the world, its aspects and its prefabs.

use ecs::reflect::ReflectRef;
use ecs_inspect::{component_options, grouped};
use egui::{Grid, ScrollArea, Ui};

use crate::window::WindowInspector;

impl WindowInspector {
    pub(crate) fn components(&mut self, ui: &mut Ui, world: &ReflectRef<'_>) {
        ScrollArea::both().auto_shrink(false).show(ui, |ui| {
            Grid::new("components").striped(true).num_columns(4).show(ui, |ui| {
                for title in ["component", "entities", "bytes", "options"] {
                    ui.weak(title);
                }
                ui.end_row();
                for info in world.components() {
                    let link = ui.link(info.name).on_hover_text(format!("{}\n{}", info.type_name, info.docs));
                    if link.clicked() {
                        self.ask(format!("filter {}", info.name));
                    }
                    ui.monospace(grouped(info.count));
                    ui.monospace(info.size.to_string());
                    ui.weak(component_options(&info));
                    ui.end_row();
                }
            });
        });
    }

    pub(crate) fn content(&mut self, ui: &mut Ui, world: &ReflectRef<'_>) {
        let (aspects, prefabs) = (world.aspects(), world.prefabs());
        if aspects.is_empty() && prefabs.is_empty() {
            ui.weak("no aspect has a name (`AspectNames`), and no resource is a `PrefabLibrary`");
        }
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            for info in aspects {
                ui.horizontal(|ui| {
                    if ui.small_button("add").on_hover_text("to the chosen entity").clicked() {
                        self.ask(format!("add {}", info.name));
                    }
                    ui.label(info.name).on_hover_text(info.docs);
                    ui.weak(format!("{}  {}", grouped(info.count), info.components.join(" ")));
                });
            }
            for name in prefabs {
                ui.horizontal(|ui| {
                    if ui.small_button("spawn").clicked() {
                        self.ask(format!("prefab {name}"));
                    }
                    ui.label(&name);
                    ui.weak("prefab");
                });
            }
        });
    }
}
