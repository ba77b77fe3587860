import { flatnessOf } from '../lib/flatness.mjs';
import { readLiveMemory } from '../lib/live-memory.mjs';
import { reconnectsOf } from '../lib/records.mjs';

/** Builds a storm's part of the report. */
export function resultOf({ stage, records, verdicts, seconds, lives }) {
  const { requests, hub, faults, clients, cast, folder } = stage;
  const isCut = (key, life) => isCutShort(key, life, { hub, faults });
  const reconnects = reconnectsOf(records, { isCut, remote: cast.remote.map(({ key }) => key) });
  const quick = reconnects.filter(({ tries, failed }) => tries <= 2 && !failed).length;
  return {
    seconds,
    servers: cast.servers.length,
    clients: clients.length,
    verdicts,
    requests: countRequests(requests.all),
    seen: sumOf(clients.map(({ seen }) => seen)),
    faults: Object.fromEntries([...faults.done].sort()),
    serverKills: faults.kills.length,
    hubs: {
      lives: hub.lives.length,
      byBridges: hub.lives.filter(({ by }) => by === 'bridge').length,
    },
    reconnects: { all: reconnects.length, withinTwo: quick, share: quick / reconnects.length },
    memory: flatnessOf(readLiveMemory(folder), 'live'),
    resident: flatnessOf(hub.samples, 'resident'),
    files: flatnessOf(hub.samples, 'beside'),
    lives,
    samples: hub.samples,
  };
}

/** Killed by us, told to end by its hub, or of a hub that ended meanwhile. */
function isCutShort(key, { pid, start, hungUp }, { hub, faults }) {
  const soon = 20_000;
  return (
    hungUp !== undefined ||
    faults.kills.some(
      (kill) => kill.key === key && (kill.pid === pid || (kill.at >= start && kill.at < start + soon)),
    ) ||
    hub.lives.some(({ to }) => to !== undefined && to >= start - 500 && to < start + soon)
  );
}

export function countRequests(all) {
  const counts = { all: all.length, result: 0, error: 0, cut: 0, cancelled: 0, byKind: {}, errors: {} };
  for (const { kind, ends, cancelledAt } of all) {
    const end = cancelledAt === undefined ? ends[0] : { kind: 'cancelled' };
    counts.byKind[kind] = (counts.byKind[kind] ?? 0) + 1;
    if (end === undefined) continue;
    counts[end.kind] = (counts[end.kind] ?? 0) + 1;
    if (end.kind !== 'error') continue;
    const code = `${end.code}${end.reason === undefined ? '' : ` ${String(end.reason).slice(0, 60)}`}`;
    counts.errors[code] = (counts.errors[code] ?? 0) + 1;
  }
  return counts;
}

export function sumOf(maps) {
  const sum = {};
  for (const [kind, count] of maps.flatMap((map) => [...map])) sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
}
