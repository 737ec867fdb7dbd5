//! A schedule: stages of steps. Every system and every condition has a *place*, and the world keeps a state for each place.
//! Places are in source order, with a step's conditions before its system.

use proc_macro2::Ident;
use syn::{Attribute, LitInt, Type, TypePath};

use crate::cfg;
use crate::names::text;
use crate::parse::schedule::{
    Condition as ParsedCondition, Schedule as Parsed, Step as ParsedStep, System as ParsedSystem,
};

/// A system or condition at its place.
pub(crate) struct Place {
    pub(crate) system: TypePath,
    /// The path of the system in the source text.
    pub(crate) spelled: String,
    /// The path of the schedule of parts that the system comes from, if it is included.
    pub(crate) included: Option<String>,
    /// The `#[cfg(..)]` attributes of its step.
    pub(crate) cfg: Vec<Attribute>,
}

/// The condition of a step.
pub(crate) enum Condition {
    Place(Place),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

/// A system, with its condition.
pub(crate) struct Step {
    pub(crate) place: Place,
    pub(crate) condition: Option<Condition>,
}

/// A schedule.
pub(crate) struct Schedule {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) ident: Ident,
    /// Whether its systems may fail.
    pub(crate) fails: bool,
    /// The clock that decides how often it runs.
    pub(crate) every: Option<Type>,
    /// Whether it is the block of the world's observers.
    pub(crate) observes: bool,
    pub(crate) stages: Vec<Stage>,
}

/// The steps between two flushes of commands.
pub(crate) struct Stage {
    pub(crate) steps: Vec<Step>,
    /// The maximal number of rounds of a `react` block.
    pub(crate) react: Option<LitInt>,
}

impl Schedule {
    pub(crate) fn new(parsed: Parsed) -> Self {
        let Parsed { attributes, ident, fails, every, observes, body: _, stages } = parsed;
        let stages = stages.into_iter().map(|stage| {
            let steps = stage.steps.into_iter().map(Step::new).collect();
            Stage { steps, react: stage.react }
        });
        Self { attributes, ident, fails, every, observes, stages: stages.collect() }
    }

    /// The name for messages.
    pub(crate) fn name(&self) -> String {
        text(&self.ident)
    }

    /// All steps, in order.
    pub(crate) fn steps(&self) -> impl Iterator<Item = &Step> {
        self.stages.iter().flat_map(|stage| &stage.steps)
    }

    /// All places, in order.
    pub(crate) fn places(&self) -> Vec<&Place> {
        let mut places = Vec::new();
        for step in self.steps() {
            if let Some(condition) = &step.condition {
                condition.places(&mut places);
            }
            places.push(&step.place);
        }
        places
    }

    /// The schedule of the same world that a path names: `tick` or `Game::tick`.
    pub(crate) fn named_by<'a>(
        path: &TypePath,
        world: &str,
        schedules: &'a [Self],
    ) -> Option<(usize, &'a Self)> {
        let names: Vec<String> = path.path.segments.iter().map(|segment| text(&segment.ident)).collect();
        let name = match names.as_slice() {
            [name] => name,
            [first, name] if first == world || first == "Self" => name,
            _ => return None,
        };
        schedules.iter().enumerate().find(|(_, schedule)| schedule.name() == *name)
    }

    /// The name of the method that runs it.
    pub(crate) fn method(&self) -> Ident {
        if self.observes { Ident::new("run_observers", self.ident.span()) } else { self.ident.clone() }
    }

    /// The sentence for a schedule without documentation.
    pub(crate) fn doc(&self) -> String {
        if self.observes {
            return "Runs the observers for the triggers that wait, as every schedule does when it begins and at \
                    each `;`."
                .to_owned();
        }
        format!("Runs the schedule `{}` once.", self.name())
    }
}

impl Step {
    fn new(parsed: ParsedStep) -> Self {
        let cfg: Vec<Attribute> = cfg::of(&parsed.attributes).into_iter().cloned().collect();
        let condition = parsed.condition.map(|condition| Condition::new(condition, &cfg));
        let place = Place::new(parsed.system, &cfg);
        Self { place, condition }
    }
}

impl Place {
    fn new(system: ParsedSystem, cfg: &[Attribute]) -> Self {
        let ParsedSystem { path, spelled, included } = system;
        Self { system: path, spelled, included, cfg: cfg.to_vec() }
    }
}

impl Condition {
    fn new(parsed: ParsedCondition, cfg: &[Attribute]) -> Self {
        let make = |inner: Box<ParsedCondition>| Box::new(Self::new(*inner, cfg));
        match parsed {
            ParsedCondition::Not(inner) => Self::Not(make(inner)),
            ParsedCondition::And(left, right) => Self::And(make(left), make(right)),
            ParsedCondition::Or(left, right) => Self::Or(make(left), make(right)),
            ParsedCondition::System(system) => Self::Place(Place::new(system, cfg)),
        }
    }

    pub(crate) fn places<'a>(&'a self, places: &mut Vec<&'a Place>) {
        match self {
            Self::Place(place) => places.push(place),
            Self::Not(inner) => inner.places(places),
            Self::And(left, right) | Self::Or(left, right) => {
                left.places(places);
                right.places(places);
            }
        }
    }
}
