//! Components, relations and values that the worlds of several modules save.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[component(excludes(Burning))]
pub struct Frozen;
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[component(excludes(Frozen))]
pub struct Burning;
#[derive(Relation, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[relation(many, gone = keep)]
pub struct Likes {
    #[target]
    pub whom: Entity,
    pub much: u8,
}
#[derive(Relation, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[relation(exclusive, symmetric, gone = remove)]
pub struct Married(pub Entity);

/// A colour. It refuses the made-up text with which layouts are recorded.
#[derive(Clone, Serialize, Deserialize, PartialEq, Debug)]
#[serde(into = "String", try_from = "String")]
pub struct Hex(pub u32);
impl From<Hex> for String {
    fn from(hex: Hex) -> Self {
        format!("#{:06x}", hex.0)
    }
}
impl TryFrom<String> for Hex {
    type Error = &'static str;
    fn try_from(text: String) -> Result<Self, &'static str> {
        let digits = text.strip_prefix('#').ok_or("a colour is `#rrggbb`")?;
        u32::from_str_radix(digits, 16).map(Self).map_err(|_| "a colour is `#rrggbb`")
    }
}
