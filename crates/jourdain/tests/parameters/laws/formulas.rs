//! Fractions of polynomials as a field, where they are given up, and relations with lengths as symbols.

use jourdain::Model;
use jourdain::formats::{self, Format};
use jourdain::model::Number;
use jourdain::parameters::exact::Rational;
use jourdain::parameters::field::Field;
use jourdain::parameters::symbolic::{Formula, Polynomial, SymbolicRegrouping};
use jourdain::parameters::{BaseParameters, relations, symbolic_relations};

fn model(text: &str) -> Model {
    let reading = formats::read_str(&format!("name = \"robot\"\n{text}"), Format::Toml);
    Model::from(reading.description.unwrap_or_else(|| panic!("{:?}", reading.diagnostics)))
}

fn variable(number: usize) -> Polynomial {
    Polynomial::variable(number)
}

fn x() -> Formula {
    Formula::polynomial(variable(0))
}

fn y() -> Formula {
    Formula::polynomial(variable(1))
}

fn number(value: i32) -> Formula {
    Formula::integer(value)
}

/// 1 + x + x² + … of so many terms.
fn series(terms: usize) -> Polynomial {
    let mut sum = Polynomial::constant(Rational::one());
    for _ in 1..terms {
        sum = Polynomial::constant(Rational::one()).plus(&Rational::one(), &sum.times(&variable(0)));
    }
    sum
}

/// A sum of so many lengths.
fn long(terms: usize) -> Formula {
    Formula::polynomial((0..terms).fold(Polynomial::default(), |sum, i| sum.plus(&Rational::one(), &variable(i))))
}

#[test]
fn fractions_add_and_multiply_as_their_values_do() {
    let value = |variable: usize| [0.7, -1.9, 2.3][variable];
    let z = Formula::polynomial(variable(2));
    let over_x = x().inverse();
    let mixed = x().add(&y()).mul(&z.add(&number(2)).inverse());
    let all = [number(3), number(-2), x(), y(), over_x, x().mul(&y()).inverse(), mixed, x().mul(&x()).sub(&y())];
    for a in &all {
        let of = |formula: &Formula| formula.evaluate(&value);
        assert!((of(&a.inverse()) * of(a) - 1.0).abs() < 1e-14, "{a:?}");
        for b in &all {
            let close = |found: f64, expected: f64| (found - expected).abs() < 1e-13 * (1.0 + expected.abs());
            assert!(close(of(&a.add(b)), of(a) + of(b)), "{a:?} + {b:?}");
            assert!(close(of(&a.sub(b)), of(a) - of(b)), "{a:?} - {b:?}");
            assert!(close(of(&a.mul(b)), of(a) * of(b)), "{a:?} · {b:?}");
            // What has two values is not equal, and what comes back is.
            assert_eq!(a == b, std::ptr::eq(a, b), "{a:?} {b:?}");
            assert!(a.mul(b).mul(&b.inverse()) == *a && a.add(b).sub(b) == *a, "{a:?} {b:?}");
        }
    }
}

/// x/y and x²/(x y) are one fraction, whatever is written below the line.
#[test]
fn fractions_are_equal_across_their_denominators() {
    let once = x().mul(&y().inverse());
    let square = x().mul(&x());
    let twice = square.add(&x()).mul(&x().mul(&y()).add(&y()).inverse());
    assert_ne!(once.parts().1, twice.parts().1);
    assert!(once == twice && once != twice.add(&number(1)) && once != once.add(&once));
}

#[test]
fn a_denominator_that_two_fractions_share_stays_as_it_is() {
    let (one, two) = (x().inverse(), number(2).mul(&x().inverse()));
    let sum = one.add(&two);
    let three = Polynomial::constant(Rational::fraction(3, 1));
    assert_eq!(sum.parts(), (&three, &variable(0)));
    // And goes where it divides.
    let y_over = x().mul(&y()).mul(&x().inverse());
    assert_eq!(y_over.to_polynomial(), Some(&variable(1)));
    assert!(one.sub(&one).is_zero() && one.sub(&one).to_polynomial().is_some());
}

#[test]
fn numbers_are_told_from_formulas() {
    let third = Formula::from_number(Number::parse("1/3").unwrap(), 1.0);
    assert_eq!(third.to_constant(), Some(Rational::fraction(1, 3)));
    assert_eq!(x().sub(&x()).to_constant(), Some(Rational::zero()));
    assert_eq!(x().mul(&x().inverse()).to_constant(), Some(Rational::one()));
    assert_eq!((x().to_constant(), x().inverse().to_constant()), (None, None));
    assert_eq!(Polynomial::default().to_constant(), Some(Rational::zero()));
    assert_eq!(number(0).inverse(), number(0));
    assert_eq!(number(0).inverse().to_constant(), Some(Rational::zero()));
}

