import { concurrent, interleave, sequential } from '../lib/load.mjs';
import { cpuMicroseconds, residentMegabytes } from '../lib/process.mjs';
import { quantile } from '../lib/stats.mjs';

const TEXT = 'x'.repeat(100);

/**
 * Calls of 100 bytes: one after the other, then 32 in flight; what each block of each target showed, by round. Times
 * are milliseconds, processor time is microseconds a call of the target's own processes, memory is MB.
 */
export async function measureEcho({ sessions, size, log, onFailure }) {
  const rows = sessions.map((session) => ({
    name: session.name,
    p50: [],
    p90: [],
    p99: [],
    perSecond: [],
    cpu: [],
    memory: { idle: residentMegabytes(session.pids) },
  }));
  const rowOf = (session) => rows.find(({ name }) => name === session.name);
  await interleave(sessions, 1, (session) => warmUp(session, size), onFailure);
  await interleave(
    sessions,
    size.rounds,
    async (session, round) => {
      if (session === sessions[0]) log(`round ${round + 1} of ${size.rounds}`);
      await oneBlock(session, rowOf(session), round, size);
    },
    onFailure,
  );
  for (const session of sessions) rowOf(session).memory.after = residentMegabytes(session.pids);
  return rows.filter(({ p50 }) => p50.length === size.rounds);
}

async function warmUp(session, size) {
  const body = session.echoBody(TEXT);
  await concurrent(session.client, body, { calls: size.warmUp, inFlight: 1, milliseconds: 1500 });
  await concurrent(session.client, body, { ...size.concurrent, calls: size.warmUp });
}

async function oneBlock(session, row, round, size) {
  const body = session.echoBody(TEXT);
  const times = await sequential(session.client, body, size.calls);
  row.p50[round] = quantile(times, 0.5);
  row.p90[round] = quantile(times, 0.9);
  row.p99[round] = quantile(times, 0.99);
  const before = cpuMicroseconds(session.pids);
  const { calls, milliseconds } = await concurrent(session.client, body, size.concurrent);
  row.perSecond[round] = (calls / milliseconds) * 1000;
  if (before !== undefined) row.cpu[round] = (cpuMicroseconds(session.pids) - before) / calls;
  await session.proves();
}
