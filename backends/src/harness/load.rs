//! Loading compiled code into this process and calling it: the one place with `unsafe`.

use super::HarnessError;
use super::image::Image;
use libloading::Library;
use std::ffi::c_void;
use std::path::Path;

/// The signature of every shim.
type Shim = unsafe extern "C" fn(*const *mut c_void, *const i64);

/// A loaded shared object and its shims.
pub(super) struct Loaded {
    shims: Vec<Shim>,
    /// Kept open for as long as the shims may be called.
    _library: Library,
}

impl Loaded {
    /// Loads a shared object with this many shims.
    #[expect(unsafe_code, reason = "loading native code")]
    pub(super) fn open(path: &Path, count: usize) -> Result<Loaded, HarnessError> {
        let failed = |e: libloading::Error| HarnessError::Load(e.to_string());
        // SAFETY: the object was just made by this crate from generated C, which has no initialisers.
        let library = unsafe { Library::new(path) }.map_err(failed)?;
        let mut shims = Vec::new();
        for k in 0..count {
            // SAFETY: `shim.c` defines a function of this name and signature for every `k < count`.
            let shim = unsafe { library.get::<Shim>(super::shim::name(k).as_bytes()) }.map_err(failed)?;
            shims.push(*shim);
        }
        Ok(Loaded { shims, _library: library })
    }

    /// Calls a shim. The image must have been checked against its function.
    #[expect(unsafe_code, reason = "calling native code")]
    pub(super) fn call(&self, k: usize, mut image: Image) -> Result<Image, HarnessError> {
        let shim = self.shims.get(k).ok_or_else(|| HarnessError::Load(format!("there is no shim {k}")))?;
        let mut args = Vec::new();
        for p in &image.pointers {
            let buffer = image.buffers.get_mut(p.buffer);
            let base = buffer.map_or(std::ptr::null_mut(), |b| b.words.as_mut_ptr().cast::<u8>());
            args.push(base.wrapping_add(p.offset).cast::<c_void>());
        }
        // SAFETY: the image has as many pointers and integers as the shim reads (`Image::check`), each
        // pointer to a buffer of its own that outlives the call; that the function stays within them
        // is what the type system and the bounds of the language promise, and what the same call under
        // sanitizers, in a process of its own, is there to show.
        unsafe { shim(args.as_ptr(), image.integers.as_ptr()) };
        Ok(image)
    }
}
