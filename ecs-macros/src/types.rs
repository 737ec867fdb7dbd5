//! Searches for `impl Trait` and macros inside a type.

use syn::visit::{self, Visit};
use syn::{Type, TypeImplTrait, TypeMacro};

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
