//! Threads that use the kit at once: one writer, files in memory, the pool. ThreadSanitizer runs this too.

use jourdain_kit::files::Memory;
use jourdain_kit::host::{Files, Host};
use jourdain_kit::{operation, write};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::sync::Barrier;

const THREADS: usize = 8;

/// The same work on all threads at once, begun together.
fn together<R: Send>(work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let begin = Barrier::new(THREADS);
    std::thread::scope(|scope| {
        let run = |thread: usize| {
            let (begin, work) = (&begin, &work);
            scope.spawn(move || {
                begin.wait();
                work(thread)
            })
        };
        let threads: Vec<_> = (0..THREADS).map(run).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn document(name: &str, request: Value, host: &dyn Host) -> Value {
    match operation::handle(name, request, host) {
        Ok(report) => report.to_json().unwrap(),
        Err(problem) => problem.to_json(),
    }
}

#[test]
fn many_writers_of_one_file_leave_a_whole_one_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let shared = folder.path().join("shared.csv");
    let content = |thread: usize| format!("{thread},").repeat(20_000 + 1000 * thread);
    together(|thread| {
        for round in 0..5 {
            write::text(&shared, &content(thread), &Files).unwrap();
            // One that is given up, and one that is nobody else's.
            let own = folder.path().join(format!("{thread}-{round}.csv"));
            drop(write::Output::new(Some(&own), &Files).unwrap());
            assert!(!own.exists());
            write::text(&own, &content(thread), &Files).unwrap();
        }
    });
    let found = fs::read_to_string(&shared).unwrap();
    assert!((0..THREADS).any(|thread| found == content(thread)), "the file is nobody's");
    let names: BTreeSet<String> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let own = (0..THREADS).flat_map(|thread| (0..5).map(move |round| format!("{thread}-{round}.csv")));
    assert_eq!(names, own.chain(["shared.csv".to_owned()]).collect());
}

#[test]
fn operations_on_one_memory_of_files_are_those_of_one_thread() {
    let memory = Memory::default();
    let request = |out: String| json!({ "robot": "planar2r", "duration": 0.1, "out": out });
    let report = document("simulate", request("alone.csv".to_owned()), &memory);
    assert!(report.get("error").is_none(), "{report}");
    let expected = memory.get("alone.csv").unwrap();
    together(|thread| {
        for round in 0..3 {
            let name = format!("{thread}-{round}.csv");
            let report = document("simulate", request(name.clone()), &memory);
            assert!(report.get("error").is_none(), "{report}");
            assert_eq!(memory.get(&name).as_deref(), Some(&*expected));
        }
    });
}

#[test]
fn reports_of_threads_are_those_of_one() {
    let state = r#"{"q": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}"#;
    let requests = [
        ("eval", json!({ "robot": "puma560", "state": state, "quantity": ["mass_matrix,regressor"] })),
        ("derive", json!({ "robot": "planar2r", "quantity": ["gravity"], "target": "c" })),
        ("base-parameters", json!({ "robot": "puma560" })),
        ("simulate", json!({ "robot": "planar2r", "duration": 0.1 })),
        ("convert", json!({ "robot": "puma560", "to": "dh" })),
    ];
    let ask = |k: usize| {
        let (name, request) = &requests[k % requests.len()];
        document(name, request.clone(), &Files)
    };
    let expected: Vec<Value> = (0..requests.len()).map(ask).collect();
    assert!(expected.iter().all(|report| report.get("error").is_none()), "{expected:?}");
    together(|thread| {
        for round in 0..requests.len() {
            let k = (thread + round) % requests.len();
            assert_eq!(ask(k), expected[k], "{}", requests[k].0);
        }
    });
}
