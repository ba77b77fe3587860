declare const __PATCHBAY_VERSION__: string;

/** Version of this program, put in by the build (and by vitest) from package.json. */
export const programVersion: string = __PATCHBAY_VERSION__;
