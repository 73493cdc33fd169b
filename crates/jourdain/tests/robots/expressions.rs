//! Expressions of xacro files are expressions of Python: they have the values that Python 3.11 gives them, and what is no
//! expression, or has no value, is refused with its reason.

use jourdain::formats::{self, Neighbours};
use jourdain::model::Diagnostic;
use roxmltree::Document;
use std::path::{Path, PathBuf};

/// What `${expression}` stands for, or the error.
fn value_of(expression: &str) -> Result<String, Box<Diagnostic>> {
    let escaped = expression.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let text = format!("<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n<a v=\"${{{escaped}}}\"/></robot>");
    let expansion = formats::expand(text.as_bytes(), Path::new("main.xacro"), &Neighbours(PathBuf::new()));
    let Some(text) = expansion.text else {
        return Err(Box::new(expansion.diagnostics.into_iter().find(Diagnostic::is_error).unwrap()));
    };
    let document = Document::parse(&text).unwrap();
    Ok(document.root_element().first_element_child().unwrap().attribute("v").unwrap().to_owned())
}

#[test]
fn values_are_those_of_python() {
    for (expression, expected) in [
        ("python.complex(1, 2) / python.complex(4, -2)", "0.5j"),
        ("python.complex(1, 2) / python.complex(2, -4)", "(-0.3+0.4j)"),
        ("python.complex(1, 2) / 2", "(0.5+1j)"),
        ("python.complex(3, 4) * python.complex(1, -1) - 1", "(6+1j)"),
        ("python.complex(1, 2) ** 0", "(1+0j)"),
        ("python.complex(0, 0) ** 2", "0j"),
        ("python.complex(1, 2) ** 3", "(-11-2j)"),
        ("python.complex(2, 0) ** -2", "(0.25+0j)"),
        ("'%.12f' % (python.complex(1, 1) ** 0.5).real", "1.098684113468"),
        ("'%.12f' % (python.complex(1, 1) ** python.complex(0.5, 2)).imag", "0.218707904527"),
        ("2 ** python.complex(0, 0)", "(1+0j)"),
        ("-python.complex(1, -2)", "(-1+2j)"),
        ("+python.complex(1, -2)", "(1-2j)"),
        ("+1.5", "1.5"),
        ("python.complex(1, 2).real", "1.0"),
        ("python.complex(1, 2).imag", "2.0"),
        ("python.complex(1, 0) == 1", "True"),
        ("1 == python.complex(1, 2)", "False"),
        ("python.complex(1, 2) == 'a'", "False"),
        ("'no' if python.complex(0, 0) else 'yes'", "yes"),
        ("python.abs(python.complex(3, -4))", "5.0"),
        ("floor(3)", "3"),
        ("ceil(True)", "1"),
        ("trunc(-2.5)", "-2"),
        ("lcm(0, 4)", "0"),
        ("lcm(4, 6)", "12"),
        ("frexp(0.0)", "(0.0, 0)"),
        ("frexp(inf)", "(inf, 0)"),
        ("nextafter(1.0, 2.0) - 1 == ulp(1.0)", "True"),
        ("nextafter(1.0, 0.0)", "0.9999999999999999"),
        ("nextafter(0.5, 0.5)", "0.5"),
        ("nextafter(nan, 1.0)", "nan"),
        ("ulp(-inf)", "inf"),
        ("ulp(1.7976931348623157e308)", "1.99584030953472e+292"),
        ("remainder(7.5, 4)", "-0.5"),
        ("remainder(5, 4)", "1.0"),
        ("remainder(-5, 4)", "-1.0"),
        ("remainder(6, 4)", "-2.0"),
        ("remainder(2.5, inf)", "2.5"),
        ("hypot(-3)", "3.0"),
        ("hypot(0, 0, 0)", "0.0"),
        ("hypot(1, 2, 2)", "3.0"),
        ("hypot(1, inf, 2)", "inf"),
        ("dist([1, 2], [4, 6])", "5.0"),
        (r"'a\nb\r\nc'.splitlines()", "['a', 'b', 'c']"),
        ("'aBc'.swapcase()", "AbC"),
        ("'xxaxx'.lstrip('x')", "axx"),
        ("'xxaxx'.rstrip('x')", "xxa"),
        ("' a b  c d  '.split(None, 2)", "['a', 'b', 'c d  ']"),
        ("' a b  c d  '.rsplit(None, 2)", "[' a b', 'c', 'd']"),
        ("' a b '.rsplit()", "['a', 'b']"),
        ("' a b '.rsplit(None, 2)", "['a', 'b']"),
        ("' a b '.rsplit(None, 0)", "[' a b']"),
        ("' a b '.split(None, 0)", "['a b ']"),
        ("' a '.split(maxsplit=3)", "['a']"),
        ("'   '.split(None, 1)", "[]"),
        ("python.isinstance(True, python.int)", "True"),
        ("python.isinstance(python.complex(1, 2), python.complex)", "True"),
        ("python.isinstance((1, 2), (list, python.tuple))", "True"),
        ("python.isinstance(dict(a=1), dict)", "True"),
        ("'yes' if dict() else 'no'", "no"),
        ("'yes' if dict(a=1) else 'no'", "yes"),
        ("'yes' if math else 'no'", "yes"),
        ("'yes' if sin else 'no'", "yes"),
        ("math == math", "True"),
        ("math == python", "False"),
        ("sin == sin", "True"),
        ("sin == cos", "False"),
        ("[1, 2] < [1, 2, 3]", "True"),
        ("(1, 2) <= (1, 2)", "True"),
        ("(1, 2) * 2", "(1, 2, 1, 2)"),
        ("2 * ('a',)", "('a', 'a')"),
        ("[1] is [1]", "False"),
        ("'b' in dict(a=1, b=2)", "True"),
        ("len(dict(a=1, b=2))", "2"),
        ("(1, 2, 3)[1:]", "(2, 3)"),
        ("'abcd'[::-2]", "db"),
        (
            "dict([(1, 'a'), (2.5, 'b'), (None, 'c'), (True, 'd'), ((1, 'x'), 'e')])",
            "{1: 'd', 2.5: 'b', None: 'c', (1, 'x'): 'e'}",
        ),
        ("dict([((1, 2), 'e')])[(1, 2)]", "e"),
        ("dict([(1.0, 'a')])[1]", "a"),
        ("dict([(2.5, 1)])[2.5]", "1"),
        ("max(*[1, 5, 3])", "5"),
        ("[a + b for (a, b) in [(1, 2), (3, 4)]]", "[3, 7]"),
        ("list(x * 2 for x in [1, 2])", "[2, 4]"),
        ("list()", "[]"),
        ("str() + 'a'", "a"),
        ("float()", "0.0"),
        ("python.list(python.filter(None, [0, 1, '', 'a']))", "[1, 'a']"),
        ("int('0o17', 8)", "15"),
        ("int('0b11', 2)", "3"),
        ("int('0xff', 16)", "255"),
        ("dict(dict(a=1), b=2)", "{'a': 1, 'b': 2}"),
        (r"'a\\b'", r"a\b"),
        (r"'it\'s'", "it's"),
        (r"len('\q')", "2"),
        (r"str(['a\nb', 'c\td', 'e\rf', 'g\\h'])", r"['a\nb', 'c\td', 'e\rf', 'g\\h']"),
        ("'% d|% d' % (5, -5)", " 5|-5"),
        ("'%#d' % 5", "5"),
        ("'%X|%o|%x' % (255, 8, -255)", "FF|10|-ff"),
        ("'%+d' % 5", "+5"),
        ("'%f' % inf", "inf"),
        ("'%5.1f|' % nan", "  nan|"),
        ("0.0 // 5.0", "0.0"),
        ("-0.0 // 5.0", "-0.0"),
        ("6.0 % -3.0", "-0.0"),
        ("6.0 // -7.5", "-1.0"),
        ("2.5 // 5.0", "0.0"),
        ("round(1.26, 1)", "1.3"),
        ("round(1276, -2)", "1300"),
        ("round(1251, -2)", "1300"),
        ("round(1250, -2)", "1200"),
        ("round(1350, -2)", "1400"),
        ("python.sum((x * 2 for x in [1, 2]))", "6"),
        ("python.isinstance(1, (str, float))", "False"),
    ] {
        assert_eq!(value_of(expression).as_deref(), Ok(expected), "{expression}");
    }
}

