//! A of the comparison: another rest state of the same scene, by a method of its own.

use std::sync::Arc;

use aplomb_sim::scene::Method;

use super::App;
use crate::session::Track;

impl App {
    /// Starts A anew with the scene as it is now, by its own method.
    pub(super) fn load_twin(&mut self) {
        let (scene, folder) = (Arc::clone(self.document.scene()), self.document.folder().to_path_buf());
        if let Some(twin) = &mut self.twin {
            twin.load(&scene, &folder);
            begin(twin, self.desk.twin_method);
        }
    }

    /// Chooses the method of A. Both go on from the start.
    pub(super) fn set_twin_method(&mut self, method: Method) {
        self.desk.twin_method = method;
        let Some(twin) = &self.twin else { return };
        twin.pause();
        self.load_twin();
        if !self.main.activity.is_busy() {
            self.main.pause();
            if self.main.last_frame() > 0 {
                self.main.show(0);
            }
        }
    }

    /// Chooses the method of B, and initialises it.
    pub(super) fn set_own_method(&mut self, method: Method) {
        self.desk.method = method;
        self.initialise();
    }
}

/// Puts what was just loaded, in its naive rest state, into that of the method.
pub(super) fn begin(twin: &mut Track, method: Method) {
    if method != Method::Naive {
        twin.initialise(method);
    }
}
