//! The section of a schedule: its stages in order, with links to the systems.

use proc_macro2::TokenStream;

use super::behind;
use crate::model::schedule::{Condition, Failing, Place, Schedule, Stage, Step};
use crate::model::world::World;
use crate::names::source;

/// The stages of a schedule of `world`.
pub(in crate::expand) fn of_schedule(world: &World, schedule: &Schedule) -> TokenStream {
    behind(&section(&world.name(), &world.schedules, schedule))
}

/// The stages of a schedule of parts.
pub(in crate::expand) fn of_listed(schedule: &Schedule) -> TokenStream {
    behind(&section("", &[], schedule))
}

fn section(world: &str, schedules: &[Schedule], schedule: &Schedule) -> String {
    let context = Context { world, schedules };
    let mut text = String::from(if schedule.observes { "# Observers\n" } else { "# Stages\n" });
    let groups = context.groups(schedule);
    let mut groups = groups.as_slice();
    for (number, stage) in schedule.stages.iter().enumerate() {
        let (of_stage, rest) = groups.split_at(stage.steps.len());
        text.push_str(&format!("{}. {}\n", number + 1, context.stage(stage, of_stage)));
        for step in &stage.steps {
            let docs = step.docs().replace('\n', "\n     ");
            if !docs.is_empty() {
                text.push_str(&format!("   - {}: {docs}\n", context.place(&step.place)));
            }
        }
        groups = rest;
    }
    if schedule.stages.len() > 1 {
        text.push_str("\nAt the end of each stage the commands of its systems are applied.\n");
    }
    if let Some(clock) = &schedule.every {
        let clock = source(clock);
        text.push_str(&format!("\nThe schedule runs once for each step of `{clock}` that is due.\n"));
    }
    text.push_str(match schedule.failing {
        Failing::Never => "",
        Failing::Run => {
            "\n# Errors\nReturns the error of the first system that fails; no system after it runs.\n"
        }
        Failing::System => "\nA system that fails or panics ends only itself. Returns the failures.\n",
    });
    text
}

struct Context<'a> {
    world: &'a str,
    schedules: &'a [Schedule],
}

impl Context<'_> {
    /// For each step the parentheses of the groups that begin in front of it, and the ends of the
    /// groups of which it is the last step.
    fn groups(&self, schedule: &Schedule) -> Vec<[String; 2]> {
        let steps: Vec<&Step> = schedule.steps().collect();
        let gates = |step: &Step| {
            let (mut gates, mut outer) = (Vec::new(), step.group);
            while let Some(gate) = steps.iter().find(|gate| gate.gate == outer && outer > 0) {
                gates.push(*gate);
                outer = gate.group;
            }
            gates
        };
        let mut open = 0;
        let mut texts = vec![[String::new(), String::new()]; steps.len()];
        for (at, step) in steps.iter().enumerate() {
            if step.gate > 0 {
                open += 1;
                continue;
            }
            texts[at][0] = "(".repeat(open);
            open = 0;
            let next = steps[at + 1..]
                .iter()
                .find(|next| next.gate == 0)
                .map(|next| gates(next))
                .unwrap_or_default();
            for gate in
                gates(step).into_iter().filter(|gate| !next.iter().any(|other| other.gate == gate.gate))
            {
                let condition = gate.condition.as_ref().map(|condition| self.condition(condition, false));
                texts[at][1] += &format!(") if {}", condition.unwrap_or_default());
            }
        }
        texts
    }

    fn stage(&self, stage: &Stage, groups: &[[String; 2]]) -> String {
        let mut text = String::new();
        let steps: Vec<(&Step, &[String; 2])> =
            stage.steps.iter().zip(groups).filter(|(step, _)| step.gate == 0).collect();
        let mut steps = steps.as_slice();
        while let [(first, _), ..] = steps {
            let included = &first.place.included;
            let same = steps.iter().take_while(|(step, _)| step.place.included == *included).count();
            let names: Vec<String> = steps[..same]
                .iter()
                .map(|(step, [begin, end])| format!("{begin}{}{end}", self.step(step)))
                .collect();
            if !text.is_empty() {
                text.push_str(", ");
            }
            text.push_str(&names.join(", "));
            if let Some(path) = included {
                let link = path.split("::<").next().unwrap_or(path);
                text.push_str(&format!(" of [`{path}`](struct@{link})"));
            }
            steps = &steps[same..];
        }
        match &stage.react {
            Some(most) => {
                format!("{text}, again until no system has something to react to, at most {most} times")
            }
            None => text,
        }
    }

    fn step(&self, step: &Step) -> String {
        let system = match &step.place.label {
            Some(label) => format!("{} as `{}`", self.place(&step.place), crate::names::text(label)),
            None => self.place(&step.place),
        };
        match &step.condition {
            Some(condition) => format!("{system} if {}", self.condition(condition, false)),
            None => system,
        }
    }

    fn condition(&self, condition: &Condition, inner: bool) -> String {
        let (text, several) = match condition {
            Condition::Place(place) => (self.place(place), false),
            Condition::Not(condition) => (format!("not {}", self.condition(condition, true)), false),
            Condition::And(left, right) => {
                (format!("{} and {}", self.condition(left, true), self.condition(right, true)), true)
            }
            Condition::Or(left, right) => {
                (format!("{} or {}", self.condition(left, true), self.condition(right, true)), true)
            }
        };
        if inner && several { format!("({text})") } else { text }
    }

    /// The name, as a link where the path is known here and is not compiled out.
    fn place(&self, place: &Place) -> String {
        let named = Schedule::named_by(&place.system, self.world, self.schedules);
        if let Some((_, schedule)) = named.filter(|_| place.is_plain()) {
            return format!("[`{0}`](Self::{0})", schedule.name());
        }
        if !place.is_plain()
            || place.included.is_some()
            || !place.cfg.is_empty()
            || place.system.qself.is_some()
        {
            return format!("`{}`", place.spelled);
        }
        format!("[`{}()`]", source(&place.system))
    }
}
