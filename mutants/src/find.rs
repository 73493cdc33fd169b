//! Places of a source file where a mutant lives, and what it does there.
//!
//! Tests, constants, patterns, types, texts for people and macros with repetitions are passed over: a mutant there cannot be switched while
//! the program runs, or says nothing. Trap: a place inside an operand of another is nested, and [`Place`]s come in the order
//! outer first.

use crate::operators;
use proc_macro2::TokenTree;
use std::fmt;
use std::ops::Range;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Signature, Token};

/// One change of the program.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// From 0, over all files.
    pub number: usize,
    /// File, from the folder of sources.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Module, type and function.
    pub function: String,
    /// What stands there.
    pub original: String,
    /// What the mutant has instead.
    pub mutated: String,
}

impl fmt::Display for Mutant {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, function, original, mutated, .. } = self;
        write!(out, "{file}:{line}: {function}: {original} → {mutated}")
    }
}

/// How the switch is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An expression that is one of several.
    Expression,
    /// A return before everything else.
    Return,
    /// A new guard behind a pattern.
    Guard,
}

/// Where one or several mutants live.
#[derive(Clone, Debug)]
pub struct Place {
    /// Bytes of the file; empty where text is only put in.
    pub range: Range<usize>,
    /// How the switch is written.
    pub form: Form,
    /// Numbers of mutants, and the code of each.
    pub choices: Vec<(usize, String)>,
}

/// Appends the mutants of the file `text`, numbered on, and gives their places.
pub fn find(file: &str, text: &str, mutants: &mut Vec<Mutant>) -> Result<Vec<Place>, syn::Error> {
    let syntax = syn::parse_file(text)?;
    let module = file.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::");
    let mut finder = Finder { file, text, path: vec![module], mutants, places: Vec::new() };
    finder.visit_file(&syntax);
    Ok(finder.places)
}

struct Finder<'a> {
    file: &'a str,
    text: &'a str,
    path: Vec<String>,
    mutants: &'a mut Vec<Mutant>,
    places: Vec<Place>,
}

/// Whether an item is for tests only.
fn of_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|word| word == "test")
    })
}

/// White space made one space each, and what is long cut off at the front or at the back.
fn head(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() > 60 { words.chars().take(57).chain("…".chars()).collect() } else { words }
}

fn tail(text: &str) -> String {
    let reversed: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().rev().collect();
    head(&reversed).chars().rev().collect()
}

/// `let` in a condition binds names: such a condition stays as it is.
fn binds(expression: &Expr) -> bool {
    struct Lets(bool);
    impl<'a> Visit<'a> for Lets {
        fn visit_expr_let(&mut self, _: &'a syn::ExprLet) {
            self.0 = true;
        }
        fn visit_block(&mut self, _: &'a syn::Block) {}
        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
    }
    let mut lets = Lets(false);
    lets.visit_expr(expression);
    lets.0
}

impl Finder<'_> {
    fn source(&self, node: &impl Spanned) -> &str {
        &self.text[node.span().byte_range()]
    }

    /// Looks at what was parsed just now; the walk of the file borrows for as long as that lives.
    fn inside(&mut self, look: impl FnOnce(&mut Finder<'_>)) {
        let mut finder = Finder {
            file: self.file,
            text: self.text,
            path: self.path.clone(),
            mutants: self.mutants,
            places: std::mem::take(&mut self.places),
        };
        look(&mut finder);
        self.places = finder.places;
    }

    fn place(&mut self, at: Range<usize>, form: Form, line: usize, choices: Vec<(String, String, String)>) {
        let mut numbered = Vec::new();
        for (code, original, mutated) in choices {
            let number = self.mutants.len();
            let function = self.path.join("::");
            self.mutants.push(Mutant { number, file: self.file.into(), line, function, original, mutated });
            numbered.push((number, code));
        }
        if !numbered.is_empty() {
            self.places.push(Place { range: at, form, choices: numbered });
        }
    }

    /// A function: its body left out, then what is in it.
    fn function(&mut self, attributes: &[Attribute], signature: &Signature, block: &syn::Block) {
        if of_tests(attributes) || signature.constness.is_some() || signature.unsafety.is_some() {
            return;
        }
        self.path.push(signature.ident.to_string());
        if !block.stmts.is_empty() {
            let whole = head(self.source(block));
            let choices = operators::of_body(&signature.output)
                .into_iter()
                .filter(|value| whole != format!("{{ {value} }}"))
                .map(|value| (value.clone(), String::from("body"), format!("return {value}").trim_end().into()))
                .collect();
            let start = block.brace_token.span.open().byte_range().end;
            self.place(start..start, Form::Return, signature.span().start().line, choices);
        }
        self.visit_block(block);
        self.path.pop();
    }
}

/// `|name| { statements } name = formula; …`, the way tables of formulas are written here.
struct Formulas {
    prelude: Option<syn::Block>,
    formulas: Vec<(syn::Ident, Expr)>,
}

impl Parse for Formulas {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut prelude = None;
        if input.parse::<Option<Token![|]>>()?.is_some() {
            input.parse::<syn::Ident>()?;
            input.parse::<Token![|]>()?;
            prelude = Some(input.parse()?);
        }
        let mut formulas = Vec::new();
        while !input.is_empty() {
            let name = input.parse()?;
            input.parse::<Token![=]>()?;
            formulas.push((name, input.parse()?));
            input.parse::<Token![;]>()?;
        }
        Ok(Self { prelude, formulas })
    }
}

