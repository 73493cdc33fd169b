/// The square root within one unit in the last place, without a library.
fn sqrt(x: f64) -> f64 {
    if !(x > 0.0 && x < f64::INFINITY) {
        return if x >= 0.0 { x } else { f64::NAN };
    }
    // Powers of two keep the digits: 2^106 lifts the smallest numbers to where the estimate below holds.
    let (a, back) = if x < 1e-290 { (x * 8.112963841460668e31, 1.1102230246251565e-16) } else { (x, 1.0) };
    // Halving and turning the exponent gives 1/sqrt to a few per cent, each step doubles the digits.
    let mut y = f64::from_bits(0x5FE6_EB50_C7B5_37A9 - (a.to_bits() >> 1));
    for _ in 0..4 {
        y *= 1.5 - 0.5 * a * y * y;
    }
    let root = a * y;
    0.5 * (root + a / root) * back
}
