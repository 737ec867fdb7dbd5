//! The form of sheets in files: stats have their names, and values are checked.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::stat::position;
use super::{InvalidBase, Modifier, Sheet, Stat};
use crate::names::list;

/// The stat of this name, or a message that lists the names.
fn named<S: Stat>(name: &str) -> Result<S, String> {
    S::ALL.iter().copied().find(|stat| stat.name() == name).ok_or_else(|| {
        let names = list(S::ALL.iter().map(|stat| stat.name()));
        format!("a {} has no stat `{name}`: its stats are {names}", S::SHEET)
    })
}

/// A stat by its name.
pub(super) mod by_name {
    use super::*;

    pub(in crate::sheet) fn serialize<S: Stat, Z: Serializer>(stat: &S, to: Z) -> Result<Z::Ok, Z::Error> {
        to.serialize_str(stat.name())
    }

    pub(in crate::sheet) fn deserialize<'de, S: Stat, D: Deserializer<'de>>(from: D) -> Result<S, D::Error> {
        named(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// Stats with amounts, as a list of pairs: the order is that of the modifiers.
pub(super) mod amounts {
    use super::*;

    pub(in crate::sheet) fn serialize<S: Stat, Z: Serializer>(
        amounts: &[(S, i32)],
        to: Z,
    ) -> Result<Z::Ok, Z::Error> {
        to.collect_seq(amounts.iter().map(|(stat, amount)| (stat.name(), amount)))
    }

    pub(in crate::sheet) fn deserialize<'de, S: Stat, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<(S, i32)>, D::Error> {
        let amounts = Vec::<(String, i32)>::deserialize(from)?;
        let amounts = amounts.into_iter().map(|(name, amount)| Ok((named(&name)?, amount)));
        amounts.collect::<Result<_, String>>().map_err(D::Error::custom)
    }
}

impl<S: Stat> Serialize for Sheet<S> {
    fn serialize<Z: Serializer>(&self, to: Z) -> Result<Z::Ok, Z::Error> {
        let entries = || S::ALL.iter().zip(&self.entries).filter(|(stat, _)| stat.derived().is_none());
        let base: BTreeMap<&str, i32> = entries().map(|(stat, entry)| (stat.name(), entry.base)).collect();
        let uses: BTreeMap<&str, u32> = entries()
            .filter(|(_, entry)| entry.uses > 0)
            .map(|(stat, entry)| (stat.name(), entry.uses))
            .collect();
        let mut sheet = to.serialize_struct("Sheet", 3)?;
        sheet.serialize_field("base", &base)?;
        sheet.serialize_field("uses", &uses)?;
        sheet.serialize_field("modifiers", &self.modifiers)?;
        sheet.end()
    }
}

/// A sheet in a file, which may have been edited.
#[derive(Deserialize)]
#[serde(rename = "Sheet", bound = "", deny_unknown_fields)]
struct SavedSheet<S: Stat> {
    #[serde(default)]
    base: BTreeMap<String, i32>,
    #[serde(default)]
    uses: BTreeMap<String, u32>,
    #[serde(default = "Vec::new")]
    modifiers: Vec<Modifier<S>>,
}

impl<'de, S: Stat> Deserialize<'de> for Sheet<S> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        checked(SavedSheet::deserialize(from)?).map_err(D::Error::custom)
    }
}

fn checked<S: Stat>(saved: SavedSheet<S>) -> Result<Sheet<S>, String> {
    let SavedSheet { base, uses, modifiers } = saved;
    let mut sheet = Sheet::new();
    for (name, base) in base {
        sheet.try_set_base(named(&name)?, base).map_err(|error| error.to_string())?;
    }
    for (name, uses) in uses {
        let stat: S = named(&name)?;
        if stat.derived().is_some() {
            return Err(InvalidBase::Derived { sheet: S::SHEET, stat: stat.name() }.to_string());
        }
        sheet.entries[position(stat)].uses = uses;
    }
    sheet.modifiers = modifiers;
    Ok(sheet)
}
