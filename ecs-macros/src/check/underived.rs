//! Listed types without their derive. The compiler would report each use of such a type.

use proc_macro2::TokenStream;
use syn::Type;

use crate::diagnostic::Diagnostics;
use crate::model::world::{Entry, World};
use crate::names::ungroup;
use crate::source_file;

/// Reports the listed types that the file declares without their derive. Returns their items, by
/// section: the world derives for them, so that no other error follows.
pub(crate) fn check(world: &World, errors: &mut Diagnostics) -> [Vec<TokenStream>; 3] {
    let title = world.title();
    let mut of = |entries: &[Entry], noun: &str, derive: &str| -> Vec<TokenStream> {
        let own = entries.iter().filter(|entry| entry.included.is_none());
        let found = own.filter_map(|entry| {
            let Type::Path(path) = ungroup(&entry.ty) else { return None };
            let name = path.path.get_ident()?;
            let underived = source_file::without_derive(name, derive)?;
            if !underived.is_reported {
                errors.at(
                    name,
                    format!(
                        "{title} lists `{name}`, which is no {noun}: write `#[derive({derive})]` on `{name}`"
                    ),
                );
            }
            underived.item.parse().ok()
        });
        found.collect()
    };
    [
        of(&world.components, "component", "Component"),
        of(&world.resources, "resource", "Resource"),
        of(&world.events, "event", "Event"),
    ]
}
