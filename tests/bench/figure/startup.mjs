import { child } from '../lib/places.mjs';
import { Session } from '../lib/session.mjs';
import { pause, within } from '../lib/wait.mjs';

const PATIENCE = 60_000;

/**
 * Milliseconds from the start of a program until a client has the whole list of all its servers, by round; against the
 * servers alone: all started at once, until the slowest has given its list.
 */
export async function measureStartup({ targets, direct, size, log, onFailure }) {
  const shapes = [];
  for (const kind of size.kinds) {
    for (const shape of size.shapes) {
      const rows = [
        { name: 'servers alone', times: [] },
        ...targets.map(({ name }) => ({ name, times: [] })),
      ];
      for (let round = 0; round < size.rounds; round += 1) {
        log(`${shape.servers} x ${shape.tools} (${kind}), round ${round + 1} of ${size.rounds}`);
        const servers = serversOf(kind, shape);
        rows[0].times[round] = await timeAlone(direct, servers);
        for (const [index, target] of targets.entries()) {
          const time = timeUntilListed(target, servers, shape.servers * shape.tools);
          rows[index + 1].times[round] = await time.catch((error) => void onFailure(target, error));
        }
      }
      shapes.push({ kind, ...shape, rows: rows.filter(({ times }) => !times.includes(undefined)) });
    }
  }
  return shapes;
}

function serversOf(kind, { servers, tools }) {
  return Object.fromEntries(Array.from({ length: servers }, (_, index) => [`s${index}`, child(kind, tools)]));
}

async function timeAlone(direct, servers) {
  const begun = performance.now();
  const sessions = await Promise.all(
    Object.entries(servers).map(async ([key, entry]) => {
      const session = new Session(direct, await direct.start({ [key]: entry }));
      await session.greet();
      await session.ask('tools/list');
      return session;
    }),
  );
  const time = performance.now() - begun;
  await Promise.all(sessions.map((session) => session.close()));
  return time;
}

async function timeUntilListed(target, servers, tools) {
  const begun = performance.now();
  const session = new Session(target, await target.start(servers));
  try {
    await session.greet();
    await within(PATIENCE, `${target.name}: the whole list`, listed(session, tools, begun + PATIENCE));
    return performance.now() - begun;
  } finally {
    await session.close();
  }
}

/** Asks again while the list is not whole, as a client does that is told of changes. */
async function listed(session, tools, end) {
  while (performance.now() < end) {
    const list = await session.ask('tools/list');
    if (list.tools.length === tools) return;
    await pause(20);
  }
}