#[test]
fn what_has_no_value_is_refused_with_its_reason() {
    const TEXTS: &str = "str(…) makes a text, float(…) and int(…) a number";
    for (expression, expected, hint) in [
        // Types that do not go together.
        ("python.complex(1, 2) // 2", "`//` does not go with complex and int", None),
        ("python.complex(1, 2) ** [1]", "`**` does not go with complex and list", None),
        ("python.complex(1, 2) ** 'a'", "`**` does not go with complex and str", Some(TEXTS)),
        ("1.5 << 2", "`<<` does not go with float and int", None),
        ("dict() - 1", "`-` does not go with dict and int", None),
        ("(1, 2) - None", "`-` does not go with tuple and NoneType", None),
        ("1 in 2", "`in` does not go with int and int", None),
        ("+'a'", "`+` cannot stand before a str", None),
        ("~2.5", "`~` cannot stand before a float", None),
        ("len(True)", "a bool has no length", None),
        ("len(math)", "a namespace has no length", None),
        ("python.complex(1, 2).size", "a complex has no `size`", None),
        ("python.abs('a')", "`abs` takes a number, not a str", None),
        ("python.ord('ab')", "`ord` takes one letter, not a str", None),
        ("1(2)", "a int cannot be called", None),
        ("dict([([1], 2)])", "a list cannot be the key of a dict", None),
        ("'%x' % 1.5", "%x takes a whole number, not a float", None),
        // Numbers of arguments and elements.
        ("(lambda x: x)(1, 2)", "a function of 1 arguments is called with 2", None),
        ("[a for a, b in [(1, 2, 3)]]", "3 elements for 2 names", None),
        ("range(1, 2, 3, 4)", "`range` takes 1 to 3 arguments, not 4", None),
        ("floor(1.5, digits=2)", "`floor` has no argument called `digits`", None),
        ("str(1, base=2)", "`str` has no argument called `base`", None),
        ("map()", "`map` takes a function and a list", None),
        ("dist([1], [1, 2])", "`dist` takes two points of the same dimension", None),
        // No value.
        ("python.complex(1, 2) / python.complex(0, 0)", "division by zero", None),
        ("python.complex(0, 0) ** -1", "zero has no negative or complex power", None),
        ("0 ** python.complex(0, 1)", "zero has no negative or complex power", None),
        ("range(1, 2, 0)", "the step of a range is zero", None),
        ("[1, 2][::0]", "the step of a slice is zero", None),
        ("remainder(inf, 2)", "`remainder` has no value there", None),
        // No expression.
        ("[1, 2][]", "the brackets of an index are empty", None),
        ("[1, 2][:::]", "`]` cannot stand here", None),
        ("[a for a of [1]]", "`of` cannot stand here", Some("`for name in list`")),
        (r"'\x41'", r"the escape `\x` is not supported", None),
        ("'a %' % 1", "a `%` at the end of a template", Some("write %% for a percent sign")),
        // What Python has and xacro files here do not.
        ("type(1)", "the function `type` is not supported", None),
        ("python.set([1])", "the function `set` is not supported", None),
        ("math.erf(1)", "the function `erf` is not supported", None),
    ] {
        let error = value_of(expression).unwrap_err();
        let place = error.location.unwrap();
        assert_eq!((error.code, place.line, place.column), ("xacro-expression", 2, 7), "{expression}");
        assert_eq!((error.message.as_str(), error.hint.as_deref()), (expected, hint), "{expression}");
    }
}

/// An expression is as long as a file may make it, and its values have an end as well.
#[test]
fn values_that_are_too_long_are_refused() {
    let long = format!("1{}", " + 1".repeat(20_000));
    for (expression, expected) in [
        (long.as_str(), "an expression of more than 65536 bytes"),
        ("('a' * 600000).replace('a', 'bc')", "a text of more than 1000000 bytes"),
        ("''.join(['a' * 600000] * 2)", "a text that is too long"),
        ("'%s%s' % ('a' * 600000, 'b' * 600000)", "a text that is too long"),
        ("[0] * 600000 + [0] * 600000", "a list of more than 1000000 elements"),
        ("str(['a' * 600000, 'b' * 600000, 1])", "a value that is too long to be written"),
    ] {
        let error = value_of(expression).unwrap_err();
        let what = &expression[..expression.len().min(60)];
        assert_eq!((error.code, error.message.as_str()), ("xacro-limit", expected), "{what}");
        let hint = "does a macro, an include or an expression repeat itself without end?";
        assert_eq!(error.hint.as_deref(), Some(hint), "{what}");
    }
}
