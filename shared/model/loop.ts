import { type Problem, problem } from '../error/problem.ts';

/**
 * Environment variable that every child of a hub or command carries: the ids of all hubs and commands above it,
 * outermost first. A program that finds its own id there was started by itself, and must refuse to go on.
 */
export const ancestorsVariable = 'PATCHBAY_ANCESTORS';

/**
 * Environment variable of every child: the runs of servers it belongs to, outermost first, each with the hub or command
 * that owns it. Whatever a server starts inherits it, in whatever session and under whatever parent, and ends with it.
 */
export const runsVariable = 'PATCHBAY_RUNS';

/** The chain of ancestors as an HTTP header; sent only to servers on this machine. */
export const ancestorsHeader = 'patchbay-ancestors';

/** Id of the hub that owns a data folder. */
export const hubInstanceId = (dataDir: string): string => `hub ${dataDir}`;

/** Id of a command that runs a configuration file, given as a real path. */
export const commandInstanceId = (configFile: string): string => `command ${configFile}`;

/** The ids in a marker, outermost first; a missing or empty one has none. */
export function readAncestors(marker: string | undefined): readonly string[] {
  if (marker === undefined || marker === '') return [];
  return marker.split(',').map(decode);
}

/** The marker for the children of `instanceId`, itself running under `marker`. */
export function extendAncestors(marker: string | undefined, instanceId: string): string {
  return [...readAncestors(marker), instanceId].map(encodeURIComponent).join(',');
}

/** What to answer with when `instanceId` was reached from below itself; undefined if it was not. */
export function loopProblem(marker: string | undefined, instanceId: string): Problem | undefined {
  const ancestors = readAncestors(marker);
  if (!ancestors.includes(instanceId)) return undefined;
  return problem(
    'server.loop',
    'This would be a loop: Patchbay was started by one of its own servers.',
    'Remove the entry that starts or connects to Patchbay from its own list of servers.',
    { chain: [...ancestors, instanceId].join(' > ') },
  );
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
