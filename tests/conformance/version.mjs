import packageFile from '../../package.json' with { type: 'json' };

/** Loaded before programs that run as they are written: the build would have put this in. */
globalThis.__PATCHBAY_VERSION__ = packageFile.version;
