//! Tests every macro with inputs that are nearly valid. Valid and refused programs of the tests and
//! the examples are the corpus; their tokens are deleted, doubled, swapped, replaced, wrapped and
//! cut, always the same way for the same seed.
//!
//! The claims: a macro never panics, its expansion parses as items, the expansion of a derive is
//! never empty, and that of `#[system]` keeps the function.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::visit::{self, Visit};

use crate::names::source;
use crate::stages;

/// The number of mutated inputs for each macro. `ECS_FUZZ=100000` sets another number,
/// `ECS_FUZZ_ONLY=world` tests one macro.
const INPUTS: usize = 500;

/// An input: the arguments of an attribute, and the item or the tokens of the call.
type Input = (TokenStream, TokenStream);

struct Macro {
    name: &'static str,
    expand: fn(Input) -> TokenStream,
    /// Whether `rustc` calls it for items only.
    of_items: bool,
}

const MACROS: [Macro; 16] = [
    derive("Component", |(_, item)| stages::component(item)),
    derive("Relation", |(_, item)| stages::relation(item)),
    derive("Resource", |(_, item)| stages::resource(item)),
    derive("Event", |(_, item)| stages::event(item)),
    derive("Reflect", |(_, item)| stages::reflect(item)),
    derive("Bundle", |(_, item)| stages::bundle(item)),
    derive("Aspect", |(_, item)| stages::aspect(item)),
    derive("MetaAspect", |(_, item)| stages::meta_aspect(item)),
    derive("States", |(_, item)| stages::states(item)),
    derive("Query", |(_, item)| stages::query(item)),
    derive("SystemParam", |(_, item)| stages::system_param(item)),
    Macro { name: "system", expand: |(arguments, item)| stages::system(arguments, item), of_items: true },
    call("world", |(_, tokens)| stages::world(tokens)),
    call("parts", |(_, tokens)| stages::parts(tokens)),
    call("components_from", |(_, tokens)| stages::components_from(tokens)),
    call("including", |(world, tokens)| {
        if world.is_empty() { stages::including_world(tokens) } else { stages::including_parts(tokens) }
    }),
];

const fn derive(name: &'static str, expand: fn(Input) -> TokenStream) -> Macro {
    Macro { name, expand, of_items: true }
}

const fn call(name: &'static str, expand: fn(Input) -> TokenStream) -> Macro {
    Macro { name, expand, of_items: false }
}

