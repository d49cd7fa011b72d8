// SPDX-License-Identifier: MIT OR Apache-2.0
//! Solution files of solvers.

mod glpk;
mod highs;
mod names;

use std::collections::HashMap;

use crate::error::SolutionError;
use crate::program::{Program, VariableId};

/// Largest accepted difference of a binary value from 0 or 1. The default tolerances of solvers are 1e-5 or smaller.
const INTEGRAL: f64 = 1e-4;

/// Value of a variable in a solution file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// Line number, from 1.
    pub line: usize,
    /// The value itself.
    pub value: f64,
}

/// Solution of a program: values of its variables, from a file of a solver.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Status reported by the solver, if any: `Optimal`, for example.
    pub status: Option<String>,
    /// Values by variable; `None` for variables without a line, which have the value 0.
    values: Vec<Option<Value>>,
}

impl Solution {
    /// Reads a solution file of HiGHS (`--solution_file`), CBC (`solution`), GLPK (`-o` or `-w`), SCIP
    /// (`write solution`) or Gurobi (`ResultFile=x.sol`), or lines `name value`. Variables without a line have the
    /// value 0.
    ///
    /// # Errors
    /// If the solver found no solution, a line is malformed or names an unknown variable, a variable has two values,
    /// the file has no values or ends too early, or a binary variable is neither 0 nor 1.
    pub fn read(text: &str, program: &Program) -> Result<Self, SolutionError> {
        let names =
            program.variables.iter().enumerate().map(|(at, variable)| (variable.name.as_str(), at)).collect();
        let values = vec![None; program.variables.len()];
        let mut reading = Reading { program, names, answer: Solution { status: None, values } };
        // Lines are numbered before empty ones are removed.
        let lines: Vec<(usize, &str)> =
            (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty()).collect();
        let &(_, first) = lines.first().ok_or(SolutionError::Empty)?;
        if first == "Model status" {
            highs::read(&lines, &mut reading)?;
        } else if first.starts_with("Problem:") {
            glpk::read_table(&lines, &mut reading)?;
        } else if first.starts_with("c ") || first == "c" || first.starts_with("s ") {
            glpk::read_raw(&lines, &mut reading)?;
        } else if first.contains("objective value") && !first.starts_with("objective value") {
            names::read_cbc(&lines, &mut reading)?;
        } else {
            names::read(&lines, &mut reading)?;
        }
        if reading.answer.values.iter().all(Option::is_none) {
            return Err(SolutionError::Empty);
        }
        Ok(reading.answer)
    }

    /// Returns the value of a variable; `None` if it has no line.
    pub fn value(&self, variable: VariableId) -> Option<Value> {
        self.values[variable.0]
    }
}

/// Number of a line, from 1, and its text.
type Line<'a> = (usize, &'a str);

/// State while reading a file.
struct Reading<'a> {
    program: &'a Program,
    names: HashMap<&'a str, usize>,
    answer: Solution,
}

impl Reading<'_> {
    /// Sets the value of a variable by name.
    fn named(&mut self, line: usize, name: &str, value: &str) -> Result<(), SolutionError> {
        let variable = self.names.get(name).copied();
        let variable =
            variable.ok_or_else(|| SolutionError::UnknownVariable { line, name: name.to_owned() })?;
        self.set(line, variable, value)
    }

    /// Sets the value of a variable by number, from 1.
    fn numbered(&mut self, line: usize, number: &str, value: &str) -> Result<(), SolutionError> {
        let variable = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let variable = variable.filter(|&variable| variable < self.program.variables.len());
        let variable =
            variable.ok_or_else(|| SolutionError::UnknownVariable { line, name: number.to_owned() })?;
        self.set(line, variable, value)
    }

    fn set(&mut self, line: usize, variable: usize, text: &str) -> Result<(), SolutionError> {
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        let value = number.ok_or_else(|| malformed(line, "a finite number", text))?;
        let facts = &self.program.variables[variable];
        let name = || facts.name.clone();
        if facts.is_binary && value.abs().min((value - 1.0).abs()) > INTEGRAL {
            return Err(SolutionError::Fractional { line, name: name(), value: text.to_owned() });
        }
        if let Some(Value { line: first, .. }) = self.answer.values[variable] {
            return Err(SolutionError::Twice { line, name: name(), first });
        }
        self.answer.values[variable] = Some(Value { line, value });
        Ok(())
    }

    /// Stores the status of the solution; an error if it means that there is no solution.
    fn status(&mut self, line: usize, status: &str) -> Result<(), SolutionError> {
        const NOTHING: [&str; 6] = ["infeasible", "unbounded", "empty", "undefined", "no solution", "error"];
        let lower = status.to_ascii_lowercase();
        if NOTHING.iter().any(|word| lower.contains(word)) {
            return Err(SolutionError::NoSolution { line, status: status.to_owned() });
        }
        self.answer.status = Some(status.to_owned());
        Ok(())
    }
}

fn malformed(line: usize, expected: &'static str, found: &str) -> SolutionError {
    SolutionError::Malformed { line, expected, found: found.to_owned() }
}
