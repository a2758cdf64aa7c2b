//! A display without a screen, a window manager on it, and hands: the real program is used as people use it.

mod picture;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use aplomb_tests::program;

pub use picture::{Area, Picture};

/// Longest that anything here may take; a hang is a failure, slowness is not, nor that others use the cores.
const PATIENCE: Duration = Duration::from_secs(300);
/// Looks without a change after which a picture stands still.
const STILL: usize = 3;
/// Time between two looks.
const LOOK: Duration = Duration::from_millis(150);
/// A button is held for this long: a press and its release belong to two frames.
const HOLD: Duration = Duration::from_millis(200);
const PROGRAMS: [&str; 4] = ["Xvfb", "openbox", "xdotool", "import"];
/// Every window fills the display, without a frame, so that widgets stand where they always stand.
const OPENBOX: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
<applications><application class="*"><decor>no</decor><maximized>yes</maximized><focus>yes</focus></application></applications>
</openbox_config>
"#;

/// A program that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// One desktop at a time: two would share the cores, and each waits for pictures.
static TURN: Mutex<()> = Mutex::new(());

/// A display of 1280 by 800 pixels, and a folder to work in.
pub struct Desktop {
    // The window goes first, the display last.
    window: Option<Running>,
    _manager: Running,
    _server: Running,
    display: String,
    folder: tempfile::TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Desktop {
    /// Starts a display; `None`, loudly, where the programs for it are missing.
    pub fn start() -> Option<Self> {
        for program in PROGRAMS {
            if !on_path(program) {
                println!("SKIPPED: {program} is not installed");
                return None;
            }
        }
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        // Without a reset when the last client leaves: whoever connects meanwhile would be turned away.
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-noreset", "-screen", "0", "1280x800x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        let (server, display) = (Running(server), format!(":{}", number.trim()));
        let settings = folder.path().join("openbox.xml");
        std::fs::write(&settings, OPENBOX).unwrap();
        let manager = Command::new("openbox")
            .arg("--config-file")
            .arg(settings)
            .env("DISPLAY", &display)
            .stderr(Stdio::null())
            .spawn()
            .map(Running)
            .unwrap();
        Some(Self { window: None, _manager: manager, _server: server, display, folder, _turn: turn })
    }

    /// The folder to work in.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Opens the editor on `scene`, and waits until its window is titled with the name of the file.
    pub fn open(&mut self, scene: &Path) {
        let mut command = program();
        for (variable, folder) in [
            ("HOME", "home"),
            ("XDG_STATE_HOME", "state"),
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_CACHE_HOME", "cache"),
        ] {
            command.env(variable, self.folder().join(folder));
        }
        let command = command.arg(scene).env("DISPLAY", &self.display).env_remove("WAYLAND_DISPLAY").env("LIBGL_ALWAYS_SOFTWARE", "1");
        let mut program = command.spawn().unwrap();
        let title = scene.file_name().unwrap().to_string_lossy().into_owned();
        self.wait(&format!("a window is titled {title}"), || {
            let ended = program.try_wait().unwrap();
            assert!(ended.is_none(), "the program ended with {ended:?} before its window opened");
            self.is_titled(&title)
        });
        self.window = Some(Running(program));
    }

    /// Waits until the title of the window holds `words`.
    pub fn wait_for_title(&self, words: &str) {
        self.wait(&format!("a window is titled {words}"), || self.is_titled(words));
    }

    /// Compares here: xdotool's own search does not find every letter in every locale.
    fn is_titled(&self, words: &str) -> bool {
        let ask = |arguments: &[&str]| {
            let answer = self.xdotool().args(arguments).stdout(Stdio::piped()).output().unwrap();
            String::from_utf8_lossy(&answer.stdout).into_owned()
        };
        ask(&["search", "--onlyvisible", "--name", "."]).lines().any(|window| ask(&["getwindowname", window]).contains(words))
    }

    /// Waits until the program has ended by itself.
    pub fn wait_for_end(&mut self) {
        let mut window = self.window.take().unwrap();
        self.wait("the program ends", || window.0.try_wait().unwrap().is_some());
        assert!(window.0.wait().unwrap().success());
    }

    /// Waits until `done`.
    pub fn wait(&self, what: &str, mut done: impl FnMut() -> bool) {
        let start = Instant::now();
        while !done() {
            if start.elapsed() > PATIENCE {
                let kept = std::env::temp_dir().join("aplomb_window_test.png");
                self.look().save(&kept);
                panic!("waited in vain until {what}; the screen is in {}", kept.display());
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Waits until the screen shows what `done` looks for; the screen.
    pub fn see(&self, what: &str, done: impl Fn(&Picture) -> bool) -> Picture {
        let mut last = None;
        self.wait(what, || {
            let picture = self.look();
            let seen = done(&picture);
            last = Some(picture);
            seen
        });
        last.unwrap()
    }

    /// Waits until `area` has stopped changing; the screen.
    pub fn settled(&self, area: Area) -> Picture {
        let mut last = self.look();
        let mut still = 0;
        self.wait("the picture stands still", || {
            std::thread::sleep(HOLD);
            let now = self.look();
            still = if now.differences(&last, area) == 0 { still + 1 } else { 0 };
            last = now;
            still == STILL
        });
        last
    }

    /// The screen.
    pub fn look(&self) -> Picture {
        let shot = Command::new("import").args(["-display", &self.display, "-window", "root", "png:-"]).output().unwrap();
        Picture::read(&shot.stdout)
    }

    /// Presses a key, as xdotool names it.
    pub fn key(&self, key: &str) {
        assert!(self.xdotool().args(["key", key]).status().unwrap().success());
    }

    /// Types text.
    pub fn type_text(&self, text: &str) {
        assert!(self.xdotool().args(["type", "--delay", "20", text]).status().unwrap().success());
    }

    /// Clicks a button, once it has answered the mouse that came over it.
    pub fn click(&self, at: (u32, u32)) {
        self.point((640, 20));
        let around = Area::around(at, 12);
        let before = self.settled(around);
        self.point(at);
        self.see("the button lights up", |now| now.differences(&before, around) > 0);
        self.hold(true);
        std::thread::sleep(HOLD);
        self.hold(false);
    }

    /// Moves the mouse.
    pub fn point(&self, (x, y): (u32, u32)) {
        assert!(self.xdotool().args(["mousemove", &x.to_string(), &y.to_string()]).status().unwrap().success());
    }

    /// Presses or releases the left button.
    pub fn hold(&self, down: bool) {
        let verb = if down { "mousedown" } else { "mouseup" };
        assert!(self.xdotool().args([verb, "1"]).status().unwrap().success());
    }

    /// Draws the pressed mouse over `points`, and lets go once the screen shows what `done` looks for.
    pub fn drag(&self, points: &[(u32, u32)], what: &str, done: impl Fn(&Picture) -> bool) {
        self.point(points[0]);
        std::thread::sleep(HOLD);
        self.hold(true);
        for &point in points {
            std::thread::sleep(HOLD);
            self.point(point);
        }
        self.see(what, done);
        self.hold(false);
        std::thread::sleep(HOLD);
    }

    fn xdotool(&self) -> Command {
        let mut command = Command::new("xdotool");
        command.env("DISPLAY", &self.display).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }
}

fn on_path(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(program).is_file()))
}
