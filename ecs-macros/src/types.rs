//! Searches inside a type: for `impl Trait`, macros, paths and references.

use syn::visit::{self, Visit};
use syn::{Type, TypeImplTrait, TypeMacro, TypeReference};

/// The first `impl Trait` in a type.
pub(crate) fn find_impl(ty: &Type) -> Option<&TypeImplTrait> {
    struct Find<'a>(Option<&'a TypeImplTrait>);
    impl<'a> Visit<'a> for Find<'a> {
        fn visit_type_impl_trait(&mut self, found: &'a TypeImplTrait) {
            self.0.get_or_insert(found);
            visit::visit_type_impl_trait(self, found);
        }
    }
    let mut find = Find(None);
    find.visit_type(ty);
    find.0
}

/// The first macro in a type.
pub(crate) fn find_macro(ty: &Type) -> Option<&TypeMacro> {
    struct Find<'a>(Option<&'a TypeMacro>);
    impl<'a> Visit<'a> for Find<'a> {
        fn visit_type_macro(&mut self, found: &'a TypeMacro) {
            self.0.get_or_insert(found);
        }
    }
    let mut find = Find(None);
    find.visit_type(ty);
    find.0
}

/// The types in a type that are paths, from the outside.
pub(crate) fn paths(ty: &Type) -> Vec<&Type> {
    struct Find<'a>(Vec<&'a Type>);
    impl<'a> Visit<'a> for Find<'a> {
        fn visit_type(&mut self, ty: &'a Type) {
            if let Type::Path(_) = ty {
                self.0.push(ty);
            }
            visit::visit_type(self, ty);
        }
    }
    let mut find = Find(Vec::new());
    find.visit_type(ty);
    find.0
}

/// The references in a type.
pub(crate) fn references(ty: &Type) -> Vec<&TypeReference> {
    struct Find<'a>(Vec<&'a TypeReference>);
    impl<'a> Visit<'a> for Find<'a> {
        fn visit_type_reference(&mut self, found: &'a TypeReference) {
            self.0.push(found);
        }
    }
    let mut find = Find(Vec::new());
    find.visit_type(ty);
    find.0
}