/// Terms that share a length, or its power, are terms of their own.
#[test]
fn products_that_begin_alike_are_told_apart() {
    let product = |factors: &[usize]| {
        factors.iter().fold(Polynomial::constant(Rational::one()), |product, &i| product.times(&variable(i)))
    };
    let terms: Vec<Polynomial> =
        [&[][..], &[0], &[0, 0], &[0, 0, 0], &[0, 1], &[0, 2], &[0, 0, 1], &[0, 1, 1], &[0, 1, 2], &[1], &[1, 1]]
            .map(product)
            .to_vec();
    let value = |variable: usize| [10.0, 1e3, 1e6][variable];
    let sum = terms.iter().fold(Polynomial::default(), |sum, term| sum.plus(&Rational::one(), term));
    let expected: f64 = terms.iter().map(|term| term.evaluate(&value)).sum();
    assert_eq!(sum.evaluate(&value), expected);
    for a in &terms {
        for b in &terms {
            assert_eq!(a == b, std::ptr::eq(a, b));
            assert_eq!(a.times(b).over(b).as_ref(), Some(a));
            assert_eq!(a.plus(&Rational::one(), b) == a.plus(&Rational::one(), a), std::ptr::eq(a, b));
        }
    }
}

/// Numbers before short products before sums before fractions.
#[test]
fn simple_formulas_are_the_better_pivots() {
    let sum = x().add(&y());
    let order = [number(-7), x(), x().mul(&y()), sum.clone(), sum.mul(&sum), sum.mul(&sum).mul(&x())];
    for pair in order.windows(2) {
        assert!(pair[0].size() > pair[1].size(), "{pair:?}");
    }
    for formula in &order[1..] {
        let fraction = formula.mul(&Formula::polynomial(variable(7)).inverse());
        assert!(fraction.size() > 0.0 && fraction.size() < formula.size(), "{formula:?}");
        assert!(fraction.size() > fraction.mul(&x().add(&number(1)).inverse()).size());
        assert!(formula.size() > long(301).size());
    }
    assert_eq!((number(0).size(), number(5).size()), (0.0, 1.0));
    assert!(long(301).size() > 0.0);
}

#[test]
fn a_formula_of_more_than_three_hundred_terms_is_given_up() {
    assert!(!long(300).is_given_up() && long(301).is_given_up());
    // By what it is made of, too: 10 · 31 lengths, and as a denominator.
    let apart = |from: usize, terms: usize| {
        Formula::polynomial(
            (from..from + terms).fold(Polynomial::default(), |sum, i| sum.plus(&Rational::one(), &variable(i))),
        )
    };
    assert!(!apart(0, 10).mul(&apart(10, 30)).is_given_up() && apart(0, 10).mul(&apart(10, 31)).is_given_up());
    let fraction = x().mul(&apart(1, 31).inverse());
    assert!(!fraction.is_given_up() && fraction.mul(&apart(40, 10).inverse()).is_given_up());
    // Long factors whose product is short are not: (1 + … + x²⁹)² has 59 terms.
    let squared = Formula::polynomial(series(30)).mul(&Formula::polynomial(series(30)));
    assert!(!squared.is_given_up());
    assert_eq!(squared.to_polynomial(), Some(&series(30).times(&series(30))));
}

#[test]
fn what_was_given_up_spoils_all_it_enters_but_nothing_of_it() {
    let lost = || long(301);
    for other in [number(2), x(), x().inverse(), number(0)] {
        assert!(lost().add(&other).is_given_up() && other.add(&lost()).is_given_up(), "{other:?}");
        assert!(lost().sub(&other).is_given_up() && other.sub(&lost()).is_given_up(), "{other:?}");
        let products = [lost().mul(&other), other.mul(&lost())];
        for product in products {
            assert_eq!((product.is_given_up(), product.is_zero()), (!other.is_zero(), other.is_zero()), "{other:?}");
        }
        assert!(lost() != other && other != lost(), "{other:?}");
    }
    assert!(lost().inverse().is_given_up() && !lost().is_zero() && lost() == lost());
}

