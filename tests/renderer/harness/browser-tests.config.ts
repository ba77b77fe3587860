import { defineConfig } from 'vitest/config';

/** The window's tests in a real browser; needs Chromium: `vitest run --config tests/renderer/harness/browser-tests.config.ts`. */
// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  test: { include: ['tests/renderer/**/*.browser-test.ts'], fileParallelism: false },
});
