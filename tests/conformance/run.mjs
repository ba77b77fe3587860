/**
 * `npm run test:conformance [set…]`: the official conformance suite, directly against a reference server, through every
 * way Patchbay offers, and with the hub as the client. Prints a table; fails when it differs from baseline.json.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { buildParts } from '../../build/build.mjs';
import { suiteRunner } from './runner.mjs';

const { node, suite } = await suiteRunner();
await buildParts(['patchbay', 'bridge', 'aggregator']);
const main = fileURLToPath(new URL('main.ts', import.meta.url));
const version = new URL('version.mjs', import.meta.url).href;
// Under the suite's Node, which reads TypeScript as it is.
const asWritten = ['--no-warnings', '--import', version, main];
const child = spawn(node, [...asWritten, suite, ...process.argv.slice(2)], { stdio: 'inherit' });
const [code] = await once(child, 'exit');
process.exit(code ?? 1);
