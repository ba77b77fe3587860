/** `npm run bench`: Patchbay against the least a program in between must do, and against others, in one run. */
import { writeFile } from 'node:fs/promises';
import { buildParts } from '../../build/build.mjs';
import { figures } from './figures.mjs';
import { document } from './lib/places.mjs';
import { readOptions, usage } from './options.mjs';
import { install, peers } from './peers.mjs';
import { readNotes, renderDocument } from './report/document.mjs';
import { goalsOf } from './report/goals.mjs';
import { machine } from './report/machine.mjs';
import { printReport } from './report/print.mjs';
import { targets } from './targets.mjs';

/** Long before this a healthy run is over. */
const LIMIT = { full: 20 * 60_000, quick: 4 * 60_000 };

const options = readCommandLine();
const begun = performance.now();
const place = machine();
const watchdog = setTimeout(() => {
  console.error('The bench took far too long and was ended.');
  process.exit(1);
}, LIMIT[options.mode]);

await buildParts(['patchbay', 'bridge', 'aggregator']);
const skipped = [];
const chosen = await choose();
const measured = {};
for (const name of options.figures) {
  const log = (text) =>
    process.stderr.write(
      `${String(Math.round((performance.now() - begun) / 1000)).padStart(4)} s  ${name}: ${text}\n`,
    );
  measured[name] = await figures[name]({
    targets: chosen,
    size: options.size[name],
    before: options.before,
    log,
    onFailure: (target, error) => {
      log(`${target.name} failed: ${error.message}${causeOf(error)}`);
      skipped.push({ name: target.name, figure: name, reason: firstLine(error) });
    },
  });
}

const result = {
  mode: options.mode,
  machine: place,
  seconds: Math.round((performance.now() - begun) / 1000),
  targets: chosen.map(({ start, ...known }) => known),
  skipped,
  figures: measured,
};
result.goals = goalsOf(result);
printReport(result);
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(result, undefined, 1)}\n`);
if (options.writesDocument) await writeFile(document, renderDocument(result, await readNotes(document)));
clearTimeout(watchdog);
process.exit(0);

function readCommandLine() {
  try {
    const known = { figures: Object.keys(figures), targets: [...targets, ...peers].map(({ name }) => name) };
    const read = readOptions(process.argv.slice(2), known);
    if (!read.help) return read;
    process.stdout.write(usage);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${error.message}\n${usage}`);
    process.exit(2);
  }
}

/** Targets asked for, with those that everything is compared to; peers by default only where there is time for them. */
async function choose() {
  const wanted = options.targets ?? (options.mode === 'full' ? peers : []).map(({ name }) => name);
  const own = targets.filter(
    ({ name, role }) => !isOptional(role) || options.targets === undefined || wanted.includes(name),
  );
  const others = [];
  for (const peer of peers.filter(({ name }) => wanted.includes(name))) {
    try {
      await install(peer);
      others.push(peer);
    } catch (error) {
      skipped.push({ name: peer.name, figure: 'all', reason: firstLine(error) });
    }
  }
  return [...own, ...others];
}

function isOptional(role) {
  return role === 'ours' || role === 'plain';
}

function firstLine({ message }) {
  return message.split('\n', 1)[0].slice(0, 160);
}

/** For the terminal only: it may tell of this machine. */
function causeOf({ cause }) {
  return cause === undefined ? '' : ` (${String(cause).replaceAll(/\s+/g, ' ').slice(-200)})`;
}
