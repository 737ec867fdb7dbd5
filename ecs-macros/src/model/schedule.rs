//! A schedule: stages of steps. A group of steps with one condition is flat here: a *gate*, the
//! step that evaluates the condition, stands before the steps, and each of them has the number of
//! the group. Every system and every condition has a *place*, and the world keeps a state for each
//! place. Places are in source order, with a step's conditions before its system.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Attribute, Expr, LitInt, Type, TypePath};

use crate::cfg;
use crate::names::text;

/// A system or condition at its place.
#[derive(Clone)]
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
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) place: Place,
    pub(crate) condition: Option<Condition>,
    /// The number of the group that it is the gate of; 0 for a system.
    pub(crate) gate: u16,
    /// The number of the innermost group that it is in; 0 if it is in none.
    pub(crate) group: u16,
}

/// The extent of a system's failure, which the output of a schedule declares.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Failing {
    /// Nothing: its systems cannot fail.
    Never,
    /// The run: `-> Result`.
    Run,
    /// The system: `-> Failures`.
    System,
}

/// A schedule.
pub(crate) struct Schedule {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) ident: Ident,
    /// The extent of a system's failure.
    pub(crate) failing: Failing,
    /// The clock that decides how often it runs.
    pub(crate) every: Option<Type>,
    /// Whether it is the block of the world's observers.
    pub(crate) observes: bool,
    /// The tokens in the braces.
    pub(crate) body: TokenStream,
    /// The stages between `;`.
    pub(crate) stages: Vec<Stage>,
}

/// The steps between two flushes of commands.
#[derive(Default)]
pub(crate) struct Stage {
    pub(crate) steps: Vec<Step>,
    /// The maximal number of rounds of a `react` block.
    pub(crate) react: Option<LitInt>,
}

impl Schedule {
    /// Gives the `#[cfg(..)]` attributes of each step to its places.
    pub(crate) fn with_conditions(mut self) -> Self {
        for step in self.stages.iter_mut().flat_map(|stage| &mut stage.steps) {
            let cfg: Vec<Attribute> = cfg::of(&step.attributes).into_iter().cloned().collect();
            step.places_mut().into_iter().for_each(|place| place.cfg.clone_from(&cfg));
        }
        self
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
    /// The text of its documentation comment; empty if it has none.
    pub(crate) fn docs(&self) -> String {
        super::docs::text_of(&self.attributes)
    }

    /// Its places, in order.
    pub(crate) fn places_mut(&mut self) -> Vec<&mut Place> {
        let mut places = Vec::new();
        self.condition.iter_mut().for_each(|condition| condition.places_mut(&mut places));
        places.push(&mut self.place);
        places
    }
}

impl Place {
    /// A system with nothing else.
    pub(crate) fn new(system: TypePath, arguments: Vec<Expr>, spelled: String) -> Self {
        let (piped, cfg) = (Vec::new(), Vec::new());
        Self { system, arguments, piped, label: None, spelled, included: None, lacks: None, cfg }
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
        Self { piped: self.piped[..pipe].to_vec(), label: None, ..self.clone() }
    }

    /// The paths of its systems.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &TypePath> {
        [&self.system].into_iter().chain(&self.piped)
    }
}

impl Condition {
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
    fn places_mut<'a>(&'a mut self, places: &mut Vec<&'a mut Place>) {
        match self {
            Self::Place(place) => places.push(place),
            Self::Not(inner) => inner.places_mut(places),
            Self::And(left, right) | Self::Or(left, right) => {
                left.places_mut(places);
                right.places_mut(places);
            }
        }
    }
}
