import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('package.json', import.meta.url), 'utf8'),
);

/** Pure tests, tests that start real programs, the gate of the contract list, the window over a made-up hub, the packaged app. */
export default defineConfig({
  define: { __PATCHBAY_VERSION__: JSON.stringify(version) },
  test: {
    // Real processes on a busy machine: one more try in CI, where nobody can look at what else ran. It is told at the end.
    retry: process.env.CI === undefined ? 0 : 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/{shared,electron,renderer,build}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.integration.test.ts'],
          // Properties run hundreds of cases, and machines are slow while they do much else.
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['tests/{shared,electron,build,conformance,chaos}/**/*.integration.test.ts'],
          globalSetup: ['tests/helper/build-programs.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: { name: 'contract', include: ['tests/contract/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'window',
          include: ['tests/renderer/**/*.window-test.ts'],
          globalSetup: ['tests/renderer/harness/window-stage.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // They share the one window.
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/e2e/audit.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
