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
const here = (file) => new URL(file, import.meta.url);
// Under the suite's Node, which reads TypeScript as it is.
const asWritten = ['--no-warnings', '--import', here('version.mjs').href, fileURLToPath(here('main.ts'))];
const child = spawn(node, [...asWritten, suite, ...process.argv.slice(2)], { stdio: 'inherit' });
const [code] = await once(child, 'exit');
process.exit(code ?? 1);
