//! The plain C interface: all that is unsafe about the module.
//!
//! A script writes names and requests as UTF-8 into memory that it got from `alloc`, and gives it back with `free`. A result is
//! the address of a status (0 fine, 1 a problem, whose JSON follows), a length, four bytes each, and as many bytes; it is given back
//! with `free_result`. Addresses stay, but memory may grow in any call: views of it are to be made anew after each.

use crate::engine::Engine;
use jourdain_kit::problem::Problem;
use serde_json::{Value, json};
use std::alloc::{Layout, alloc as allocate, dealloc};
use std::cell::RefCell;

/// Bytes before those of a result: its status and its length.
const HEADER: usize = 8;
/// Addresses are multiples of this, so that numbers of eight bytes can stand there.
const ALIGNMENT: usize = 8;

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::default();
}

fn layout(length: usize) -> Layout {
    Layout::from_size_align(length.max(1), ALIGNMENT).unwrap_or(Layout::new::<u64>())
}

/// Memory for so many bytes.
#[unsafe(no_mangle)]
extern "C" fn alloc(length: usize) -> *mut u8 {
    // SAFETY: the layout is not empty.
    let place = unsafe { allocate(layout(length)) };
    assert!(!place.is_null(), "out of memory");
    place
}

/// Gives memory back.
///
/// # Safety
/// It comes from [`alloc`] with the same length, and is not used any more.
#[unsafe(no_mangle)]
unsafe extern "C" fn free(place: *mut u8, length: usize) {
    // SAFETY: as the caller promises.
    unsafe { dealloc(place, layout(length)) };
}

/// Gives a result back.
///
/// # Safety
/// It is a result that was not given back before, and is not used any more.
#[unsafe(no_mangle)]
unsafe extern "C" fn free_result(result: *mut u8) {
    // SAFETY: a result has its length behind its status, and as many bytes behind its header.
    unsafe {
        let length = result.add(4).cast::<u32>().read() as usize;
        dealloc(result, layout(HEADER + length));
    }
}

fn result(status: u32, bytes: &[u8]) -> *mut u8 {
    let place = alloc(HEADER + bytes.len());
    // SAFETY: the memory is new, aligned to eight bytes and has room for header and bytes; lengths have 32 bits here.
    unsafe {
        place.cast::<u32>().write(status);
        place.add(4).cast::<u32>().write(bytes.len() as u32);
        place.add(HEADER).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
    }
    place
}

fn answer(answer: Result<Value, Problem>) -> *mut u8 {
    match answer {
        Ok(value) => result(0, value.to_string().as_bytes()),
        Err(problem) => result(1, problem.to_json().to_string().as_bytes()),
    }
}

fn engine<R>(run: impl FnOnce(&mut Engine) -> R) -> R {
    ENGINE.with_borrow_mut(run)
}

/// The bytes that a script has written.
///
/// # Safety
/// There are so many at the address, and nobody writes to them in the meantime.
unsafe fn given<'a>(place: *const u8, length: usize) -> &'a [u8] {
    if length == 0 {
        return &[];
    }
    // SAFETY: as the caller promises.
    unsafe { std::slice::from_raw_parts(place, length) }
}

/// The same as text.
///
/// # Safety
/// As [`given`].
unsafe fn text<'a>(place: *const u8, length: usize) -> Result<&'a str, Problem> {
    // SAFETY: as the caller promises.
    let bytes = unsafe { given(place, length) };
    std::str::from_utf8(bytes).map_err(|_| Problem::new("not-utf8", "the request is not UTF-8 text"))
}

/// Carries out an operation; see [`Engine::handle`].
///
/// # Safety
/// Name and request are where the caller says, as [`given`].
#[unsafe(no_mangle)]
unsafe extern "C" fn handle(name: *const u8, name_length: usize, request: *const u8, length: usize) -> *mut u8 {
    // SAFETY: as the caller promises.
    let given = unsafe { text(name, name_length).and_then(|name| Ok((name, text(request, length)?))) };
    answer(given.and_then(|(name, request)| engine(|engine| engine.handle(name, request))))
}

