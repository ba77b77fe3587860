import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Rolldown, type UserConfig } from 'vite';

/**
 * Selects one build per mode: `vite build --mode bridge`; any other mode builds the window (`vite` serves
 * it).
 */
export default defineConfig(({ mode }) => builds[mode] ?? renderer);

const renderer: UserConfig = {
  ...common(),
  root: path('renderer'),
  base: './',
  plugins: [react()],
  // The window's CSP allows neither inline scripts nor data: scripts.
  build: {
    outDir: path('dist/renderer'),
    emptyOutDir: true,
    target: 'chrome130',
    modulePreload: { polyfill: false },
    license: { fileName: 'renderer.licenses.md' },
    chunkSizeWarningLimit: 2_000,
  },
};

const activityWorkerEntry = 'electron/engine/activity/worker/main.ts';

/**
 * A single character beyond Latin-1 would make V8 keep a program's whole text with two bytes per character.
 */
const codegen = { removeWhitespace: true, asciiOnly: true } as const;
/**
 * Functions and classes keep their names, for stack traces; other names are shortened, to reduce what is read
 * at a start.
 */
const plain = { compress: false, mangle: { keepNames: true }, codegen } as const;
/** For small programs, or those whose stack traces nobody sees. */
const small = { compress: true, mangle: true, codegen } as const;

/**
 * Splits the code that a program loads at once into several files: while V8 reads a file, it takes several
 * times its length outside the heap, and keeps most of that. Parts of zod that only lazily loaded code needs
 * stay with that code.
 */
const loadedAtOnce = [
  ['npm', /node_modules[\\/](?!zod[\\/](?!v4[\\/]classic[\\/]coerce))/],
  ['shared', /[\\/]shared[\\/]/],
  ['below', /[\\/]engine[\\/](?:base|jsonrpc|store|catalogue|transport|config|servers)[\\/]/],
  ['middle', /[\\/]engine[\\/](?:routing|gateway|access|pinning|profiles|clients|import|activity)[\\/]/],
].map(([name, test]) => ({ name, test, tags: ['$initial'] }) as Rolldown.CodeSplittingGroup);

const builds: Readonly<Record<string, UserConfig>> = {
  renderer,
  main: nodeBuild({ entry: 'electron/main/main.ts', file: 'main/main.js', parts: true }),
  // A sandboxed preload is loaded as CommonJS and may require little more than electron.
  preload: nodeBuild({ entry: 'electron/preload/preload.ts', file: 'preload/preload.cjs', format: 'cjs' }),
  patchbay: nodeBuild({
    entry: 'electron/cli/patchbay.ts',
    file: 'bin/patchbay.mjs',
    command: true,
    parts: true,
    pieces: true,
  }),
  // The activity worker, beside either of the programs that start it.
  'main-worker': nodeBuild({ entry: activityWorkerEntry, file: 'main/activity-worker.mjs', minify: true }),
  'patchbay-worker': nodeBuild({ entry: activityWorkerEntry, file: 'bin/activity-worker.mjs', minify: true }),
  bridge: nodeBuild({
    entry: 'electron/bridge/main.ts',
    file: 'bin/patchbay-bridge.mjs',
    command: true,
    minify: true,
  }),
  aggregator: nodeBuild({
    entry: 'electron/cli/mcp-simple-aggregator.ts',
    file: 'bin/mcp-simple-aggregator.mjs',
    command: true,
    parts: true,
  }),
};

interface NodeBuild {
  readonly entry: string;
  /** Path inside dist/. */
  readonly file: string;
  readonly format?: 'es' | 'cjs';
  /** Adds a `#!` line. */
  readonly command?: boolean;
  readonly minify?: boolean;
  /**
   * Puts lazily imported code into separate files beside this one, which take no memory until loaded. They
   * import the entry in turn, so it must not await anything at its top level.
   */
  readonly parts?: boolean;
  /** Also splits the code that is loaded at once; for a program that should stay small. */
  readonly pieces?: boolean;
}

/** Builds one file with all dependencies inside, for Node 20.18 (the oldest runtime we run on). */
function nodeBuild(options: NodeBuild): UserConfig {
  const {
    entry,
    file,
    format = 'es',
    command = false,
    minify = false,
    parts = false,
    pieces = false,
  } = options;
  const [folder = '', name = ''] = file.split('/');
  const stem = name.replace(/\.\w+$/, '');
  return {
    ...common(),
    resolve: { alias: { '@neon-rs/load': path('build/libsql-target.mjs') } },
    ssr: { noExternal: true, external: ['electron'], target: 'node' },
    build: {
      ssr: path(entry),
      outDir: path(`dist/${folder}`),
      emptyOutDir: false,
      target: 'node20.18',
      license: { fileName: `${name}.licenses.md` },
      rolldownOptions: {
        treeshake: { manualPureFunctions: ['z'] },
        output: {
          format,
          entryFileNames: name,
          chunkFileNames: `${stem}.[name].mjs`,
          codeSplitting: pieces ? { groups: loadedAtOnce, includeDependenciesRecursively: false } : parts,
          comments: false,
          minify: minify ? small : plain,
          ...(command ? { banner: ({ isEntry }) => (isEntry ? commandBanner() : '') } : {}),
        },
      },
    },
  };
}

/** The packaged launchers run these with Electron as Node; their child processes must not inherit that. */
function commandBanner(): string {
  return '#!/usr/bin/env node\ndelete process.env.ELECTRON_RUN_AS_NODE;';
}

function common(): UserConfig {
  return { root: path('.'), logLevel: 'warn', define: versionDefine(), publicDir: false };
}

function versionDefine(): Record<string, string> {
  const { version }: { version: string } = JSON.parse(readFileSync(path('package.json'), 'utf8'));
  return { __PATCHBAY_VERSION__: JSON.stringify(version) };
}

function path(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
