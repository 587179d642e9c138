//! The functions that WebAssembly exports. Only their unmangled names are unsafe: two libraries could have the same one.
#![allow(unsafe_code, unreachable_pub)]

use std::cell::RefCell;

use crate::calls::answer;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for a call of this many bytes, and returns where to write it.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

/// Answers the call that was written, and returns the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> usize {
    let answer = INPUT.with_borrow(|input| answer(input));
    OUTPUT.with_borrow_mut(|output| {
        *output = answer.into_bytes();
        output.len()
    })
}

/// Returns where the last answer is.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(Vec::as_ptr)
}
