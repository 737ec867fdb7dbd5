//! A resource or an event: a type that gets the impl of one trait.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::Data;

use super::subject::Subject;
use crate::names::{Ecs, text};
use crate::parse::derive::{Derive, Options};
use crate::words::has_word;

/// The derived trait.
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
    pub(crate) options: Options,
    /// The name of a type with interior mutability in its fields, if there is one.
    pub(crate) interior: Option<Ident>,
}

/// Types with interior mutability that are `Sync`. rustc refuses the others.
const INTERIOR: &str = "Mutex RwLock OnceLock FairMutex ReentrantMutex DashMap ArcSwap AtomicBool AtomicU8 AtomicU16 \
    AtomicU32 AtomicU64 AtomicUsize AtomicI8 AtomicI16 AtomicI32 AtomicI64 AtomicIsize AtomicPtr \
    AtomicCell SegQueue ArrayQueue";

/// The first name of such a type in the types of the fields.
fn interior(data: &Data) -> Option<Ident> {
    let types = |fields: &syn::Fields| fields.iter().map(|field| field.ty.to_token_stream()).collect();
    let fields: Vec<TokenStream> = match data {
        Data::Struct(data) => types(&data.fields),
        Data::Enum(data) => {
            data.variants.iter().flat_map(|variant| -> Vec<_> { types(&variant.fields) }).collect()
        }
        Data::Union(_) => Vec::new(),
    };
    fields.into_iter().find_map(named)
}

fn named(tokens: TokenStream) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) if has_word(INTERIOR, &text(&ident)) => Some(ident),
        TokenTree::Group(group) => named(group.stream()),
        _ => None,
    })
}

impl Marker {
    pub(crate) fn new(parsed: Derive, kind: Kind) -> Self {
        let Derive { item, ecs, options, misplaced: _ } = parsed;
        let (subject, interior) = (Subject::new(&item), interior(&item.data));
        Self { ecs, kind, subject, options, interior }
    }
}
