//! The programs of `examples/` run; each fails if its own result is wrong.

#![allow(clippy::print_stdout, reason = "the programs print")]

#[path = "../examples/compiled_batches.rs"]
mod compiled_batches;
#[path = "../examples/derivatives.rs"]
mod derivatives;
#[path = "../examples/elastic_feed_forward.rs"]
mod elastic_feed_forward;
#[path = "../examples/load_and_torque.rs"]
mod load_and_torque;
#[path = "../examples/redundant_ik.rs"]
mod redundant_ik;
#[path = "../examples/regressor_and_base_parameters.rs"]
mod regressor_and_base_parameters;

macro_rules! run {
    ($($name:ident),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                $name::main().unwrap();
            }
        )*

        #[test]
        fn every_program_is_run_and_listed() {
            let root = env!("CARGO_MANIFEST_DIR");
            let files = std::fs::read_dir(format!("{root}/examples")).unwrap();
            let mut files: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
            files.sort();
            assert_eq!(files, [$(concat!(stringify!($name), ".rs")),*]);
            let page = std::fs::read_to_string(format!("{root}/../../examples/README.md")).unwrap();
            for file in files {
                assert!(page.contains(&format!("crates/jourdain/examples/{file}")), "{file}");
            }
        }
    };
}

run!(compiled_batches, derivatives, elastic_feed_forward, load_and_torque, redundant_ik, regressor_and_base_parameters,);
