//! Loading takes memory in proportion to the number of links, however deep the tree and whatever the order of the file.

use jourdain::Model;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::Write;

thread_local! {
    /// Bytes in use, and the most that were in use at once.
    static USED: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// The system's allocator, counting the bytes of each thread.
struct Counting;

// SAFETY: every call is passed on to the system's allocator unchanged; counting neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = USED.try_with(|used| {
            let now = used.get().0.wrapping_add(layout.size());
            used.set((now, used.get().1.max(now)));
        });
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let _ = USED.try_with(|used| used.set((used.get().0.saturating_sub(layout.size()), used.get().1)));
        // SAFETY: the pointer came from `alloc` above with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes in use at once while `work` runs, beyond those in use before.
fn peak<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = USED.with(Cell::get).0;
    USED.with(|used| used.set((before, before)));
    let result = work();
    (USED.with(Cell::get).1 - before, result)
}

const JOINT: &str = "mass = 1.0\ncom = [0.1, 0.0, 0.0]\ninertia = [0.1, 0, 0, 0.1, 0, 0.1]\n\
                     origin = { xyz = [0.2, 0, 0.1], rpy = [0.3, 0, 0] }\njoint = { type = \"continuous\" }\n";

/// `chains` chains side by side, a link of each in turn.
fn toml(links: usize, chains: usize) -> String {
    let mut text = "name = \"chain\"\n".to_owned();
    for i in 0..links {
        let parent = i.checked_sub(chains).map_or("base".to_owned(), |parent| format!("l{parent}"));
        write!(text, "[[link]]\nname = \"l{i}\"\nparent = \"{parent}\"\n{JOINT}").unwrap();
    }
    text
}

fn urdf(links: usize) -> String {
    let inertial = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>";
    let mut text = "<robot name=\"chain\">\n".to_owned();
    for i in 0..links {
        writeln!(text, "<link name=\"l{i}\">{inertial}</link>").unwrap();
    }
    for i in 1..links {
        let ends = format!("<parent link=\"l{}\"/><child link=\"l{i}\"/>", i - 1);
        writeln!(text, "<joint name=\"j{i}\" type=\"continuous\">{ends}<axis xyz=\"0 0 1\"/></joint>").unwrap();
    }
    text + "</robot>\n"
}

#[test]
fn memory_grows_with_the_number_of_links_alone() {
    const LINKS: usize = 20_000;
    let cases: [(&str, &dyn Fn(usize) -> String); 3] =
        [("one chain", &|links| toml(links, 1)), ("two chains in turn", &|links| toml(links, 2)), ("URDF", &urdf)];
    for (what, text) in cases {
        let [few, many] = [LINKS / 4, LINKS].map(|links| {
            let text = text(links);
            let (bytes, model) = peak(|| text.parse::<Model>().unwrap());
            assert_eq!(model.links().len(), links);
            assert_eq!(model.link_index(&format!("l{}", links - 1)), Some(links - 1));
            bytes
        });
        // Four times the links; what a vector has to spare may double.
        assert!(many < 6 * few, "{what}: {few} bytes for {} links, {many} for {LINKS}", LINKS / 4);
        // A gigabyte for the most links that a file may have.
        assert!(many < LINKS * 10_000, "{what}: {} bytes a link", many / LINKS);
    }
}

#[test]
fn the_counter_sees_what_is_in_use_at_once() {
    let (bytes, _) = peak(|| {
        drop(vec![0u8; 5_000]);
        vec![0u8; 10_000]
    });
    assert!((10_000..15_000).contains(&bytes), "{bytes}");
}
