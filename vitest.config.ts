import { readFileSync } from 'node:fs';
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
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/{shared,electron,renderer,build}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.integration.test.ts'],
          ...limits,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['tests/{shared,electron,build,conformance,chaos}/**/*.integration.test.ts'],
          globalSetup: ['tests/helper/build-programs.ts'],
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
          name: 'window',
          include: ['tests/renderer/**/*.window-test.ts'],
          globalSetup: ['tests/renderer/harness/window-stage.ts'],
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
          globalSetup: ['tests/e2e/audit.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