/// The samples of the motion that the last operation gave; see [`Engine::samples`].
#[unsafe(no_mangle)]
extern "C" fn samples() -> *mut u8 {
    engine(|engine| result(0, engine.samples()))
}

/// Keeps a file; returns a status.
///
/// # Safety
/// Name and bytes are where the caller says, as [`given`].
#[unsafe(no_mangle)]
unsafe extern "C" fn put_file(name: *const u8, name_length: usize, bytes: *const u8, length: usize) -> u32 {
    // SAFETY: as the caller promises.
    let (name, bytes) = unsafe { (text(name, name_length), given(bytes, length)) };
    name.map_or(1, |name| {
        engine(|engine| engine.put_file(name, bytes));
        0
    })
}

/// The bytes of a file.
///
/// # Safety
/// The name is where the caller says, as [`given`].
#[unsafe(no_mangle)]
unsafe extern "C" fn get_file(name: *const u8, name_length: usize) -> *mut u8 {
    // SAFETY: as the caller promises.
    let name = unsafe { text(name, name_length) };
    match name.and_then(|name| engine(|engine| engine.file(name))) {
        Ok(bytes) => result(0, &bytes),
        Err(problem) => answer(Err(problem)),
    }
}

/// The names of all files, as a list.
#[unsafe(no_mangle)]
extern "C" fn file_names() -> *mut u8 {
    answer(Ok(json!(engine(|engine| engine.file_names()))))
}

/// Forgets all files.
#[unsafe(no_mangle)]
extern "C" fn remove_files() {
    engine(Engine::remove_files);
}

/// Opens a robot; see [`Engine::open`].
///
/// # Safety
/// The request is where the caller says, as [`given`].
#[unsafe(no_mangle)]
unsafe extern "C" fn open(request: *const u8, length: usize) -> *mut u8 {
    // SAFETY: as the caller promises.
    let request = unsafe { text(request, length) };
    answer(request.and_then(|request| engine(|engine| engine.open(request))))
}

/// Forgets a robot.
#[unsafe(no_mangle)]
extern "C" fn close(id: u32) {
    engine(|engine| engine.close(id));
}

/// Prepares quantities: `{"plan", "inputs", "inputs_ptr", "outputs", "outputs_ptr"}`; see [`Engine::plan`].
///
/// # Safety
/// The names are where the caller says, as [`given`].
#[unsafe(no_mangle)]
unsafe extern "C" fn plan(id: u32, names: *const u8, length: usize) -> *mut u8 {
    // SAFETY: as the caller promises.
    let names = unsafe { text(names, length) };
    answer(names.and_then(|names| {
        engine(|engine| {
            let (number, mut facts) = engine.plan(id, names)?;
            let plan = engine.plan_mut(number)?;
            facts["plan"] = json!(number);
            facts["inputs_ptr"] = json!(plan.inputs_mut().as_mut_ptr() as usize);
            facts["outputs_ptr"] = json!(plan.outputs().as_ptr() as usize);
            Ok(facts)
        })
    }))
}

/// Computes everything at the inputs; how many quantities could not be had. A plan that is not there has none.
#[unsafe(no_mangle)]
extern "C" fn run(number: u32) -> u32 {
    engine(|engine| engine.plan_mut(number).map_or(u32::MAX, |plan| plan.run() as u32))
}

/// What could not be had in the last run; see [`Plan::failures`](crate::Plan::failures).
#[unsafe(no_mangle)]
extern "C" fn failures(number: u32) -> *mut u8 {
    answer(engine(|engine| engine.plan_mut(number).map(|plan| plan.failures())))
}

/// Forgets a plan.
#[unsafe(no_mangle)]
extern "C" fn drop_plan(number: u32) {
    engine(|engine| engine.drop_plan(number));
}
