import { fileURLToPath } from 'node:url';
import { root } from '../../bench/lib/places.mjs';
import { HitBudget } from './hit-budget.mjs';

const program = fileURLToPath(new URL('../program/server.mjs', import.meta.url));

/**
 * The servers of a run, the most telling ones first. What may be done to each: `kill` its process, `toggle` its entry,
 * `edit` its entry. Roles: `quiet` ones are only ever asked to ask back, so that it is mostly certain whom they ask;
 * `sleepy` ones are hardly ever called; `own` ones run once for each client; `doomed` ones are hit without mercy. About
 * half have the trait `modern`: they know no sessions.
 */
const parts = [
  { key: 'calm-1' },
  { key: 'quiet-1', role: 'quiet', faults: ['kill'] },
  { key: 'quiet-2', role: 'quiet', traits: ['modern'], faults: ['kill'] },
  { key: 'plain-1', traits: ['modern'], faults: ['kill', 'edit'] },
  { key: 'family-1', traits: ['family'], faults: ['kill', 'edit'] },
  { key: 'stubborn-1', traits: ['stubborn', 'modern'], faults: ['kill', 'edit'] },
  { key: 'own-1', role: 'own', faults: ['kill'], options: { isolation: 'per-client' } },
  {
    key: 'sleepy-1',
    role: 'sleepy',
    traits: ['family'],
    faults: ['kill'],
    options: { start: 'on-demand', idleStop: 1_500 },
  },
  { key: 'narrow-1', traits: ['modern'], faults: ['kill'], limit: 2, options: { concurrency: 2 } },
  {
    key: 'backed-1',
    traits: ['modern'],
    faults: ['kill', 'edit'],
    standIn: 'calm-1',
    options: { fallback: { echo: ['calm-1:echo'] } },
  },
  { key: 'garbage-1', traits: ['garbage'], faults: ['kill'] },
  { key: 'toggled-1', traits: ['modern'], faults: ['kill', 'toggle'] },
  { key: 'slow-1', traits: ['slow'], faults: ['kill', 'edit'] },
  { key: 'remote-1', role: 'remote', traits: ['modern'], faults: ['kill'] },
  { key: 'wrapped-1', wrap: 'shell', traits: ['family', 'modern'], faults: ['kill', 'edit'] },
  { key: 'everything', role: 'foreign', package: 'everything', faults: ['kill'] },
  { key: 'toggled-2', traits: ['family'], faults: ['kill', 'toggle'] },
  { key: 'stubborn-2', traits: ['stubborn', 'family'], faults: ['kill', 'toggle'] },
  { key: 'garbage-2', traits: ['garbage', 'slow', 'modern'], faults: ['kill', 'edit'] },
  { key: 'remote-2', role: 'remote', traits: ['slow'], faults: ['kill'] },
  { key: 'doomed-1', role: 'doomed', faults: ['kill'] },
];

export const largestCast = parts.length;

/** The first servers, if `wanted` is a number, or those of these keys; `ports` are for those reached over HTTP, by key. */
export function castOf(wanted, { folder, ports }) {
  const taken = Array.isArray(wanted)
    ? parts.filter(({ key }) => wanted.includes(key))
    : parts.slice(0, wanted);
  const chosen = taken.map((part) => ({ faults: [], traits: [], role: 'ours', ...part }));
  const of = (test) => chosen.filter(test).map(({ key }) => key);
  return {
    servers: chosen.map((part) => ({
      ...part,
      entry: {
        ...entryOf(part, folder, ports),
        // The tools change all the time.
        patchbay: { guard: 'off', ...part.options },
      },
    })),
    /** Speak as our fixture does. */
    ours: of(({ role }) => ['ours', 'remote', 'own', 'doomed'].includes(role)),
    quiet: of(({ role }) => role === 'quiet'),
    sleepy: of(({ role }) => role === 'sleepy'),
    foreign: of(({ package: name }) => name === 'everything'),
    /** May be told to crash or to hang. */
    fragile: of(({ role, faults }) => ['ours', 'doomed'].includes(role) && faults.includes('kill')),
    /** Taken care of, so that they must be back at the end. */
    spared: of(({ role, package: name }) => role !== 'doomed' && name === undefined),
    budget: new HitBudget(of(({ role }) => role === 'doomed')),
    /** Never switched off, so always listed. */
    steady: of(({ faults }) => !faults.includes('toggle')),
    untouched: of(({ faults }) => faults.length === 0),
    remote: chosen.filter(({ role }) => role === 'remote'),
    /** Further conditions that a server's answers must meet. */
    terms: new Map(chosen.map((part) => [part.key, termsOf(part)])),
    with: (fault) => of(({ faults }) => faults.includes(fault)),
  };
}

/** `owners`: which client each process has served, where it may serve but one. */
function termsOf({ limit, standIn, role }) {
  return { limit, standIn, ...(role === 'own' ? { owners: new Map() } : {}) };
}

/** The command line of one of our servers. */
export const commandOf = ({ key, traits }, folder, ...more) => [program, key, folder, ...traits, ...more];

function entryOf(part, folder, ports) {
  const { key, role, package: name, wrap } = part;
  if (role === 'remote') return { type: 'http', url: `http://127.0.0.1:${ports[key]}/mcp` };
  // As users have it: a runner, a shell, and the server below them.
  if (name === 'everything')
    return { command: 'npx', args: ['--no-install', 'mcp-server-everything'], cwd: root };
  const args = commandOf(part, folder);
  if (wrap !== 'shell') return { command: process.execPath, args };
  return { command: 'sh', args: ['-c', '"$0" "$@"; exit $?', process.execPath, ...args] };
}
