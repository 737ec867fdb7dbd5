//! The resources, and the events that can be sent.

use ecs::reflect::{NameKind, ReflectRef};
use ecs_inspect::{ValuePart, value_input, value_template};
use egui::{ScrollArea, TextEdit, Ui};

use crate::editor::Subject;
use crate::window::WindowInspector;

impl WindowInspector {
    pub(crate) fn resources(&mut self, ui: &mut Ui, world: &ReflectRef<'_>) {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let subject = Subject { entity: None, is_read_only: world.is_read_only() };
            for info in world.resources() {
                let schema = self.schema(NameKind::Resources, info.name, world);
                match world.read_resource(info.name) {
                    Ok(value) => {
                        let part = ValuePart::whole(info.name, &value, &schema);
                        self.whole(ui, world, subject, &part, info.docs);
                    }
                    Err(error) => drop(ui.colored_label(ui.visuals().error_fg_color, error.to_string())),
                }
            }
            let events = world.events();
            if !events.is_empty() {
                ui.add_space(8.0);
                ui.strong("Events");
            }
            for info in events {
                self.event(ui, world, info.name, info.docs);
            }
        });
    }

    /// The text of an event, and a button that sends it.
    fn event(&mut self, ui: &mut Ui, world: &ReflectRef<'_>, name: &'static str, docs: &str) {
        let schema = self.schema(NameKind::Events, name, world);
        let chosen = self.inspector.chosen();
        let text = self.events.entry(name).or_insert_with(|| {
            let default = world.default_of(NameKind::Events, name).ok().flatten();
            default.map_or_else(|| value_template(&schema, chosen), |value| value_input(&value))
        });
        let mut is_sent = false;
        ui.horizontal(|ui| {
            let label = ui.label(name);
            if !docs.is_empty() {
                label.on_hover_text(docs);
            }
            let width = (ui.available_width() - 60.0).max(80.0);
            ui.add(TextEdit::singleline(text).code_editor().desired_width(width)).accessible_name(name);
            is_sent = ui.add_enabled(!world.is_read_only(), egui::Button::new("Send")).clicked();
        });
        if is_sent {
            let line = format!("send {name} = {text}");
            self.ask(line);
        }
    }
}
