//! How much memory a batch allocates, counted by the allocator.
#![allow(unsafe_code)]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use common::{Memory, RULES, batch, options, play};
use kingdomino_batch::{Form, Opponent};
use kingdomino_search::Policy;

struct Counting;

// Of this thread only: the test harness allocates too.
thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: both calls are passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.set(CALLS.get() + 1);
        BYTES.set(BYTES.get() + layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_step_allocates_nothing_and_a_game_takes_less_than_four_kilobytes() {
    for rules in RULES {
        let players = options(rules, Form::Planes, Vec::new()).rules.players();
        for policy in [None, Some(Policy::Random), Some(Policy::Greedy)] {
            for form in [Form::Planes, Form::Compact] {
                let opponents =
                    policy.map_or(Vec::new(), |policy| vec![Opponent { policy, seed: None }; players - 1]);
                let options = options(rules, form, opponents);
                let mut memory = Memory::new(&options, 8);
                let seeds: Vec<u64> = (0..8).collect();
                let before = BYTES.get();
                let mut batch = batch(&options, 8, 1);
                let taken = (BYTES.get() - before) / 8;
                assert!(taken < 4096, "{taken} bytes a game: {rules}, {form:?}");
                batch.reset(Some(&seeds), memory.outputs());
                let mut calls = CALLS.get();
                let (mut ended, mut first) = (false, true);
                play(&mut batch, &mut memory, 100, |memory| {
                    ended |= memory.done.contains(&true);
                    let now = CALLS.get();
                    // `play` itself allocates its actions before the first step.
                    assert!(first || now == calls, "{rules}, {form:?}, {policy:?}");
                    (calls, first) = (now, false);
                });
                assert!(ended);
            }
        }
    }
}
