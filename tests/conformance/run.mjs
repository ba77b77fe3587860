/**
 * `npm run test:conformance [set…]`: the official conformance suite, directly against a reference server, through every
 * way Patchbay offers, and with the hub as the client. Prints a table; fails when it differs from baseline.json.
 * `--page` writes the scores of these sets into docs/fidelity.md.
 * `--if-possible`: where the suite cannot be fetched, that is said, and no failure. Writes the results to the file
 * that TEST_REPORT names, if any, as `build/test-reporter.mjs` does; a set stands for a file.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../../build/build.mjs';
import { suiteRunner } from './runner.mjs';

const { values, positionals } = parseArgs({
  options: { 'if-possible': { type: 'boolean' }, page: { type: 'boolean' } },
  allowPositionals: true,
});
const { node, suite } = await suiteRunner().catch((error) => {
  if (values['if-possible'] !== true) throw error;
  console.log(`Not run: ${error.message}`);
  const report = process.env.TEST_REPORT || undefined;
  if (report !== undefined) writeFileSync(report, JSON.stringify({ passed: 0, failed: [], stray: [] }));
  process.exit(0);
});
await ensureBuilt(['patchbay', 'bridge', 'aggregator']);
// Node would read these certificates at each of the many starts, and nothing beyond this machine is reached any more.
delete process.env.NODE_EXTRA_CA_CERTS;
const main = fileURLToPath(new URL('main.ts', import.meta.url));
const version = new URL('version.mjs', import.meta.url).href;
// Under the suite's Node, which reads TypeScript as it is.
const asWritten = ['--no-warnings', '--import', version, main];
const child = spawn(
  node,
  [...asWritten, ...(values.page === true ? ['--page'] : []), suite, ...positionals],
  { stdio: 'inherit' },
);
const [code, signal] = await once(child, 'exit');
if (code !== 0 && code !== 1) console.log(`The run was cut short by ${signal ?? `exit code ${code}`}.`);
process.exit(code ?? 1);
