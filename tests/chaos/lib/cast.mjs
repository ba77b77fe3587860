import { fileURLToPath } from 'node:url';
import { root } from '../../bench/lib/places.mjs';

const program = fileURLToPath(new URL('../program/server.mjs', import.meta.url));

/**
 * The servers of a run, the most telling ones first. What may be done to each: `kill` its process, `toggle` its entry,
 * `edit` its entry. `quiet` ones are only ever asked to ask back, so that it is mostly certain whom they ask.
 */
const parts = [
  { key: 'calm-1' },
  { key: 'quiet-1', role: 'quiet', faults: ['kill'] },
  { key: 'plain-1', faults: ['kill', 'edit'] },
  { key: 'family-1', traits: ['family'], faults: ['kill', 'edit'] },
  { key: 'stubborn-1', traits: ['stubborn'], faults: ['kill', 'edit'] },
  { key: 'garbage-1', traits: ['garbage'], faults: ['kill'] },
  { key: 'toggled-1', faults: ['kill', 'toggle'] },
  { key: 'slow-1', traits: ['slow'], faults: ['kill', 'edit'] },
  { key: 'remote-1', role: 'remote', faults: ['kill'] },
  { key: 'wrapped-1', wrap: 'shell', traits: ['family'], faults: ['kill', 'edit'] },
  { key: 'everything', role: 'foreign', package: 'everything', faults: ['kill'] },
  { key: 'memory', role: 'foreign', package: 'memory', faults: ['kill'] },
  { key: 'toggled-2', traits: ['family'], faults: ['kill', 'toggle'] },
  { key: 'quiet-2', role: 'quiet', faults: ['kill'] },
  { key: 'family-2', traits: ['family', 'slow'], faults: ['kill', 'edit'] },
  { key: 'stubborn-2', traits: ['stubborn', 'family'], faults: ['kill', 'toggle'] },
  { key: 'garbage-2', traits: ['garbage', 'slow'], faults: ['kill', 'edit'] },
  { key: 'remote-2', role: 'remote', traits: ['slow'], faults: ['kill'] },
  { key: 'plain-2', faults: ['kill', 'edit'] },
  { key: 'calm-2' },
];

export const largestCast = parts.length;

/** The first `count` servers; `ports` are for those reached over HTTP, by key. */
export function castOf(count, { folder, ports }) {
  const chosen = parts.slice(0, count).map((part) => ({ faults: [], traits: [], role: 'ours', ...part }));
  const of = (test) => chosen.filter(test).map(({ key }) => key);
  return {
    servers: chosen.map((part) => ({ ...part, entry: entryOf(part, folder, ports) })),
    /** Speak as our fixture does. */
    ours: of(({ role }) => role === 'ours' || role === 'remote'),
    quiet: of(({ role }) => role === 'quiet'),
    foreign: of(({ package: name }) => name === 'everything'),
    /** May be told to crash or to hang. */
    fragile: of(({ role, faults }) => role === 'ours' && faults.includes('kill')),
    /** Never switched off, so always listed. */
    steady: of(({ faults }) => !faults.includes('toggle')),
    untouched: of(({ faults }) => faults.length === 0),
    remote: chosen.filter(({ role }) => role === 'remote'),
    with: (fault) => of(({ faults }) => faults.includes(fault)),
  };
}

/** The command line of one of our servers. */
export const commandOf = ({ key, traits }, folder, ...more) => [program, key, folder, ...traits, ...more];

function entryOf(part, folder, ports) {
  const { key, role, package: name, wrap } = part;
  if (role === 'remote') return { type: 'http', url: `http://127.0.0.1:${ports[key]}/mcp` };
  // As users have it: a runner, a shell, and the server below them.
  if (name === 'everything')
    return { command: 'npx', args: ['--no-install', 'mcp-server-everything'], cwd: root };
  if (name === 'memory')
    return {
      command: process.execPath,
      args: [
        fileURLToPath(
          new URL(
            `../../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`,
            import.meta.url,
          ),
        ),
      ],
      env: { MEMORY_FILE_PATH: `${folder}/memory.json` },
    };
  const args = commandOf(part, folder);
  if (wrap !== 'shell') return { command: process.execPath, args };
  return { command: 'sh', args: ['-c', '"$0" "$@"; exit $?', process.execPath, ...args] };
}
