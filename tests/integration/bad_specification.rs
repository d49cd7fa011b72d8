// SPDX-License-Identifier: MIT OR Apache-2.0
//! Invalid specifications of data sets: each error names its line.

use insta::assert_snapshot;

use crate::make::refused;

#[test]
fn objects_on_two_ranks_in_two_blocks_or_nowhere() {
    assert_snapshot!(refused("
tasks: [{time: 1}, {time: 2}]
ranks:
  0: {tasks: [0, 1]}
  1:
    tasks:
      - 1
"), @r"
    error: spec.yaml:6:9: task 1 is on rank 0 and on rank 1, but a task can only be on one rank
      |
    6 |       - 1
      |         ^
    ");
    assert_snapshot!(refused("
tasks: [{time: 1}, {time: 2}]
ranks: [{tasks: [0, 1, 0]}]
"), @r"
    error: spec.yaml:2:24: task 0 is on rank 0 twice, but must be listed once
      |
    2 | ranks: [{tasks: [0, 1, 0]}]
      |                        ^
    ");
    assert_snapshot!(refused("
tasks: [{time: 1}, {time: 2}]
shared_blocks:
  4: {size: 1, tasks: [0]}
  9: {size: 1, tasks: [1, 0]}
ranks: [{tasks: [0, 1]}]
"), @r"
    error: spec.yaml:4:27: task 0 is in block 4 and in block 9, but a task can only be in one block
      |
    4 |   9: {size: 1, tasks: [1, 0]}
      |                           ^
    ");
    assert_snapshot!(refused("
tasks:
  0: {time: 1}
  8: {time: 2}
ranks: [{tasks: [0]}]
"), @r"
    error: spec.yaml:3:6: task 8 is on no rank; list it under `tasks` of one of the `ranks`
      |
    3 |   8: {time: 2}
      |      ^
    ");
    assert_snapshot!(refused("
tasks: [{time: 1, node: 1}]
ranks: [{tasks: [0]}, {}]
"), @r"
    error: spec.yaml:1:25: task 0 has `node` 1, but is listed under rank 0; omit `node`, or list the task under rank 1
      |
    1 | tasks: [{time: 1, node: 1}]
      |                         ^
    ");
}

#[test]
fn ids_that_are_unknown_or_given_twice() {
    assert_snapshot!(refused("
tasks: [{time: 1}]
ranks: [{tasks: [0]}, {tasks: [1]}]
"), @r"
    error: spec.yaml:2:32: rank 1 names task 1, which is not listed under `tasks`
      |
    2 | ranks: [{tasks: [0]}, {tasks: [1]}]
      |                                ^
    ");
    assert_snapshot!(refused("
tasks: [{time: 1}]
shared_blocks: [{size: 1, tasks: [0, 3]}]
ranks: [{tasks: [0]}]
"), @r"
    error: spec.yaml:2:38: block 0 names task 3, which is not listed under `tasks`
      |
    2 | shared_blocks: [{size: 1, tasks: [0, 3]}]
      |                                      ^
    ");
    assert_snapshot!(refused("
tasks: [{time: 1}]
communications:
  5:
    from: 0
    to: 2
    size: 1
ranks: [{tasks: [0]}]
"), @r"
    error: spec.yaml:5:9: communication 5 names task 2, which is not listed under `tasks`
      |
    5 |     to: 2
      |         ^
    ");
    assert_snapshot!(refused("
tasks: {1: {time: 1}, 01: {time: 2}}
ranks: [{tasks: [1]}]
"), @r"
    error: spec.yaml:1:23: tasks: the id 1 is given twice
      |
    1 | tasks: {1: {time: 1}, 01: {time: 2}}
      |                       ^^
    ");
    assert_snapshot!(refused("
tasks: {1: {time: 1}, 2: {time: 2, seq_id: 1}}
ranks: [{tasks: [1, 2]}]
"), @r"
    error: spec.yaml:1:26: tasks 1 and 2 have the same sequence number and home, hence the same object id
      |
    1 | tasks: {1: {time: 1}, 2: {time: 2, seq_id: 1}}
      |                          ^
    ");
    assert_snapshot!(refused("
tasks: {70368744177664: {time: 1}}
ranks: [{tasks: [70368744177664]}]
"), @r"
    error: spec.yaml:1:25: task 70368744177664 has the sequence number 70368744177664, but object ids have 46 bits for it
      |
    1 | tasks: {70368744177664: {time: 1}}
      |                         ^
    ");
}

#[test]
fn missing_ranks() {
    assert_snapshot!(refused("
tasks: [{time: 1}]
"), @r"
    error: spec.yaml:1:1: there are no ranks; list the tasks of each rank under `ranks`, as in `ranks: {0: {tasks: [0, 1]}, 1: {tasks: [2]}}`
      |
    1 | tasks: [{time: 1}]
      | ^
    ");
    assert_snapshot!(refused("
tasks: [{time: 1}]
ranks:
  0: {tasks: [0]}
  2: {tasks: []}
"), @r"
    error: spec.yaml:4:6: rank 1 is missing before rank 2; ranks are numbered from 0, and a rank without tasks has `tasks: []`
      |
    4 |   2: {tasks: []}
      |      ^
    ");
    assert_snapshot!(refused("
tasks: [{time: 1, home: 1}]
ranks: [{tasks: [0]}]
"), @r"
    error: spec.yaml:1:25: `tasks.0.home` is 1, but there is no such rank
      |
    1 | tasks: [{time: 1, home: 1}]
      |                         ^
    ");
    assert_snapshot!(refused("
tasks: [{time: 1}]
shared_blocks: [{size: 1, tasks: [0], home_rank: 7}]
ranks: [{tasks: [0]}]
"), @r"
    error: spec.yaml:2:50: `shared_blocks.0.home_rank` is 7, but there is no such rank
      |
    2 | shared_blocks: [{size: 1, tasks: [0], home_rank: 7}]
      |                                                  ^
    ");
}

#[test]
fn invalid_values() {
    assert_snapshot!(refused("
tasks: [{time: -1}]
ranks: [{tasks: [0]}]
"), @r"
    error: spec.yaml:1:16: `tasks.0.time` is -1, but it must be finite and non-negative
      |
    1 | tasks: [{time: -1}]
      |                ^^
    ");
    assert_snapshot!(refused("
tasks: [{time: .inf}]
ranks: [{tasks: [0]}]
"), @r"
    error: spec.yaml:1:16: `tasks.0.time` is inf, but it must be finite and non-negative
      |
    1 | tasks: [{time: .inf}]
      |                ^^^^
    ");
    assert_snapshot!(refused("
tasks: [{time: 1}]
communications: [{size: -4, from: 0, to: 0}]
ranks: [{tasks: [0]}]
"), @r"
    error: spec.yaml:2:25: `communications.0.size` is -4, but it must be finite and non-negative
      |
    2 | communications: [{size: -4, from: 0, to: 0}]
      |                         ^^
    ");
    assert_snapshot!(refused("
tasks: [{time: 1, user_defined: {ratio: .nan}}]
ranks: [{tasks: [0]}]
"), @r"
    error: spec.yaml:1:41: `tasks.0.user_defined.ratio` is null, but it must have a value, and numbers must be finite
      |
    1 | tasks: [{time: 1, user_defined: {ratio: .nan}}]
      |                                         ^^^^
    ");
    assert_snapshot!(refused("
tasks: [{time: 1, user_defined: {task_working_bytes: 8 kB}}]
ranks: [{tasks: [0]}]
"), @r#"
    error: spec.yaml:1:54: `tasks.0.user_defined.task_working_bytes` is "8 kB", but a size must be a finite non-negative number
      |
    1 | tasks: [{time: 1, user_defined: {task_working_bytes: 8 kB}}]
      |                                                      ^^^^
    "#);
    assert_snapshot!(refused("
tasks: [{time: 1, user_defined: {shared_id: 8}}]
ranks: [{tasks: [0]}]
"), @r"
    error: spec.yaml:1:45: `tasks.0.user_defined.shared_id` is 8, but memory blocks are described under `shared_blocks`
      |
    1 | tasks: [{time: 1, user_defined: {shared_id: 8}}]
      |                                             ^
    ");
}

#[test]
fn unknown_and_conflicting_keys() {
    assert_snapshot!(refused("
task: [{time: 1}]
ranks: [{tasks: [0]}]
"), @r"
    error: spec.yaml:1:1: unknown key `task`; did you mean `tasks`?
      |
    1 | task: [{time: 1}]
      | ^^^^
    ");
    assert_snapshot!(refused("
tasks: {0: {tyme: 1}}
ranks: [{tasks: [0]}]
"), @r"
    error: spec.yaml:1:13: tasks.0: unknown key `tyme`; did you mean `time`?
      |
    1 | tasks: {0: {tyme: 1}}
      |             ^^^^
    ");
    assert_snapshot!(refused("
tasks: {0: {migratable: true}}
ranks: [{tasks: [0]}]
"), @r"
    error: spec.yaml:1:12: tasks.0: missing key `time`
      |
    1 | tasks: {0: {migratable: true}}
      |            ^
    ");
    assert_snapshot!(refused("
tasks: 3
"), @r"
    error: spec.yaml:1:8: tasks: expected a list, or a mapping from ids, found the number 3
      |
    1 | tasks: 3
      |        ^
    ");
    assert_snapshot!(refused("
tasks: {first: {time: 1}}
"), @r"
    error: spec.yaml:1:9: tasks: expected a whole number as key, found `first`
      |
    1 | tasks: {first: {time: 1}}
      |         ^^^^^
    ");
}

#[test]
fn both_kinds_of_specification_or_neither() {
    assert_snapshot!(refused("
from_samplers: {n_ranks: 1, n_objects: 1, load_sampler: {name: uniform, parameters: [0, 1]}}
tasks: [{time: 1}]
"), @r"
    error: spec.yaml:2:8: `from_samplers` and `tasks` exclude each other; keep one of them
      |
    2 | tasks: [{time: 1}]
      |        ^
    ");
    assert_snapshot!(refused("# nothing yet"), @r"
    error: spec.yaml:1:14: expected `from_samplers`, or `tasks` and `ranks`, found neither
      |
    1 | # nothing yet
      |              ^
    ");
}

#[test]
fn an_invalid_sampler_is_refused_at_its_place() {
    assert_snapshot!(refused("
from_samplers:
  n_ranks: 2
  n_objects: 8
  load_sampler:
    name: uniform
    parameters: [2, 1]
"), @r"
    error: spec.yaml:6:17: from_samplers: `load_sampler.parameters` is [2, 1], but the lower end of the interval must not exceed the upper
      |
    6 |     parameters: [2, 1]
      |                 ^
    ");
    assert_snapshot!(refused("
from_samplers:
  n_ranks: 2
  n_objects: 8
  communication_degree: 2
  load_sampler: {name: uniform, parameters: [0, 1]}
"), @r"
    error: spec.yaml:4:25: from_samplers: `communication_degree` is 2, but the bytes of a communication are missing; add a `volume_sampler`
      |
    4 |   communication_degree: 2
      |                         ^
    ");
}
