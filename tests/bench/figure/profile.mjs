import { readdir, readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { concurrent } from '../lib/load.mjs';
import { child, root } from '../lib/places.mjs';
import { scratch } from '../lib/scratch.mjs';
import { openSession } from '../lib/session.mjs';

const TEXT = 'x'.repeat(100);
const INTERVAL = '200';
const TOP = 14;
/** Not work: the processor waits for messages. */
const IDLE = new Set(['(idle)', '(root)']);
/** A hub without the program of its desk would be another one: what it does instead would be measured. */
const parts = { 'mcp-simple-aggregator': ['aggregator'], patchbay: ['patchbay', 'patchbay-worker'] };

/**
 * Measures where a program spends its time on the hot path: `node --cpu-prof` under 32 concurrent calls of
 * 100 bytes, as shares of its busy time by function, named by its place in the source.
 */
export async function measureProfile({ targets, size, log, onFailure }) {
  const profiles = [];
  for (const target of targets) {
    log(target.name);
    // Beneath it the packages are found that a program does not have in it; without its database it would be another one.
    const folder = await scratch(join(root, 'dist'));
    try {
      profiles.push({ name: target.name, ...(await profileOf(target, folder.path, size)) });
    } catch (error) {
      onFailure(target, error);
    } finally {
      await folder.remove();
    }
  }
  return profiles;
}

async function profileOf(target, folder, size) {
  const name =
    target.front === 'stdio' && target.name === 'aggregator' ? 'mcp-simple-aggregator' : 'patchbay';
  const file = await buildMapped(name, folder);
  const nodeArgs = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval', INTERVAL];
  const session = await openSession(target, { a: child('raw') }, { nodeArgs, file });
  const load = (milliseconds) =>
    concurrent(session.client, session.echoBody(TEXT), {
      calls: Number.POSITIVE_INFINITY,
      inFlight: 32,
      milliseconds,
    });
  const run = async () => {
    await load(size.milliseconds / 4);
    const begun = monotonicMicroseconds();
    return { ...(await load(size.milliseconds)), begun, ended: monotonicMicroseconds() };
  };
  const { calls, begun, ended } = await run().finally(() => session.close());
  const profile = JSON.parse(await readFile(join(folder, ofMainThread(await readdir(folder))), 'utf8'));
  return { calls, ...ranked(profile, timesBetween(profile, begun, ended), await placeNamer(folder)) };
}

/** Each thread writes one: `CPU.<date>.<time>.<process>.<thread>.<number>.cpuprofile`. */
function ofMainThread(files) {
  return files.find((file) => /^CPU\.\d+\.\d+\.\d+\.0\.\d+\.cpuprofile$/.test(file));
}

/** The clock that a profile's times are of. */
function monotonicMicroseconds() {
  return Number(process.hrtime.bigint() / 1000n);
}

/** Microseconds at each node of the profile while the load was on: neither start nor end of the program. */
function timesBetween({ startTime, samples, timeDeltas }, begun, ended) {
  const times = new Map();
  let now = startTime;
  for (const [index, id] of samples.entries()) {
    now += timeDeltas[index];
    if (now < begun || now > ended) continue;
    times.set(id, (times.get(id) ?? 0) + timeDeltas[index]);
  }
  if (times.size === 0) throw new Error('the profile has no sample of the load');
  return times;
}

/** The program as it is shipped, with maps to its source beside it. */
async function buildMapped(name, folder) {
  for (const mode of parts[name]) {
    const into = { outDir: folder, sourcemap: true };
    await build({ configFile: join(root, 'vite.config.ts'), mode, build: into });
  }
  return join(folder, `${name}.mjs`);
}

/** Names a function by file and line of the source it was built from. */
async function placeNamer(folder) {
  const maps = new Map();
  for (const name of (await readdir(folder)).filter((entry) => entry.endsWith('.mjs.map'))) {
    const file = join(folder, name.slice(0, -'.map'.length));
    maps.set(file, new SourceMap(JSON.parse(await readFile(join(folder, name), 'utf8'))));
  }
  return ({ url, lineNumber, columnNumber }) => {
    const file = url.startsWith('file:') ? fileURLToPath(url) : '';
    const map = maps.get(file);
    if (map === undefined) return url;
    const { originalSource, originalLine } = map.findEntry(lineNumber, columnNumber);
    if (originalSource === undefined) return basename(file);
    const path = relative(root, resolve(folder, originalSource)).replaceAll('\\', '/');
    return `${path.replace(/^.*node_modules\//, '')}:${originalLine + 1}`;
  };
}

function ranked({ nodes }, times, placeOf) {
  const byPlace = new Map();
  let busy = 0;
  for (const { id, callFrame } of nodes) {
    const time = times.get(id) ?? 0;
    if (time === 0 || IDLE.has(callFrame.functionName)) continue;
    busy += time;
    const place = placeOf(callFrame);
    const key = `${callFrame.functionName} ${place}`;
    const entry = byPlace.get(key) ?? { function: callFrame.functionName || '(anonymous)', place, time: 0 };
    entry.time += time;
    byPlace.set(key, entry);
  }
  const all = [...byPlace.values()].sort((a, b) => b.time - a.time);
  const share = (time) => time / busy;
  return {
    top: all.slice(0, TOP).map(({ time, ...entry }) => ({ ...entry, share: share(time) })),
    groups: groupsOf(all, share),
  };
}

/** Shares by whose code it is. */
function groupsOf(all, share) {
  const groups = new Map();
  for (const { function: name, place, time } of all) {
    const group = groupOf(name, place);
    groups.set(group, (groups.get(group) ?? 0) + share(time));
  }
  return [...groups].sort((a, b) => b[1] - a[1]).map(([group, part]) => ({ group, share: part }));
}

function groupOf(name, place) {
  if (name === '(garbage collector)') return 'garbage collection';
  if (place === '' || name === '(program)') return 'native code of Node (system calls, JSON)';
  if (place.startsWith('node:')) return 'JavaScript of Node (streams, http)';
  const own = /^(shared|electron\/(?:engine\/)?[^/]+)\//.exec(place);
  return own === null ? `package ${/^(@[^/]+\/[^/]+|[^/]+)/.exec(place)?.[1] ?? place}` : own[1];
}
