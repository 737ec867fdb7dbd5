//! A schedule: stages of steps. A group of steps with one condition is flat here: a *gate*, the
//! step that evaluates the condition, stands before the steps, and each of them has the number of
//! the group. Every system and every condition has a *place*, and the world keeps a state for each
//! place. Places are in source order, with a step's conditions before its system.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Attribute, Expr, LitInt, Type, TypePath};

use crate::cfg;
use crate::names::text;
use crate::parse::schedule::{
    Condition as ParsedCondition, Schedule as Parsed, Step as ParsedStep, System as ParsedSystem,
};

/// A system or condition at its place.
pub(crate) struct Place {
    pub(crate) system: TypePath,
    pub(crate) arguments: Vec<Expr>,
    /// The systems behind `|`.
    pub(crate) piped: Vec<TypePath>,
    /// The name after `as`.
    pub(crate) label: Option<Ident>,
    /// The path of the system in the source text, with its arguments and the systems behind `|`.
    pub(crate) spelled: String,
    /// The path of the schedule of parts that the system comes from, if it is included.
    pub(crate) included: Option<String>,
    /// The message for a system that lacks something, if the world does not include the parts of
    /// the schedule or those that they need.
    pub(crate) lacks: Option<String>,
    /// The `#[cfg(..)]` attributes of its step.
    pub(crate) cfg: Vec<Attribute>,
}

/// The condition of a step.
pub(crate) enum Condition {
    Place(Box<Place>),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

/// A system, with its condition.
pub(crate) struct Step {
    pub(crate) place: Place,
    pub(crate) condition: Option<Condition>,
    /// The number of the group that it is the gate of; 0 for a system.
    pub(crate) gate: u16,
    /// The number of the innermost group that it is in; 0 if it is in none.
    pub(crate) group: u16,
    /// The text of its documentation comment; empty if it has none.
    pub(crate) docs: String,
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
        let place = Place { label: parsed.label, ..Place::new(parsed.system, &cfg) };
        let docs = super::docs::text_of(&parsed.attributes);
        Self { place, condition, gate: parsed.gate, group: parsed.group, docs }
    }
}

impl Place {
    fn new(system: ParsedSystem, cfg: &[Attribute]) -> Self {
        let ParsedSystem { path, arguments, piped, spelled, included, lacks } = system;
        Self { system: path, arguments, piped, label: None, spelled, included, lacks, cfg: cfg.to_vec() }
    }

    /// Whether it is a path alone, without arguments and systems behind `|`.
    pub(crate) fn is_plain(&self) -> bool {
        self.arguments.is_empty() && self.piped.is_empty()
    }

    /// The name in the schedule: the one after `as`, or the source text.
    pub(crate) fn name(&self) -> String {
        self.label.as_ref().map_or_else(|| self.spelled.clone(), text)
    }

    /// The tokens from the first to the last one, without signs between them, for an error that
    /// underlines all of it.
    pub(crate) fn tokens(&self) -> TokenStream {
        let Self { system, arguments, piped, .. } = self;
        quote!(#system #(#arguments)* #(#piped)*)
    }

    /// The system in front and this number of systems behind `|`, as a place.
    pub(crate) fn until(&self, pipe: usize) -> Self {
        let Self { system, arguments, piped, spelled, included, lacks, cfg, .. } = self;
        Self {
            system: system.clone(),
            arguments: arguments.clone(),
            piped: piped[..pipe].to_vec(),
            label: None,
            spelled: spelled.clone(),
            included: included.clone(),
            lacks: lacks.clone(),
            cfg: cfg.clone(),
        }
    }

    /// The paths of its systems.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &TypePath> {
        [&self.system].into_iter().chain(&self.piped)
    }
}

impl Condition {
    fn new(parsed: ParsedCondition, cfg: &[Attribute]) -> Self {
        let make = |inner: Box<ParsedCondition>| Box::new(Self::new(*inner, cfg));
        match parsed {
            ParsedCondition::Not(inner) => Self::Not(make(inner)),
            ParsedCondition::And(left, right) => Self::And(make(left), make(right)),
            ParsedCondition::Or(left, right) => Self::Or(make(left), make(right)),
            ParsedCondition::System(system) => Self::Place(Box::new(Place::new(*system, cfg))),
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