#[test]
fn mutated_inputs_never_panic_and_always_expand_to_items() {
    let inputs = std::env::var("ECS_FUZZ").ok().and_then(|count| count.parse().ok()).unwrap_or(INPUTS);
    let corpus = Corpus::read();
    let mut failures = Vec::new();
    let only = std::env::var("ECS_FUZZ_ONLY").ok();
    for of in MACROS.iter().filter(|of| only.as_ref().is_none_or(|only| only == of.name)) {
        let seeds = corpus.of(of.name);
        assert!(seeds.len() >= 8, "{}: {} inputs in the corpus", of.name, seeds.len());
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
        let mutants = (0..inputs).map(|_| mutated(&seeds, &corpus.words, &mut dice));
        failures.extend(seeds.iter().cloned().chain(mutants).filter_map(|input| wrong(of, input)).take(5));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// The claim that the expansion of `input` breaks, if any.
fn wrong(of: &Macro, input: Input) -> Option<String> {
    let shown = format!("{}: #[({})] {}", of.name, input.0, input.1);
    let item = input.1.to_string();
    if of.of_items && syn::parse2::<syn::Item>(input.1.clone()).is_err() {
        return None;
    }
    let Ok(expansion) = catch_unwind(AssertUnwindSafe(|| (of.expand)(input))) else {
        return Some(format!("panics: {shown}"));
    };
    match syn::parse2::<syn::File>(expansion.clone()) {
        Err(error) => Some(format!("does not parse, {error}: {shown}")),
        Ok(file) if of.of_items && file.items.is_empty() => {
            Some(format!("neither items nor messages: {shown}"))
        }
        Ok(_) if of.name == "system" && !names_function(&expansion, &item) => {
            Some(format!("the function is gone: {shown}"))
        }
        Ok(_) => None,
    }
}

/// Whether the name of the function in `item` is among the tokens.
fn names_function(expansion: &TokenStream, item: &str) -> bool {
    match syn::parse_str::<syn::ItemFn>(item) {
        Ok(function) => source(expansion).contains(&function.sig.ident.to_string()),
        Err(_) => true,
    }
}

/// The inputs in the programs of the tests and examples, and the tokens that replace others.
struct Corpus {
    inputs: Vec<(String, Input)>,
    words: Vec<TokenTree>,
}

impl Corpus {
    fn read() -> Self {
        let mut corpus = Self { inputs: Vec::new(), words: words() };
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for folder in ["tests/ui", "tests/behaviour", "tests/acceptance", "tests/parts-library", "examples"] {
            corpus.read_folder(&root.join(folder));
        }
        for (name, text) in MORE.lines().filter_map(|line| line.split_once(": ")) {
            corpus.add(name, TokenStream::new(), text.parse().expect("lexes"));
        }
        corpus
    }

    fn read_folder(&mut self, folder: &Path) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                self.read_folder(&path);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && let Ok(text) = std::fs::read_to_string(&path)
                && let Ok(file) = syn::parse_file(&text)
            {
                self.visit_file(&file);
            }
        }
    }

    /// Adds an input to the corpus if it is short, so that a mutation often hits a token that the
    /// macro reads.
    fn add(&mut self, name: &str, arguments: TokenStream, tokens: TokenStream) {
        if tokens.to_string().len() < 1500 {
            self.inputs.push((name.to_owned(), (arguments, tokens)));
        }
    }

    fn of(&self, name: &str) -> Vec<Input> {
        self.inputs.iter().filter(|(of, _)| of == name).map(|(_, input)| input.clone()).collect()
    }
}

impl<'a> Visit<'a> for Corpus {
    fn visit_item(&mut self, item: &'a syn::Item) {
        match item {
            syn::Item::Struct(item) => self.derives(&item.attrs, item.to_token_stream()),
            syn::Item::Enum(item) => self.derives(&item.attrs, item.to_token_stream()),
            syn::Item::Union(item) => self.derives(&item.attrs, item.to_token_stream()),
            syn::Item::Fn(item) => self.system(item),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        let name = call.path.segments.last().expect("a path has a name").ident.to_string();
        if ["world", "parts", "components_from"].contains(&name.as_str()) {
            self.add(&name, TokenStream::new(), call.tokens.clone());
        }
    }
}

impl Corpus {
    fn derives(&mut self, attributes: &[syn::Attribute], item: TokenStream) {
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
            let tokens = attribute.meta.require_list().map(|list| list.tokens.clone()).unwrap_or_default();
            for tree in tokens {
                self.add(&tree.to_string(), TokenStream::new(), item.clone());
            }
        }
    }

    fn system(&mut self, item: &syn::ItemFn) {
        let Some(at) = item.attrs.iter().position(|attribute| attribute.path().is_ident("system")) else {
            return;
        };
        let arguments = item.attrs[at].meta.require_list().map(|list| list.tokens.clone());
        let mut item = item.clone();
        item.attrs.remove(at);
        self.add("system", arguments.unwrap_or_default(), item.to_token_stream());
    }
}

