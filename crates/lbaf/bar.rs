// SPDX-License-Identifier: MIT OR Apache-2.0
//! Progress bars on standard error.

use std::fmt::Write;
use std::sync::LazyLock;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{HumanCount, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use lbaf_run::Progress;
use lbaf_text::number::significant_to;

/// Time after which a bar appears.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time between two updates of a bar if no step is done.
const INTERVAL: Duration = Duration::from_millis(200);

const TEMPLATE: &str = "{msg} {wide_bar} {human_pos}/{human_len}, {pace}";
/// Template for a single step, which has no progress to show.
const SINGLE: &str = "{msg}, {pace}";

/// Visible bars of the process.
static BARS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// Progress bar, shared between threads. It counts from its start but appears only after a second.
pub(crate) struct Bar {
    shown: ProgressBar,
    activity: &'static str,
    /// Thread that updates the bar, and the channel whose closing ends it. If the system refused the thread, the bar
    /// never appears.
    ticker: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Bar {
    pub(crate) fn start(activity: &'static str, n: usize) -> Self {
        let template = if n > 1 { TEMPLATE } else { SINGLE };
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let style = style.with_key("pace", |state: &ProgressState, out: &mut dyn Write| {
            let _ = out.write_str(&pace(state.pos(), state.len().unwrap_or(0), state.elapsed()));
        });
        let bar = ProgressBar::with_draw_target(Some(n as u64), ProgressDrawTarget::hidden());
        let bar = bar.with_message(activity).with_style(style);
        let (sender, ended) = mpsc::channel();
        let ticking = bar.clone();
        let ticker = thread::Builder::new().spawn(move || tick(&ticking, &ended));
        Bar { shown: bar, activity, ticker: ticker.ok().map(|ticker| (sender, ticker)) }
    }
}

/// Shows a bar after a second, and updates it until the channel is closed.
fn tick(bar: &ProgressBar, ended: &Receiver<()>) {
    let goes_on = |time| ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
    if goes_on(PATIENCE) {
        BARS.add(bar.clone());
        bar.tick();
        while goes_on(INTERVAL) {
            bar.tick();
        }
        bar.finish_and_clear();
        BARS.remove(bar);
    }
}

impl Progress for Bar {
    fn set(&self, done: usize) {
        self.shown.set_position(done as u64);
    }

    fn failed(&self, n: usize) {
        self.shown.set_message(format!("{} ({} failed)", self.activity, HumanCount(n as u64)));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some((sender, ticker)) = self.ticker.take() {
            drop(sender);
            let _ = ticker.join();
        }
    }
}

/// Calls `print` while all bars are hidden.
pub(crate) fn suspended(print: impl FnOnce()) {
    BARS.suspend(print);
}

/// Returns the elapsed time and, once one of several steps is done, the mean rate and the remaining time at this rate.
fn pace(done: u64, n: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let mut text = duration(seconds);
    if n > 1 && done > 0 && seconds > 0.0 {
        let rate = done as f64 / seconds;
        let _ = write!(text, ", {}/s", count(rate));
        if done < n {
            let _ = write!(text, ", {} left", duration((n - done) as f64 / rate));
        }
    }
    text
}

/// Formats a number with at most three significant digits, in groups of three digits.
#[allow(clippy::cast_sign_loss, reason = "rates are positive")]
pub(crate) fn count(number: f64) -> String {
    if number < 999.5 {
        return significant_to(number, 3);
    }
    let unit = libm::pow(10.0, libm::log10(number).floor() - 2.0);
    HumanCount(((number / unit).round() * unit) as u64).to_string()
}

/// Formats a time in seconds, in minutes and seconds, or in hours and minutes.
#[allow(clippy::cast_sign_loss, reason = "times are positive")]
pub(crate) fn duration(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_the_mean_since_the_start() {
        let cases = [
            // A single long step shows that time passes.
            (0, 1, 49.2, "49 s"),
            (1, 1, 49.2, "49 s"),
            (1, 4, 8.0, "8 s, 0.125/s, 24 s left"),
            (4_914, 10_000, 1.0, "1 s, 4,910/s, 1 s left"),
            (9_828_274, 20_000_000, 2.0, "2 s, 4,910,000/s, 2 s left"),
            (2_999, 6_000, 3.0, "3 s, 1,000/s, 3 s left"),
            (50, 1_000, 20.0, "20 s, 2.5/s, 6 min 20 s left"),
            (1, 200, 60.0, "1 min 0 s, 0.0167/s, 3 h 19 min left"),
            (200, 200, 4.0, "4 s, 50/s"),
        ];
        for (done, n, seconds, expected) in cases {
            assert_eq!(pace(done, n, Duration::from_secs_f64(seconds)), expected);
        }
    }
}
