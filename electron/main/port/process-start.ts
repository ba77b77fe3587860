import { readFileSync } from 'node:fs';

/**
 * When this process was created, in epoch milliseconds; null where the system does not tell. On Linux the answer of
 * `getCreationTime` is up to a second off, since the boot time it counts from is kept in whole seconds; so it is
 * reckoned back from the age.
 */
export function processStart(getCreationTime: () => number | null): number | null {
  return process.platform === 'linux' ? (startByAge() ?? getCreationTime()) : getCreationTime();
}

function startByAge(): number | undefined {
  try {
    const uptime = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
    // The second field is the program's name in brackets, which may hold spaces; field 22 is the start in ticks.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    const age = uptime - Number(fields[19]) / ticksPerSecond;
    return Number.isFinite(age) ? Date.now() - age * 1000 : undefined;
  } catch {
    return undefined;
  }
}

/** The same on every Linux that Electron runs on. */
const ticksPerSecond = 100;
