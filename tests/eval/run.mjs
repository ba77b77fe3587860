/** Runs a program of this folder, which is TypeScript: `node tests/eval/run.mjs search.ts [arguments]`. */
import { join } from 'node:path';
import { runnerImport } from 'vite';

const [program = 'search.ts', ...rest] = process.argv.slice(2);
process.argv.splice(2, process.argv.length, ...rest);
await runnerImport(join(import.meta.dirname, program), { configFile: false, logLevel: 'error' });