/// The body of a macro as code that can be parsed, everything in its old place: `$name` becomes `_name`, what is around it blanks.
fn legible(text: &str, open: &Range<usize>, close: &Range<usize>) -> String {
    let before = text[..open.end].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' });
    before.chain(text[open.end..close.start].chars().map(|c| if c == '$' { '_' } else { c })).collect()
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        if !of_tests(&item.attrs) {
            self.path.push(item.ident.to_string());
            visit::visit_item_mod(self, item);
            self.path.pop();
        }
    }

    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        let name =
            item.trait_.as_ref().and_then(|(_, path, _)| path.segments.last()).map(|last| last.ident.to_string());
        if of_tests(&item.attrs) || matches!(name.as_deref(), Some("Display" | "Debug" | "Error" | "Default")) {
            return;
        }
        let own = match &*item.self_ty {
            syn::Type::Path(path) => path.path.segments.last().map_or_else(String::new, |last| last.ident.to_string()),
            other => head(self.source(other)),
        };
        self.path.push(own);
        visit::visit_item_impl(self, item);
        self.path.pop();
    }

    fn visit_item_trait(&mut self, item: &'a syn::ItemTrait) {
        self.path.push(item.ident.to_string());
        visit::visit_item_trait(self, item);
        self.path.pop();
    }

    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'a syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.attrs, &item.sig, block);
        }
    }

    fn visit_expr_binary(&mut self, node: &'a syn::ExprBinary) {
        if !(binds(&node.left) || binds(&node.right))
            && let Some((operator, others)) = operators::of_binary(&node.op)
        {
            let (left, right) = (self.source(&node.left).to_owned(), self.source(&node.right).to_owned());
            let (before, after) = (tail(&left), head(&right));
            let assigns = operator.ends_with('=') && !matches!(operator, "==" | "!=" | "<=" | ">=");
            let choices = others
                .iter()
                .map(|other| {
                    let code =
                        if assigns { format!("{left} {other} {right}") } else { format!("({left}) {other} ({right})") };
                    (code, format!("{before} {operator} {after}"), format!("{before} {other} {after}"))
                })
                .collect();
            self.place(node.span().byte_range(), Form::Expression, node.op.span().start().line, choices);
        }
        visit::visit_expr_binary(self, node);
    }

    fn visit_expr_unary(&mut self, node: &'a syn::ExprUnary) {
        if let Some(operator) = operators::of_unary(&node.op)
            && !binds(&node.expr)
        {
            let inner = self.source(&node.expr).to_owned();
            let short = head(&inner);
            let choices = vec![(inner, format!("{operator}{short}"), short)];
            self.place(node.span().byte_range(), Form::Expression, node.span().start().line, choices);
        }
        visit::visit_expr_unary(self, node);
    }

    fn visit_expr_match(&mut self, node: &'a syn::ExprMatch) {
        self.visit_expr(&node.expr);
        let any = node.arms.iter().position(|arm| matches!(arm.pat, syn::Pat::Wild(_)) && arm.guard.is_none());
        for (index, arm) in node.arms.iter().enumerate() {
            let line = arm.span().start().line;
            let pattern = head(self.source(&arm.pat));
            if let Some((_, guard)) = &arm.guard {
                if !binds(guard) {
                    let text = head(self.source(&**guard));
                    let choices = ["true", "false"]
                        .map(|value| (value.into(), format!("{pattern} if {text}"), format!("{pattern} if {value}")));
                    self.place(guard.span().byte_range(), Form::Expression, line, choices.into());
                }
                self.visit_expr(guard);
            } else if any.is_some_and(|any| index < any) {
                let end = arm.pat.span().byte_range().end;
                let choices =
                    vec![(String::new(), format!("{pattern} => {}", head(self.source(&*arm.body))), "no arm".into())];
                self.place(end..end, Form::Guard, line, choices);
            }
            self.visit_expr(&arm.body);
        }
    }

    /// Lists, and tables of formulas.
    fn visit_macro(&mut self, node: &'a syn::Macro) {
        if node.path.is_ident("vec")
            && let Ok(list) = node.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated)
        {
            list.iter().for_each(|expression| self.inside(|finder| finder.visit_expr(expression)));
        } else if let Ok(Formulas { prelude, formulas }) = node.parse_body() {
            self.path.push(format!("{}!", self.source(&node.path)));
            if let Some(block) = &prelude {
                self.inside(|finder| finder.visit_block(block));
            }
            for (name, expression) in &formulas {
                self.path.push(name.to_string());
                self.inside(|finder| finder.visit_expr(expression));
                self.path.pop();
            }
            self.path.pop();
        }
    }

    /// What a macro is replaced by, where it has no repetitions.
    fn visit_item_macro(&mut self, item: &'a syn::ItemMacro) {
        let Some(name) = item.ident.as_ref().filter(|_| item.mac.path.is_ident("macro_rules")) else {
            return self.visit_macro(&item.mac);
        };
        self.path.push(format!("{name}!"));
        let mut after_arrow = false;
        for token in item.mac.tokens.clone() {
            match &token {
                TokenTree::Group(body) if after_arrow => {
                    let text = legible(self.text, &body.span_open().byte_range(), &body.span_close().byte_range());
                    if let Ok(file) = syn::parse_file(&text) {
                        self.inside(|finder| finder.visit_file(&file));
                    } else if let Ok(block) = Parser::parse_str(syn::Block::parse_within, &text) {
                        self.inside(|finder| block.iter().for_each(|statement| finder.visit_stmt(statement)));
                    }
                    after_arrow = false;
                }
                TokenTree::Punct(mark) => after_arrow = mark.as_char() == '>',
                _ => {}
            }
        }
        self.path.pop();
    }

    fn visit_expr_repeat(&mut self, node: &'a syn::ExprRepeat) {
        self.visit_expr(&node.expr);
    }

    fn visit_expr_const(&mut self, _: &'a syn::ExprConst) {}
    fn visit_item_const(&mut self, _: &'a syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'a syn::ItemStatic) {}
    fn visit_item_enum(&mut self, _: &'a syn::ItemEnum) {}
    fn visit_impl_item_const(&mut self, _: &'a syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'a syn::TraitItemConst) {}
    fn visit_pat(&mut self, _: &'a syn::Pat) {}
    fn visit_type(&mut self, _: &'a syn::Type) {}
    fn visit_generic_argument(&mut self, _: &'a syn::GenericArgument) {}
    fn visit_attribute(&mut self, _: &'a Attribute) {}
}
