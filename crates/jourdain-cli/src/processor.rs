//! Whether this processor has the instructions that the program was built for.
//!
//! Builds are portable unless somebody asks for more (`-C target-cpu=native`); such a program, taken to an older machine, would die of an
//! illegal instruction without a word. Trap: the detection of the standard library takes for granted what the compiler may use,
//! so the processor itself is asked.

use jourdain_kit::problem::Problem;

/// An extension by the compiler's name, and whether this program may use it.
type Extension = (&'static str, bool);

macro_rules! extensions {
    ($($name:literal),*) => { [$(($name, cfg!(target_feature = $name))),*] };
}

/// All that processors of the last fifteen years differ in, and that compilers make use of.
const BUILT_FOR: [Extension; 22] = extensions!(
    "sse3",
    "ssse3",
    "sse4.1",
    "sse4.2",
    "popcnt",
    "movbe",
    "aes",
    "pclmulqdq",
    "avx",
    "f16c",
    "fma",
    "avx2",
    "bmi1",
    "bmi2",
    "lzcnt",
    "adx",
    "sha",
    "avx512f",
    "avx512bw",
    "avx512cd",
    "avx512dq",
    "avx512vl"
);

/// That the processor can run this program.
///
/// # Errors
/// It cannot: what it lacks.
pub fn check() -> Result<(), Problem> {
    let missing = missing(&BUILT_FOR, &present());
    if missing.is_empty() {
        return Ok(());
    }
    let message = format!("this program was built for instructions that the processor lacks: {}", missing.join(", "));
    Err(Problem::new("processor", message).hint("build it without target-cpu, or take one that was"))
}

fn missing(built_for: &[Extension], present: &[&str]) -> Vec<&'static str> {
    built_for.iter().filter(|(name, used)| *used && !present.contains(name)).map(|(name, _)| *name).collect()
}

#[cfg(target_arch = "x86_64")]
fn present() -> Vec<&'static str> {
    let processor = raw_cpuid::CpuId::new();
    let basic = processor.get_feature_info();
    let more = processor.get_extended_feature_info();
    let extended = processor.get_extended_processor_and_feature_identifiers();
    let basic = |has: fn(&raw_cpuid::FeatureInfo) -> bool| basic.as_ref().is_some_and(has);
    let more = |has: fn(&raw_cpuid::ExtendedFeatures) -> bool| more.as_ref().is_some_and(has);
    let all = [
        ("sse3", basic(raw_cpuid::FeatureInfo::has_sse3)),
        ("ssse3", basic(raw_cpuid::FeatureInfo::has_ssse3)),
        ("sse4.1", basic(raw_cpuid::FeatureInfo::has_sse41)),
        ("sse4.2", basic(raw_cpuid::FeatureInfo::has_sse42)),
        ("popcnt", basic(raw_cpuid::FeatureInfo::has_popcnt)),
        ("movbe", basic(raw_cpuid::FeatureInfo::has_movbe)),
        ("aes", basic(raw_cpuid::FeatureInfo::has_aesni)),
        ("pclmulqdq", basic(raw_cpuid::FeatureInfo::has_pclmulqdq)),
        ("avx", basic(raw_cpuid::FeatureInfo::has_avx)),
        ("f16c", basic(raw_cpuid::FeatureInfo::has_f16c)),
        ("fma", basic(raw_cpuid::FeatureInfo::has_fma)),
        ("avx2", more(raw_cpuid::ExtendedFeatures::has_avx2)),
        ("bmi1", more(raw_cpuid::ExtendedFeatures::has_bmi1)),
        ("bmi2", more(raw_cpuid::ExtendedFeatures::has_bmi2)),
        ("lzcnt", extended.as_ref().is_some_and(raw_cpuid::ExtendedProcessorFeatureIdentifiers::has_lzcnt)),
        ("adx", more(raw_cpuid::ExtendedFeatures::has_adx)),
        ("sha", more(raw_cpuid::ExtendedFeatures::has_sha)),
        ("avx512f", more(raw_cpuid::ExtendedFeatures::has_avx512f)),
        ("avx512bw", more(raw_cpuid::ExtendedFeatures::has_avx512bw)),
        ("avx512cd", more(raw_cpuid::ExtendedFeatures::has_avx512cd)),
        ("avx512dq", more(raw_cpuid::ExtendedFeatures::has_avx512dq)),
        ("avx512vl", more(raw_cpuid::ExtendedFeatures::has_avx512vl)),
    ];
    all.iter().filter(|(_, has)| *has).map(|(name, _)| *name).collect()
}

/// Other processors are not asked: their compilers use what all of them have.
#[cfg(not(target_arch = "x86_64"))]
fn present() -> Vec<&'static str> {
    BUILT_FOR.iter().map(|(name, _)| *name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_and_not_there_is_named() {
        let built_for = [("avx", true), ("avx2", true), ("fma", false)];
        assert_eq!(missing(&built_for, &["avx"]), ["avx2"]);
        assert!(missing(&built_for, &["avx2", "avx"]).is_empty());
    }

    /// The standard library asks as well, where the compiler may not take the answer for granted.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn the_processor_says_what_the_standard_library_hears() {
        let heard = [
            ("sse4.2", is_x86_feature_detected!("sse4.2")),
            ("popcnt", is_x86_feature_detected!("popcnt")),
            ("avx2", is_x86_feature_detected!("avx2")),
            ("fma", is_x86_feature_detected!("fma")),
            ("bmi2", is_x86_feature_detected!("bmi2")),
            ("lzcnt", is_x86_feature_detected!("lzcnt")),
        ];
        let present = present();
        for (name, has) in heard {
            assert_eq!(present.contains(&name), has, "{name}");
        }
        assert!(check().is_ok());
    }
}
