import { defineConfig } from 'vitest/config';

/**
 * Every screen, and more of the window's tests than `npm test` has the time for; needs a Chromium:
 * `vitest run --config tests/renderer/harness/browser-tests.config.ts`.
 */
// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  test: { include: ['tests/renderer/**/*.browser-test.ts'], fileParallelism: false },
});
