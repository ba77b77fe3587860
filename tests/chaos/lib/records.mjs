import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads the records that servers wrote: `{ key, event, at, pid, … }`, oldest first. */
export function readRecords(folder) {
  const records = join(folder, 'record');
  return readdirSync(records)
    .flatMap((name) =>
      readFileSync(join(records, name), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => ({ key: name.replace(/\.jsonl$/, ''), ...JSON.parse(line) })),
    )
    .sort((a, b) => a.at - b.at);
}

/** How often each call was run, by tool and call. */
export function runsOf(records, tool) {
  const runs = new Map();
  for (const record of records) {
    if (record.event !== 'run' || record.tool !== tool) continue;
    runs.set(record.call, (runs.get(record.call) ?? 0) + 1);
  }
  return runs;
}

/**
 * Each time a server had to be connected again: how many tries it took once it could be started. A try that somebody
 * cut short (killed, told to end, its hub gone) is none; one that never came about within the run counts as failed.
 */
export function reconnectsOf(records, { isCut, remote }) {
  const reconnects = [];
  for (const [key, own] of grouped(records)) {
    if (remote.includes(key)) {
      reconnects.push(...triesOf(key, own));
      continue;
    }
    const lives = livesOf(own);
    let tries = 0;
    for (const life of lives) {
      if (life.ready === undefined && isCut(key, life)) continue;
      tries += 1;
      if (life.ready === undefined) continue;
      reconnects.push({ key, tries });
      tries = 0;
    }
    if (tries > 0) reconnects.push({ key, tries, failed: true });
  }
  return reconnects;
}

/** At a server that is nobody's child a try is a handshake that was begun. */
function triesOf(key, records) {
  const reconnects = [];
  let tries = 0;
  for (const { event } of records) {
    if (event === 'start') tries = 0;
    if (event === 'try') tries += 1;
    if (event !== 'ready') continue;
    reconnects.push({ key, tries });
    tries = 0;
  }
  return reconnects;
}

/** One process from its start to whatever was noted last. */
function livesOf(records) {
  const byPid = new Map();
  for (const record of records) {
    if (record.event === 'start')
      byPid.set(`${record.pid} ${record.at}`, { pid: record.pid, start: record.at });
    const life = [...byPid.values()].findLast(({ pid }) => pid === record.pid);
    if (life === undefined) continue;
    if (record.event === 'ready') life.ready ??= record.at;
    if (record.event === 'hang-up') life.hungUp = record.at;
  }
  return [...byPid.values()];
}

function grouped(records) {
  const groups = new Map();
  for (const record of records) groups.set(record.key, [...(groups.get(record.key) ?? []), record]);
  return groups;
}
