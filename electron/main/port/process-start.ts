import { readFileSync } from 'node:fs';

/**
 * Returns the creation time of this process in epoch milliseconds; null if the system does not report it. On
 * Linux `getCreationTime` is up to a second off, because it counts from a boot time in whole seconds; so the
 * time is computed from the process's age.
 */
export function processStart(getCreationTime: () => number | null): number | null {
  return process.platform === 'linux' ? (startByAge() ?? getCreationTime()) : getCreationTime();
}

function startByAge(): number | undefined {
  try {
    const uptime = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
    // The second field is the program's name in parentheses, which may contain spaces; field 22 is the start
    // in ticks.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    const age = uptime - Number(fields[19]) / ticksPerSecond;
    return Number.isFinite(age) ? Date.now() - age * 1000 : undefined;
  } catch {
    return undefined;
  }
}

/** Constant on every Linux that Electron supports. */
const ticksPerSecond = 100;
