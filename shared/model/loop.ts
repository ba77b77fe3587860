import { type Problem, problem } from '../error/problem.ts';

/**
 * Environment variable of every child of a hub or command: the ids of all hubs and commands above it,
 * outermost first. A program that finds its own id there was started by itself and must refuse to continue.
 */
export const ancestorsVariable = 'PATCHBAY_ANCESTORS';

/**
 * Environment variable of every child: the server processes it belongs to, outermost first, each with the hub
 * or command that owns it. Everything that a server starts inherits it, in any session and under any parent,
 * and is stopped with it.
 */
export const processTagVariable = 'PATCHBAY_RUNS';

/** HTTP header with the chain of ancestors; sent only to servers on this machine. */
export const ancestorsHeader = 'patchbay-ancestors';

/** Id of the hub that owns a data folder. */
export const hubInstanceId = (dataDir: string): string => `hub ${dataDir}`;

/** Id of a command that runs a configuration file, given as a real path. */
export const commandInstanceId = (configFile: string): string => `command ${configFile}`;

/** Returns the ids in a marker, outermost first; a missing or empty marker has none. */
export function readAncestors(marker: string | undefined): readonly string[] {
  if (marker === undefined || marker === '') return [];
  return marker.split(',').map(decode);
}

/** Returns the marker for the children of `instanceId`, which itself runs under `marker`. */
export function extendAncestors(marker: string | undefined, instanceId: string): string {
  return [...readAncestors(marker), instanceId].map(encodeURIComponent).join(',');
}

/** Returns the problem if `instanceId` was started by its own descendant; else undefined. */
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
