import { interleave, sequential } from '../lib/load.mjs';
import { child } from '../lib/places.mjs';
import { openSession, Session } from '../lib/session.mjs';
import { quantile } from '../lib/stats.mjs';
import { openHttp } from '../targets.mjs';

const TEXT = 'x'.repeat(100);

/** The p50 of a 100-byte call in milliseconds, by round, as servers, their tools, and other clients' sessions grow. */
export async function measureGrowth({ targets, size, log, onFailure }) {
  const series = [];
  for (const target of targets) {
    for (const { what, counts, open } of kindsOf(target, size)) {
      log(`${target.name}: ${what}`);
      const points = await measurePoints(counts, open, size, (error) => onFailure(target, error));
      series.push({ name: target.name, what, points });
    }
  }
  return series;
}

function kindsOf(target, size) {
  const bySize = [
    { what: 'servers', counts: size.servers, open: (count) => openSession(target, servers(count, 20)) },
    { what: 'tools', counts: size.tools, open: (count) => openSession(target, servers(1, count)) },
  ];
  if (target.front !== 'http' || size.sessions.length === 0) return bySize;
  return [
    ...bySize,
    { what: 'sessions', counts: size.sessions, open: (count) => openBeside(target, count - 1) },
  ];
}

function servers(count, tools) {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, child('raw', tools)]));
}

/** A session with so many idle ones beside it. */
async function openBeside(target, others) {
  let hub;
  const kept = { ...target, start: async (entries) => (hub = await target.start(entries)) };
  const session = await openSession(kept, servers(1, 100));
  for (let index = 0; index < others; index += 1) {
    await new Session(target, { ...hub, client: await openHttp(hub), own: [] }).greet();
  }
  return session;
}

async function measurePoints(counts, open, size, onFailure) {
  const points = [];
  try {
    for (const count of counts) points.push({ count, session: await open(count), p50: [] });
    for (const { session } of points) await sequential(session.client, session.echoBody(TEXT), size.warmUp);
    await interleave(
      points,
      size.rounds,
      async (point, round) => {
        const { client } = point.session;
        point.p50[round] = quantile(await sequential(client, point.session.echoBody(TEXT), size.calls), 0.5);
      },
      (_point, error) => onFailure(error),
    );
  } catch (error) {
    onFailure(error);
  }
  await Promise.all(points.map(({ session }) => session.close()));
  return points.map(({ count, p50 }) => ({ count, p50 }));
}
