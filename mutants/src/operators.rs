//! What a place is replaced by: those of cargo-mutants, without `+` to `*` and the like, which tests of numbers never miss.

use syn::{BinOp, GenericArgument, PathArguments, ReturnType, Type, UnOp};

/// The operator as written, and what takes its place.
pub fn of_binary(operator: &BinOp) -> Option<(&'static str, &'static [&'static str])> {
    Some(match operator {
        BinOp::Add(_) => ("+", &["-"]),
        BinOp::Sub(_) => ("-", &["+"]),
        BinOp::Mul(_) => ("*", &["+", "/"]),
        BinOp::Div(_) => ("/", &["*"]),
        BinOp::Rem(_) => ("%", &["/"]),
        BinOp::AddAssign(_) => ("+=", &["-="]),
        BinOp::SubAssign(_) => ("-=", &["+="]),
        BinOp::MulAssign(_) => ("*=", &["+=", "/="]),
        BinOp::DivAssign(_) => ("/=", &["*="]),
        BinOp::RemAssign(_) => ("%=", &["/="]),
        BinOp::And(_) => ("&&", &["||"]),
        BinOp::Or(_) => ("||", &["&&"]),
        BinOp::Eq(_) => ("==", &["!="]),
        BinOp::Ne(_) => ("!=", &["=="]),
        BinOp::Lt(_) => ("<", &["<=", ">", "=="]),
        BinOp::Gt(_) => (">", &[">=", "<", "=="]),
        BinOp::Le(_) => ("<=", &[">"]),
        BinOp::Ge(_) => (">=", &["<"]),
        BinOp::BitAnd(_) => ("&", &["|"]),
        BinOp::BitOr(_) => ("|", &["&"]),
        BinOp::BitXor(_) => ("^", &["|"]),
        BinOp::Shl(_) => ("<<", &[">>"]),
        BinOp::Shr(_) => (">>", &["<<"]),
        BinOp::BitAndAssign(_) => ("&=", &["|="]),
        BinOp::BitOrAssign(_) => ("|=", &["&="]),
        BinOp::BitXorAssign(_) => ("^=", &["|="]),
        BinOp::ShlAssign(_) => ("<<=", &[">>="]),
        BinOp::ShrAssign(_) => (">>=", &["<<="]),
        _ => return None,
    })
}

/// The unary operators that are left out.
pub fn of_unary(operator: &UnOp) -> Option<&'static str> {
    match operator {
        UnOp::Neg(_) => Some("-"),
        UnOp::Not(_) => Some("!"),
        _ => None,
    }
}

/// What a function returns at once instead of running its body. Not all of them compile; the compiler says which.
pub fn of_body(output: &ReturnType) -> Vec<String> {
    match output {
        ReturnType::Default => vec![String::new()],
        ReturnType::Type(_, ty) => values(ty),
    }
}

fn values(ty: &Type) -> Vec<String> {
    let texts = |all: &[&str]| all.iter().map(ToString::to_string).collect();
    match ty {
        Type::Tuple(tuple) if tuple.elems.is_empty() => texts(&["()"]),
        Type::Tuple(_) | Type::Array(_) => texts(&["Default::default()"]),
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return Vec::new() };
            let inner = || match &last.arguments {
                PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
                    Some(GenericArgument::Type(ty)) => values(ty),
                    _ => Vec::new(),
                },
                _ => Vec::new(),
            };
            match last.ident.to_string().as_str() {
                "bool" => texts(&["true", "false"]),
                "f64" | "f32" => texts(&["0.0", "1.0", "-1.0"]),
                "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => texts(&["0", "1", "-1"]),
                "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => texts(&["0", "1"]),
                name @ ("S" | "T") => [0.0, 1.0]
                    .iter()
                    .map(|value| format!("<{name} as jourdain_symbolic::Scalar>::from_f64({value:?})"))
                    .collect(),
                "Option" => {
                    [String::from("None")].into_iter().chain(inner().iter().map(|v| format!("Some({v})"))).collect()
                }
                "Vec" => {
                    [String::from("vec![]")].into_iter().chain(inner().iter().map(|v| format!("vec![{v}]"))).collect()
                }
                "Result" => inner().iter().map(|v| format!("Ok({v})")).collect(),
                // Texts are for people.
                "String" => Vec::new(),
                _ => texts(&["Default::default()"]),
            }
        }
        _ => Vec::new(),
    }
}