/// Inputs for features that the programs do not use, each behind the name of its macro.
const MORE: &str = r###"
Component: #[component(requires(Velocity(1.0)))] struct A(u8);
Component: #[component(excludes(A,,))] struct A(u8);
Component: #[component(alias("a" "b"), from(A, B), skip, crate = a::b)] struct A(u8);
Component: #[component(requires(A<B, 3>), removed = 3, index = name, key = 0)] struct A { name: u8 }
Component: #[component(deref, tracked)] struct A<'a, T: Copy + 'a = u8, const N: usize = 3>(&'a [T; N]) where T: Send;
Relation: #[relation(exclusive, gone = cascade, symmetric, acyclic)] struct A<T>(T, #[target] Entity);
Relation: #[relation(many)] #[component(deref, removed)] struct A { to: Entity }
Relation: #[relation(many, gone = mark(B<T>))] struct A<T>(Entity, T);
Relation: #[relation(exclusive, gone = mark(B), target(C<T>, D))] struct A<T>(Entity, T);
Resource: #[resource(crate = a, alias = "B", skip)] enum A<T> { B(T), C { d: u8 }, E = 3 }
Event: #[event(crate = a, alias("B"))] struct A;
Reflect: #[reflect(crate = a, rename = "B", check = c)] struct A<T> { #[reflect(skip)] d: T, #[reflect(default = e, rename = "f")] g: u8 }
Reflect: #[repr(packed)] #[serde(skip)] struct A<'a, const N: usize>(#[reflect(skip, default = b::<N>)] [&'a C; N], D);
Reflect: #[reflect(Component, Default)] union A { #[serde(default = "b")] c: u8, r#type: D }
Reflect: #[reflect(check = Self::a)] enum A<T: ?Sized, const N: usize> where T: B { C(Box<T>), D = 3 }
Reflect: #[reflect(rename("B"), Debug, @c)] struct A(fn(&B) -> C, #[reflect] D);
Reflect: struct A { #[reflect(skip, rename = "b")] #[serde(flatten, rename = "c")] d: (B, C) }
Reflect: enum A {}
Reflect: enum A { #[reflect(rename = "B")] B, C(u8, #[reflect(skip, default = d)] u16), E { f: A } }
Bundle: #[bundle(crate = a)] struct A<T>(T, (B, C), r#type) where T: Copy;
Aspect: struct A { #[aspect(.a.0.1 = 3, .b = { c })] #[aspect(.d = B { c: 1 })] a: B, #[aspect(default = a())] b: C }
Bundle: struct A<_>(B);
Component: struct A<_, const N: usize>(u8);
Resource: struct A<_>(u8);
Query: struct A<'a, _> { b: &'a B }
Aspect: enum A<_> {}
Relation: #[relation(one, gone = cascade(A))] struct A(Option<Entity>);
Component: #[relation(exclusive)] #[component(on_add = b)] struct A(Entity);
Aspect: struct A { #[aspect(a.b.c = 3, d.e)] a: Option<B>, c: D }
Bundle: struct A<T: Copy> { a: Option<B>, c: T }
system: fn a<_>(b: &B) {}
system: fn a<W>(b: Commands, c: Commands<World>, d: Commands<W>, e: Commands<Game>, f: Commands<'_>) {}
system: fn a(b: ParamSet<(Query<&B>, Query<&C>)>, c: Single<&B, With<C>>, d: Children, e: Has<B>, f: On<D>) {}
system: fn a(b: Query<(Has<B>, Option<C>, Is<B, C>), Or<With<B>, Not<C, D>>>, c: Res<B, C>, _: With<B, C>) {}
system: fn a(b: Query<&B, !With<C>>, c: Query<&B, (!Changed<C>, !Or<(With<D>,)>)>) {}
world: struct A { components { pub B, pub(crate) c: C } events { external D, E } } schedule b { |c| d, (e, f).chain(), "g" if not(h), i if j and k || all(l, not(m)), n -> o | p { q }, if r { s } }
MetaAspect: #[aspect(crate = a)] enum A<T> { B(C), D(T), E { f: G }, H }
States: #[states(within = d::E, module = b, crate = a)] pub(in a::b) enum A { #[state(to(C, A))] B, #[state(to())] C, A }
States: #[states(module)] enum A<T> { #[state(to = B, from)] B(T), #[state] C {} }
SystemParam: #[system_param(crate = a)] struct A<'a, 'b: 'a, T: B = C, const N: usize = 1> where T: D { a: Query<'a, &'static mut B, With<T>>, b: (Res<'a, C>, Local<'b, [u8; N]>), r#type: Option<Single<'a, E>>, f: ParamSet<'a, (Query<'static, F>, Query<'static, G>)> }
SystemParam: struct A<'w>(B<'w>, Res<'static, C>, &'w D, With<E>, u8);
Query: #[query(crate = a)] struct A<'a, T: B = C> { a: &'a mut B, b: (Ref<'a, T>, Option<Mut<'a, D>>), r#type: Is<E> }
world: #![crate = a] #[doc = " A"] #[derive(Clone, Serialize, Deserialize)] pub(crate) struct A { include a::b { c as d }; components { a: B, C<D, 3>, #[cfg(e)] F } resources { G = h(1), i: J } events { K(external, keep = 3, full = oldest) } } #[cfg(l)] schedule m -> Result every N { o, p::<q> if !r && (s || t); react { u if v, include w } max 8; x }
world: struct A { #[cfg(a)] include b::<C, 3> as d { e as f(external) = g(1), H(keep = 3) }; } schedule i { #[cfg(a)] include j::<C> { before k { l; m if n } after o::<P> { include q } } }
world: struct A { components {} resources {} events {} } schedule b {}
world: struct A { components { B } } #[doc = " C"] observers { #[cfg(d)] e, f::<g> if !h, include i } max 3 schedule j { e; f }
world: struct A { components { self, super::B } resources { a: self<C<u32>>, crate } events { crate::self } }
parts: #![crate = a] #[doc = " A"] pub b { needs c; components { d: E, F<G> } resources { h: I = j(k), L } events { M(keep = 3) } schedule n { o if p; q } }
parts: a { components { A } } 
parts: a<T: B = C, U, const N: usize = 3> where U: Component { components { D<T> } resources { E<U> = f() } schedule g { h::<T, N> } }
parts: pub(in a::b) a { needs b::c { d as e }; schedule f -> Result { g } }
parts: a { resources { B = 3 } events { C(external) } }
components_from: "../tests/data/components.json"
components_from: #![crate = a] #[derive(Clone, Default)] pub "../tests/data/components.json", "../tests/data/meta.json"
components_from: #[component(tracked)] #[cfg(a)] pub(crate) "../tests/data/meta.json"
including: {} { { parts { components { c: C, } resources {} events {} } } { schedule { x; y if z, } } } struct A { include a; } schedule b { include c; d }
including: {} { { parts { resources { r: R = (), } } } } struct A { include a::b { r as s }; components { c: D } }
including: {} { { schedule { x, react { y } max 3; } } } #[derive(Clone)] struct A {} schedule b { react { include c } max 2 }
including: {} {} struct A { include a; }
including: {} { { parts { components { C<T>, x: T } events { E } } { id [T, U = {G<H>}] [_, other 3] } } { schedule { x; y, f::<T> if z } { id2 [T] [] } } { left_out {} } } struct A { include a::<B> as m { C as c, E(keep = 3) }; } schedule b { include c::<B> { before x { d } after y { e; g if h } }; #[cfg(i)] include j }
including: {} { { parts { resources { R = () } } { id [] [o 1] } } { parts { resources { R = () } } { id3 [] [o 1] } } } a<T: Component, const N: usize = 3> { include b { R as s }; needs c; components { D<T, N> } schedule e { f::<T>, g } }
including: {} { { parts { components { c: C, } } } { parts { components { c: C, } } } } struct A { include a; include b; }
including: {} { { parts { events { e: E(external, keep = 3), } } } } struct A { include a; } 
including: { {a} } { { parts { components { } } } } struct A { include a; components { x: Y } }
including: {} { { schedule { } } } struct A { } schedule tick { include c if d, include e; }
"###;

/// Words, signs and groups of the macros and of Rust.
fn words() -> Vec<TokenTree> {
    let text = "struct enum union fn pub crate self Self super _ as if mut dyn impl for where unsafe async const static \
        type schedule observers include needs react max every components resources events Result Option Entity Query With Without \
        Or And Not Changed Added Res ResMut Commands Local World Game Many Each Is Ref Mut requires excludes deref tracked \
        removed unique index key alias from skip external keep full oldest exclusive many gone symmetric acyclic cascade \
        target aspect component default par init system derive cfg ParamSet Single Children Has On Commands not and one r#type r#match __world __entities __schedule_states A B u32 bool \
        0 1 3 1.0 0.1 -1 99999999999999999999 1u8 \"a\" 'a' b\"a\" 'a 'static '_ , , , ; ; : :: = == => -> < > << >> & && | || ! . .. ... \
        ..= + - * / % ^ ? @ # $ ~ () {} [] (A) (,) {A} {A,} [A] <A> (A, B) #[a] #![a] #[cfg(a)] #[doc = \"a\"] &'a mut A \
        A<B> fn(A) -> B (()) ((A)) a!() a![] !";
    let tokens: TokenStream = text.parse().expect("lexes");
    tokens.into_iter().collect()
}

/// One of the inputs, changed in one to four places.
fn mutated(seeds: &[Input], words: &[TokenTree], dice: &mut Dice) -> Input {
    let (mut arguments, mut tokens) = seeds[dice.below(seeds.len())].clone();
    for _ in 0..=dice.below(4) {
        if !arguments.is_empty() && dice.below(3) == 0 {
            arguments = changed(arguments, words, dice);
        } else {
            tokens = changed(tokens, words, dice);
        }
    }
    (arguments, tokens)
}

/// The tokens with one change, at any depth.
fn changed(tokens: TokenStream, words: &[TokenTree], dice: &mut Dice) -> TokenStream {
    let mut trees: Vec<TokenTree> = tokens.into_iter().collect();
    let groups: Vec<usize> =
        (0..trees.len()).filter(|&at| matches!(&trees[at], TokenTree::Group(_))).collect();
    if !groups.is_empty() && dice.below(4) != 0 {
        let at = groups[dice.below(groups.len())];
        if let TokenTree::Group(group) = &trees[at] {
            let inner = changed(group.stream(), words, dice);
            trees[at] = Group::new(group.delimiter(), inner).into();
        }
        return trees.into_iter().collect();
    }
    let word = words[dice.below(words.len())].clone();
    if trees.is_empty() {
        return word.into();
    }
    let at = dice.below(trees.len());
    match dice.below(10) {
        0 => drop(trees.remove(at)),
        1 => trees.insert(at, trees[at].clone()),
        2 => {
            let other = dice.below(trees.len());
            trees.swap(at, other);
        }
        3 | 4 => trees[at] = word,
        5 | 6 => trees.insert(at, word),
        7 => {
            let delimiters = [Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket, Delimiter::None];
            let end = at + 1 + dice.below((trees.len() - at).min(5));
            let inner: TokenStream = trees.drain(at..end).collect();
            trees.insert(at, Group::new(delimiters[dice.below(4)], inner).into());
        }
        8 => {
            if let TokenTree::Group(group) = trees.remove(at) {
                trees.splice(at..at, group.stream());
            }
        }
        _ => trees.truncate(at),
    }
    trees.into_iter().collect()
}

/// A random number generator (xorshift): the same seed gives the same numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % end
    }
}

#[test]
fn a_wrong_entry_of_an_option_names_the_expected_item() {
    use super::messages;
    for (options, part) in [
        (quote!(requires(1.0)), "`requires` lists"),
        (
            quote!(excludes(A(1))),
            "`excludes` lists types of components: `excludes(Frozen, Burning)`, found `A(1)`",
        ),
        (quote!(excludes(A, , B)), "found `,`"),
        (quote!(requires(A B)), "found `A B`"),
        (quote!(alias("a" "b")), "`alias` lists strings"),
        (quote!(from(A, 3)), "`from` lists types"),
        (quote!(requires[A]), "written in parentheses"),
    ] {
        let reported = messages(stages::component(quote!(
            #[component(#options, tracked)]
            struct X(u8);
        )));
        let reported: Vec<_> =
            reported.iter().filter(|reported| !reported.contains("enable the feature `serde`")).collect();
        assert!(reported.len() == 1 && reported[0].contains(part), "{options}: {reported:?}");
    }
    let known = "#[component(requires(Pair<A, B>, (C, D),), excludes(E))] struct X(u8);";
    super::clean(stages::component(super::tokens(known)));
}
