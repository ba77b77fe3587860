import { readdirSync, readFileSync } from 'node:fs';

/**
 * The living processes that `isOurs` says so of, this one and those above it left out. Children inherit their
 * environment wherever they move, which makes it the surest mark. Empty where the system does not show it (all but Linux).
 */
export function processesWhere(isOurs) {
  const above = lineage();
  return pidsOf()
    .filter((pid) => !above.has(pid))
    .map((pid) => ({
      pid,
      environment: `\0${textOf(`/proc/${pid}/environ`)}\0`,
      command: textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim(),
    }))
    .filter((found) => isOurs(found) && !isZombie(found.pid));
}

export function isAlive(pid) {
  return textOf(`/proc/${pid}/stat`) !== '' && !isZombie(pid);
}

/** Resident bytes; undefined for a process that has gone. */
export function residentBytes(pid) {
  const found = /^VmRSS:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`));
  return found === null ? undefined : Number(found[1]) * 1024;
}

export function openFiles(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return undefined;
  }
}

function pidsOf() {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function isZombie(pid) {
  return /\) Z /.test(textOf(`/proc/${pid}/stat`));
}

function lineage() {
  const seen = new Set();
  for (let pid = process.pid; pid > 0 && !seen.has(pid); ) {
    seen.add(pid);
    pid = Number(/\) \S (\d+)/.exec(textOf(`/proc/${pid}/stat`))?.[1] ?? 0);
  }
  return seen;
}

function textOf(file) {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
