//! The schedules and their systems, with switches and run times.

use ecs::reflect::ReflectRef;
use ecs_inspect::micros;
use egui::{Grid, RichText, ScrollArea, Ui};

use crate::window::WindowInspector;

impl WindowInspector {
    pub(crate) fn systems(&mut self, ui: &mut Ui, world: &ReflectRef<'_>) {
        let lines = self.inspector.system_lines(world);
        let mut is_timed = lines.iter().any(|line| line.timing.is_some());
        if ui.checkbox(&mut is_timed, "measure run times").changed() {
            self.ask(if is_timed { "time on" } else { "time off" });
        }
        ScrollArea::both().auto_shrink(false).show(ui, |ui| {
            for lines in lines.chunk_by(|a, b| a.info.schedule == b.info.schedule) {
                let schedule = lines[0].info.schedule;
                ui.horizontal(|ui| {
                    ui.heading(schedule);
                    for verb in ["run", "step"] {
                        if ui.small_button(verb).clicked() {
                            self.ask(format!("{verb} {schedule}"));
                        }
                    }
                });
                Grid::new(("systems", schedule)).striped(true).num_columns(7).show(ui, |ui| {
                    for title in ["", "system", "runs", "last", "mean", "accesses"] {
                        ui.weak(title);
                    }
                    ui.end_row();
                    for line in lines {
                        self.system(ui, line);
                    }
                });
                ui.add_space(8.0);
            }
        });
    }

    fn system(&mut self, ui: &mut Ui, line: &ecs_inspect::SystemLine) {
        let name = line.info.system;
        let mut is_enabled = line.info.enabled;
        let switch = ui.checkbox(&mut is_enabled, "").accessible_name(name);
        if switch.changed() {
            self.ask(format!("{} {name}", if is_enabled { "enable" } else { "disable" }));
        }
        let mark = if line.is_next { "> " } else { "" };
        let text = RichText::new(format!("{mark}{name}"));
        let text = if line.touches { text.strong() } else { text };
        let response = ui.label(text);
        response
            .on_hover_text("bold: the system reads, writes or filters by a component of the chosen entity");
        let timing = line.timing.as_ref();
        ui.monospace(timing.map_or_else(String::new, |timing| timing.runs.to_string()));
        ui.monospace(timing.map_or_else(String::new, |timing| micros(timing.last)));
        ui.monospace(line.mean().map_or_else(String::new, micros));
        ui.horizontal(|ui| {
            ui.weak(line.accesses());
            if let Some(failure) = &line.failure {
                let text = format!("last failure: {}", failure.lines().next().unwrap_or_default());
                ui.colored_label(ui.visuals().error_fg_color, text).on_hover_text(failure);
            }
        });
        ui.end_row();
    }
}
