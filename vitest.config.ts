import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('package.json', import.meta.url), 'utf8'),
);

/** Ends tests that hang; a busy machine is several times slower than an idle one. */
const limits = { testTimeout: 120_000, hookTimeout: 120_000 };

/**
 * Projects: pure tests, tests that start real programs, the contract gate, the window with a fake hub, the
 * packaged app.
 */
export default defineConfig({
  define: { __PATCHBAY_VERSION__: JSON.stringify(version) },
  test: {
    // The teardown looks for processes that tests left behind and gives them time to end.
    teardownTimeout: 120_000,
    // Keeps transformed modules below node_modules, so that the projects transform each only once.
    experimental: { fsModuleCache: true },
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/{shared,electron,renderer,build}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.integration.test.ts'],
          maxWorkers: availableParallelism(),
          // Nothing of these tests outlives its file, so imports are loaded once per worker.
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
          // Tests that start programs spend most of their time waiting for them.
          maxWorkers: availableParallelism() + 1,
          // Modules are loaded once per worker.
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
          testTimeout: 600_000,
          hookTimeout: 600_000,
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
          // The tests share one window.
          fileParallelism: false,
          // Modules are loaded once.
          isolate: false,
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
          // Modules are loaded once.
          isolate: false,
        },
      },
    ],
  },
});
