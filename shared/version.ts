declare const __PATCHBAY_VERSION__: string;

/** Version of this program, inserted from package.json by the build (and by vitest). */
export const programVersion: string = __PATCHBAY_VERSION__;
