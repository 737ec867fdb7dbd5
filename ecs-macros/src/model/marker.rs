//! A resource or an event: a type that implements one trait with a name.

use proc_macro2::Ident;
use quote::format_ident;

use super::subject::Subject;
use crate::names::Ecs;
use crate::parse::derive::Derive;
use crate::parse::saving::Saving;

/// What is derived.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Resource,
    Event,
}

impl Kind {
    /// The word for messages.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Resource => "resource",
            Self::Event => "event",
        }
    }

    /// The trait.
    pub(crate) fn of_trait(self) -> Ident {
        match self {
            Self::Resource => format_ident!("Resource"),
            Self::Event => format_ident!("Event"),
        }
    }
}

/// A resource or an event.
pub(crate) struct Marker {
    pub(crate) ecs: Ecs,
    pub(crate) kind: Kind,
    pub(crate) subject: Subject,
    pub(crate) saving: Saving,
}

impl Marker {
    pub(crate) fn new(parsed: Derive, kind: Kind) -> Self {
        Self { ecs: parsed.ecs, kind, subject: Subject::new(&parsed.item), saving: parsed.saving }
    }
}
