/** `npm run chaos`: a real hub with real servers and clients, while everything that can go wrong does. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildParts } from '../../build/build.mjs';
import { root } from '../bench/lib/places.mjs';
import { machine } from '../bench/report/machine.mjs';
import { createJournal } from './lib/journal.mjs';
import { readOptions, usage } from './options.mjs';
import { runCrashLoop } from './phase/crash-loop.mjs';
import { runCrowd } from './phase/crowd.mjs';
import { runIdle } from './phase/idle.mjs';
import { runMany } from './phase/many.mjs';
import { runStorm } from './phase/storm.mjs';
import { renderDocument } from './report/document.mjs';
import { printReport, printTraces } from './report/print.mjs';
import { revision } from './report/revision.mjs';
import { verdictsOf } from './report/verdicts.mjs';

const runs = { storm: runStorm, crowd: runCrowd, crashloop: runCrashLoop, many: runMany, idle: runIdle };
/** Milliseconds beyond the storm's own time in which a run is over, whatever happens. */
const LIMIT = 20 * 60_000;

const options = readCommandLine();
const begun = performance.now();
const seconds = () => Math.round((performance.now() - begun) / 1_000);
const watchdog = setTimeout(
  () => {
    console.error(`The run took far too long and was ended. Its journal: ${journal.file}`);
    process.exit(1);
  },
  options.seconds * 1_000 + LIMIT,
);
const log = (text) => process.stderr.write(`${String(seconds()).padStart(5)} s  ${text}\n`);

const result = { seed: options.seed, revision: await revision(), machine: machine() };
if (options.builds) await buildParts(['patchbay', 'bridge']);
const journal = createJournal(options.seed);
for (const name of options.phases) result[name] = await runs[name]({ ...options, journal, log });
result.took = seconds();
await journal.close();

printReport(result);
const isBroken = verdictsOf(result).some(({ ok }) => ok === false);
if (isBroken || options.keep) await printTraces(result, journal.file);
else await journal.remove();
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(result, undefined, 1)}\n`);
if (options.writesDocument) await writeFile(join(root, 'docs', 'chaos.md'), renderDocument(result));
clearTimeout(watchdog);
process.exit(isBroken ? 1 : 0);

function readCommandLine() {
  try {
    const read = readOptions(process.argv.slice(2));
    if (!read.help) return read;
    process.stdout.write(usage);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${error.message}\n${usage}`);
    process.exit(2);
  }
}
