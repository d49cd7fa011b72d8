// SPDX-License-Identifier: MIT OR Apache-2.0
//! A headless Chromium, driven over its debugging protocol with real mouse and keyboard events.

use std::io::{BufRead, BufReader, ErrorKind};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Error, Message, WebSocket};

use crate::peers::skip;

/// Time limit of every wait; after it the test fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// A browser with one page.
pub(crate) struct Browser {
    process: Child,
    /// New profile, deleted with the browser.
    _profile: TempDir,
    socket: WebSocket<TcpStream>,
    session: Option<String>,
    next: u64,
    /// Console messages, exceptions and refused content since the page was opened.
    pub(crate) complaints: Vec<String>,
    /// Addresses requested since the page was opened.
    pub(crate) requests: Vec<String>,
}

impl Browser {
    /// Starts a browser. Returns `None`, with a message, if none is installed.
    pub(crate) fn start() -> Option<Self> {
        let Some(program) = program() else {
            skip("there is no Chromium (a Debian package, or LBAF_CHROMIUM=/path/to/it)");
            return None;
        };
        let profile = tempfile::tempdir().expect("a temporary directory can be made");
        let mut process = Command::new(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--remote-debugging-port=0",
            ])
            .args(["--disable-background-networking", "--disable-dev-shm-usage", "--disable-extensions"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("Chromium starts");
        let said = BufReader::new(process.stderr.take().expect("standard error is piped"));
        let mut lines = said.lines().map_while(Result::ok);
        let address = lines.find_map(|line| Some(line.split_once("listening on ")?.1.trim().to_owned()));
        let address = address.expect("Chromium prints its address");
        // A full pipe would block Chromium.
        std::thread::spawn(move || lines.for_each(drop));
        let host = address.trim_start_matches("ws://").split('/').next().expect("an address has a host");
        let stream = TcpStream::connect(host).expect("Chromium listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("the time limit is not zero");
        let (socket, _) = tungstenite::client(&address, stream).expect("Chromium speaks WebSocket");
        let (complaints, requests) = (Vec::new(), Vec::new());
        let mut browser =
            Browser { process, _profile: profile, socket, session: None, next: 0, complaints, requests };
        let target = browser.call("Target.createTarget", &json!({"url": "about:blank"}));
        let session =
            browser.call("Target.attachToTarget", &json!({"targetId": target["targetId"], "flatten": true}));
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call(&format!("{domain}.enable"), &json!({}));
        }
        browser.resize(1400);
        Some(browser)
    }

    /// Opens a file with the fragment `state` and waits until its scripts have finished.
    pub(crate) fn open(&mut self, path: &Path, state: &str) {
        self.complaints.clear();
        self.requests.clear();
        // A navigation that changes only the fragment does not load the page again.
        self.call("Page.navigate", &json!({"url": "about:blank"}));
        self.requests.clear();
        self.call("Page.navigate", &json!({"url": format!("file://{}#{state}", path.display())}));
        self.wait("document.documentElement?.dataset.ready === 'true'");
    }

    /// Sets the width of the window in CSS pixels.
    pub(crate) fn resize(&mut self, width: u32) {
        let metrics = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", &metrics);
    }

    /// Returns the value of an expression.
    #[track_caller]
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let found = self.call("Runtime.evaluate", &parameters);
        assert!(found["exceptionDetails"].is_null(), "{expression}: {found}");
        found["result"]["value"].clone()
    }

