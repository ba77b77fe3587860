import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('package.json', import.meta.url), 'utf8'),
);

/** Ends tests that hang; a machine that is busy with other work is several times slower than a quiet one. */
const limits = { testTimeout: 120_000, hookTimeout: 120_000 };

/** Pure tests, tests that start real programs, the gate of the contract list, the window over a made-up hub, the packaged app. */
export default defineConfig({
  define: { __PATCHBAY_VERSION__: JSON.stringify(version) },
  test: {
    // Processes that tests left behind are looked for at the end, and get a while to end.
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/{shared,electron,renderer,build}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.integration.test.ts'],
          maxWorkers: availableParallelism(),
          // Nothing of these tests outlives its file, so that what they import is loaded once a worker.
          isolate: false,
          ...limits,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['tests/{shared,electron,build,conformance,chaos,compat}/**/*.integration.test.ts'],
          globalSetup: ['tests/helper/leftovers.ts', 'tests/helper/build-programs.ts'],
          setupFiles: ['tests/helper/own-folder.ts'],
          // Tests that start programs wait for them most of the time.
          maxWorkers: availableParallelism() + 1,
          // Modules are loaded once a worker.
          isolate: false,
          ...limits,
        },
      },
      {
        extends: true,
        test: { name: 'contract', include: ['tests/contract/**/*.test.ts'], ...limits },
      },
      {
        extends: true,
        test: {
          name: 'windows',
          // Run by build/windows.mjs, with Node for Windows.
          include: ['tests/windows/**/*.windows-test.ts'],
          setupFiles: ['tests/helper/own-folder.ts'],
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'window',
          include: ['tests/renderer/**/*.window-test.ts'],
          globalSetup: ['tests/helper/leftovers.ts', 'tests/renderer/harness/window-stage.ts'],
          setupFiles: ['tests/helper/own-folder.ts'],
          ...limits,
          // They share the one window.
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/helper/leftovers.ts'],
          setupFiles: ['tests/helper/own-folder.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
