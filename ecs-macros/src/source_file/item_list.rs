//! [`List`]: the items of a file, of a module or of a block, with their functions and macros.

use syn::visit::{self, Visit};
use syn::{Block, File, ImplItemFn, Macro, Signature, Stmt, TraitItemFn};

use super::*;

/// A list of items: of a file, a module or a block, or the methods of an `impl` or a `trait`.
#[derive(Default)]
pub(super) struct List<'i> {
    pub(super) items: Vec<&'i Item>,
    /// The macros among the items and statements.
    pub(super) macros: Vec<&'i Macro>,
    pub(super) functions: Vec<(String, &'i [Attribute])>,
    pub(super) are_methods: bool,
    pub(super) is_module: bool,
}

/// All lists of a file, those in a list before it.
pub(super) fn lists(file: &File) -> Vec<List<'_>> {
    struct Find<'i>(Vec<List<'i>>);
    impl<'i> Visit<'i> for Find<'i> {
        fn visit_file(&mut self, file: &'i File) {
            visit::visit_file(self, file);
            self.0.push(List::of(file.items.iter()));
        }

        fn visit_item_mod(&mut self, module: &'i syn::ItemMod) {
            visit::visit_item_mod(self, module);
            let items = module.content.iter().flat_map(|(_, items)| items);
            self.0.push(List { is_module: true, ..List::of(items) });
        }

        fn visit_block(&mut self, block: &'i Block) {
            visit::visit_block(self, block);
            let mut list = List::default();
            for statement in &block.stmts {
                match statement {
                    Stmt::Item(item) => list.add(item),
                    Stmt::Macro(statement) => list.macros.push(&statement.mac),
                    _ => {}
                }
            }
            self.0.push(list);
        }

        fn visit_impl_item_fn(&mut self, method: &'i ImplItemFn) {
            visit::visit_impl_item_fn(self, method);
            self.0.push(List::method(&method.sig, &method.attrs));
        }

        fn visit_trait_item_fn(&mut self, method: &'i TraitItemFn) {
            visit::visit_trait_item_fn(self, method);
            self.0.push(List::method(&method.sig, &method.attrs));
        }
    }
    let mut find = Find(Vec::new());
    find.visit_file(file);
    find.0
}

/// The functions with `#[system]`: methods, or others.
pub(super) fn systems(lists: &[List<'_>], are_methods: bool) -> HashSet<String> {
    let lists = lists.iter().filter(|list| list.are_methods == are_methods);
    let functions = lists.flat_map(|list| &list.functions).filter(|(_, attributes)| is_system(attributes));
    functions.map(|(name, _)| name.clone()).collect()
}

impl<'i> List<'i> {
    fn of(items: impl Iterator<Item = &'i Item>) -> Self {
        let mut list = Self::default();
        items.for_each(|item| list.add(item));
        list
    }

    fn method(signature: &Signature, attributes: &'i [Attribute]) -> Self {
        Self { functions: vec![(text(&signature.ident), attributes)], are_methods: true, ..Self::default() }
    }

    fn add(&mut self, item: &'i Item) {
        self.items.push(item);
        match item {
            Item::Fn(function) => self.functions.push((text(&function.sig.ident), &function.attrs)),
            Item::Macro(call) => self.macros.push(&call.mac),
            _ => {}
        }
    }

    /// Whether one of its macros declares the world.
    pub(super) fn declares(&self, world: &str) -> bool {
        self.macros.iter().any(|call| declares(&call.tokens, world))
    }

    /// The functions without an attribute that could make them systems. A type or a second function
    /// of the same name, for instance under another `cfg`, may be the system.
    pub(super) fn unmarked(&self) -> HashSet<String> {
        let name = |item: &Item| match item {
            Item::Fn(item) => Some(text(&item.sig.ident)),
            Item::Struct(item) => Some(text(&item.ident)),
            Item::Enum(item) => Some(text(&item.ident)),
            Item::Type(item) => Some(text(&item.ident)),
            _ => None,
        };
        let names: Vec<String> = self.items.iter().filter_map(|item| name(item)).collect();
        let is_only = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
        let inert = self.functions.iter().filter(|(_, attributes)| are_inert(attributes));
        inert.map(|(name, _)| name).filter(|name| is_only(name)).cloned().collect()
    }
}

pub(super) fn is_last(path: &syn::Path, name: &str) -> bool {
    path.segments.last().is_some_and(|last| last.ident == name)
}

/// Whether the tokens of a macro declare the world.
fn declares(tokens: &TokenStream, world: &str) -> bool {
    let mut before = String::new();
    tokens.clone().into_iter().any(|tree| {
        let TokenTree::Ident(ident) = tree else { return false };
        let ident = text(&ident);
        let found = before == "struct" && ident == world;
        before = ident;
        found
    })
}

fn is_system(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| is_last(attribute.path(), "system"))
}

/// Whether no attribute changes what the function is.
pub(super) fn are_inert(attributes: &[Attribute]) -> bool {
    const INERT: &[&str] =
        &["doc", "allow", "expect", "warn", "deny", "inline", "cold", "must_use", "track_caller"];
    attributes.iter().all(|attribute| INERT.iter().any(|inert| attribute.path().is_ident(inert)))
}
