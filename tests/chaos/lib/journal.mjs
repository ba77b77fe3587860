import { createWriteStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Everything that happened, a line of JSON each, in a file that is kept only where something is to be looked into. */
export function createJournal(seed) {
  const file = join(tmpdir(), `patchbay-chaos-${seed}-${process.pid}.jsonl`);
  const stream = createWriteStream(file, { mode: 0o600 });
  const counts = new Map();
  return {
    file,
    note(event, more = {}) {
      counts.set(event, (counts.get(event) ?? 0) + 1);
      stream.write(`${JSON.stringify({ at: Date.now(), event, ...more })}\n`);
    },
    counts: () => Object.fromEntries([...counts].sort()),
    close: () => new Promise((resolve) => stream.end(resolve)),
    remove: () => rm(file, { force: true }),
  };
}

/** Returns the journal's lines about one request, with the faults and lives around it. */
export async function traceOf(file, call) {
  const lines = (await readFile(file, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const own = lines.filter((line) => line.call === call);
  if (own.length === 0) return [];
  const [from, to] = [own[0].at - 1_000, own.at(-1).at + 1_000];
  const isAround = ({ at, event }) => at >= from && at <= to && /^(fault|hub|bridge|session)/.test(event);
  return lines.filter((line) => line.call === call || isAround(line));
}
