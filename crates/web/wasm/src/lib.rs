//! The functions that WebAssembly exports: JavaScript writes a call into one buffer, and reads the answer in another.
//!
//! A crate of its own, because cargo optimises the whole module as it does this crate: for speed. The calls themselves are
//! optimised for size.
//!
//! Only the unmangled names are unsafe: two libraries could have the same one.
#![allow(unsafe_code, unreachable_pub)]

use std::cell::RefCell;
use std::panic;

use kingdomino_web::calls::{answer, number_from};

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Prepares a new instance. `restarts` is how many it follows that have failed.
#[unsafe(no_mangle)]
pub extern "C" fn start(restarts: u32) {
    number_from(restarts << 20);
    panic::set_hook(Box::new(|panic| write(panic.to_string())));
}

/// Makes room for a call of this many bytes, and returns where to write it.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    write(String::new());
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

/// Answers the call that was written. If it fails, the reason is written instead, unless no memory is left for it.
#[unsafe(no_mangle)]
pub extern "C" fn call() {
    write(INPUT.with_borrow(|input| answer(input)));
}

fn write(text: String) {
    OUTPUT.with_borrow_mut(|output| *output = text.into_bytes());
}

/// Returns where the last answer is.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(Vec::as_ptr)
}

/// Returns the length of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn length() -> usize {
    OUTPUT.with_borrow(Vec::len)
}