const PENDULUM: &str = r#"
[[link]]
name = "a"
mass = 2.0
com = [0.1, 0.2, 0.3]
inertia = [1, 0, 0, 1, 0, 1]
joint = { type = "continuous", axis = [0, 1, 0] }
motor = { viscous = 3.0, coulomb = 2.0 }
[[link]]
name = "b"
parent = "a"
mass = 2.0
com = [0.1, 0.2, 0.3]
inertia = [1, 0, 0, 1, 0, 1]
origin = { xyz = [0.3, 0, 0], rpy = [0, 0, 0] }
joint = { type = "continuous", axis = [0, 0, 1] }
motor = { viscous = 3.0 }
"#;

/// Friction is itself in formulas, behind what is regrouped.
#[test]
fn relations_with_symbols_have_friction_as_it_is() {
    let robot = model(PENDULUM);
    let base = BaseParameters::new(&robot);
    let symbolic = SymbolicRegrouping::new(&robot).unwrap();
    let written = symbolic_relations(&robot, &base, &symbolic).unwrap();
    assert_eq!(written.len(), base.count());
    let friction: Vec<_> = written[base.count() - 4..].iter().map(|it| (&*it.name, &*it.formula)).collect();
    assert_eq!(friction, [("Fv1", "Fv1"), ("Fv2", "Fv2"), ("Fc1", "Fc1"), ("Fc2", "Fc2")]);
    assert_eq!(written.last().unwrap().latex, r"\mathit{Fc}_{2} = \mathit{Fc}_{2}");
    // With numbers it is the same.
    assert_eq!(relations(&robot, &base).last().unwrap().formula, "Fc2");
}

/// About z behind a joint about y: XX and YY go by their difference, and a mass at 0.3 m counts by the square.
#[test]
fn relations_have_the_signs_of_their_coefficients() {
    let robot = model(PENDULUM);
    let base = BaseParameters::new(&robot);
    let written = relations(&robot, &base);
    let formula = |name: &str| {
        let of =
            |all: &[jourdain::parameters::Relation]| all.iter().find(|it| it.name == name).unwrap().formula.clone();
        let symbolic = SymbolicRegrouping::new(&robot).unwrap();
        (of(&written), of(&symbolic_relations(&robot, &base, &symbolic).unwrap()))
    };
    let both = |numbers: &str, symbols: &str| (numbers.to_owned(), symbols.to_owned());
    assert_eq!(formula("XXR2"), both("XX2 - YY2", "XX2 - YY2"));
    assert_eq!(formula("mXR1"), both("mX1 + 0.3 m2", "mX1 + Px2 m2"));
    assert_eq!(formula("YYR1"), both("YY1 + YY2 + 0.09 m2 + Ia1", "YY1 + YY2 + Px2^2 m2 + Ia1"));
}

/// Points of one joint's axes that are the same are one length, others have a mark.
#[test]
fn points_of_a_joint_with_several_axes_are_told_apart() {
    let symbols = |second: f64, third: f64| -> Vec<(String, String, f64)> {
        let robot = model(&format!(
            r#"
[[link]]
name = "a"
mass = 1.0
inertia = [1, 0, 0, 1, 0, 1]
[link.joint]
type = "composite"
sequence = [
    {{ type = "revolute", axis = [0, 0, 1], point = [0.2, 0, 0] }},
    {{ type = "revolute", axis = [0, 1, 0], point = [{second}, 0, 0] }},
    {{ type = "revolute", axis = [0, 0, 1], point = [{third}, 0, 0] }},
]"#
        ));
        let symbols = SymbolicRegrouping::new(&robot).unwrap().symbols;
        symbols.0.into_iter().map(|it| (it.text, it.latex, it.value)).collect()
    };
    let symbol = |text: &str, latex: &str, value: f64| (text.to_owned(), latex.to_owned(), value);
    let first = symbol("Ax1", "A_{x1}", 0.2);
    assert_eq!(symbols(0.2, 0.2), std::slice::from_ref(&first));
    assert_eq!(symbols(0.2, 0.5), [first.clone(), symbol("Ax1'", "A_{x1}'", 0.5)]);
    assert_eq!(symbols(0.4, 0.2), [first.clone(), symbol("Ax1'", "A_{x1}'", 0.4)]);
    assert_eq!(symbols(0.4, 0.5), [first, symbol("Ax1'", "A_{x1}'", 0.4), symbol("Ax1''", "A_{x1}''", 0.5)]);
}