    /// Returns the text of an element.
    #[track_caller]
    pub(crate) fn text(&mut self, selector: &str) -> String {
        let found = self.value(&format!("document.querySelector({selector:?}).textContent"));
        found.as_str().expect("an element has text").to_owned()
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(crate) fn wait(&mut self, expression: &str) {
        let started = Instant::now();
        while self.value(expression) != true {
            assert!(started.elapsed() < PATIENCE, "not true in time: {expression}; {:?}", self.complaints);
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Scrolls to a chart and waits until it is drawn; the page draws only charts near the window.
    #[track_caller]
    pub(crate) fn show(&mut self, chart: &str) {
        self.value(&format!("document.getElementById('{chart}').scrollIntoView({{ behavior: 'instant' }})"));
        self.wait(&format!("document.querySelector('#{chart} .canvas')?.dataset.drawn > 0"));
    }

    /// Clicks in the middle of an element.
    #[track_caller]
    pub(crate) fn click(&mut self, selector: &str) {
        self.click_at(selector, 0.5, 0.5);
    }

    /// Clicks at a point of an element, given as fractions of its width and height.
    #[track_caller]
    pub(crate) fn click_at(&mut self, selector: &str, right: f64, down: f64) {
        let (x, y) = self.hover(selector, right, down);
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", &event);
        }
    }

    /// Moves the mouse to a point of an element; returns the point in window coordinates.
    #[track_caller]
    pub(crate) fn hover(&mut self, selector: &str, right: f64, down: f64) -> (f64, f64) {
        let place = self.value(&format!(
            "(() => {{ const it = document.querySelector({selector:?}); \
             it.scrollIntoView({{ block: 'center', behavior: 'instant' }}); const box = it.getBoundingClientRect(); \
             return [box.x + {right} * box.width, box.y + {down} * box.height]; }})()"
        ));
        let [x, y] = [0, 1].map(|at| place[at].as_f64().expect("a place has coordinates"));
        self.call("Input.dispatchMouseEvent", &json!({"type": "mouseMoved", "x": x, "y": y}));
        (x, y)
    }

    /// Moves the focus to an element, as the Tab key would.
    #[track_caller]
    pub(crate) fn focus(&mut self, selector: &str) {
        self.value(&format!("document.querySelector({selector:?}).focus()"));
    }

    /// Presses a key: `Tab`, `Enter`, `ArrowLeft`, `+`, ..
    pub(crate) fn press(&mut self, key: &str) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => 0,
        };
        let mut event = json!({"type": "keyDown", "key": key, "windowsVirtualKeyCode": code});
        if key == "Enter" {
            event["text"] = json!("\r");
        } else if key.len() == 1 {
            event["text"] = json!(key);
        }
        self.call("Input.dispatchKeyEvent", &event);
        let event = json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code});
        self.call("Input.dispatchKeyEvent", &event);
    }

    /// Replaces the content of an input field and presses Enter.
    #[track_caller]
    pub(crate) fn write(&mut self, selector: &str, text: &str) {
        self.focus(selector);
        self.value(&format!("document.querySelector({selector:?}).select()"));
        self.call("Input.insertText", &json!({"text": text}));
        self.press("Enter");
    }

    /// Calls a method of the protocol and returns its result.
    #[track_caller]
    pub(crate) fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        let mut request = json!({"id": id, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            request["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(request.to_string())).expect("Chromium listens");
        loop {
            let message = match self.socket.read() {
                // A signal interrupted the call.
                Err(Error::Io(error)) if error.kind() == ErrorKind::Interrupted => continue,
                message => message.unwrap_or_else(|error| panic!("{method}: {error}")),
            };
            let Message::Text(text) = message else { continue };
            let message: Value = serde_json::from_str(&text).expect("Chromium sends JSON");
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.note(&message);
        }
    }

    fn note(&mut self, event: &Value) {
        let parameters = &event["params"];
        match event["method"].as_str().unwrap_or_default() {
            "Runtime.consoleAPICalled" | "Runtime.exceptionThrown" | "Log.entryAdded" => {
                self.complaints.push(parameters.to_string());
            }
            "Network.requestWillBeSent" => {
                let address = parameters["request"]["url"].as_str().unwrap_or_default();
                self.requests.push(address.to_owned());
            }
            _ => {}
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the path of the browser, if one is installed.
fn program() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("LBAF_CHROMIUM") {
        return Some(named.into());
    }
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let candidates =
        std::env::split_paths(&path).flat_map(|directory| names.map(|name| directory.join(name)));
    candidates.into_iter().find(|candidate| candidate.is_file())
}
