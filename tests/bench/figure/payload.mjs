import { interleave } from '../lib/load.mjs';
import { quantile } from '../lib/stats.mjs';
import { within } from '../lib/wait.mjs';

const MEGABYTE = 1_000_000;
/** Text as it is: lines, so that there is something to escape. */
const LINE = `${'The quick brown fox jumps over the lazy dog and back again, '.repeat(2)}\n`;

/** Echoes of 1 and 10 MB, by round, in milliseconds; then, if asked for, one as large as anything may be. */
export async function measurePayload({ sessions, size, log, onFailure }) {
  const rows = sessions.map(({ name }) => ({ name, times: {}, failures: {} }));
  const rowOf = (session) => rows.find(({ name }) => name === session.name);
  let left = sessions;
  for (const [megabytes, repeats] of Object.entries(size.repeats)) {
    log(`${megabytes} MB`);
    left = await rounds(left, { ...size, megabytes: Number(megabytes), repeats }, rowOf, onFailure);
  }
  if (size.largest === undefined) return rows;
  log(`${size.largest} MB`);
  await rounds(left, { ...size, megabytes: size.largest, repeats: 1, rounds: 1 }, rowOf, onFailure);
  return rows;
}

/** Resolves with those that got through. */
async function rounds(sessions, { megabytes, repeats, rounds: count, patience }, rowOf, onFailure) {
  const text = LINE.repeat(Math.ceil((megabytes * MEGABYTE) / LINE.length));
  const bodies = new Map(sessions.map((session) => [session, session.echoBody(text)]));
  const lost = new Set();
  await interleave(
    sessions,
    count,
    async (session, round) => {
      const row = rowOf(session);
      row.times[megabytes] ??= [];
      row.times[megabytes][round] = await timed(session, bodies.get(session), {
        repeats,
        patience,
        length: text.length,
      });
    },
    (session, error) => {
      lost.add(session);
      rowOf(session).failures[megabytes] = error.message;
      onFailure(session, new Error(`${megabytes} MB: ${error.message}`, { cause: error.cause }));
    },
  );
  return sessions.filter((session) => !lost.has(session));
}

async function timed(session, body, { repeats, patience, length }) {
  const times = [];
  for (let index = 0; index < repeats; index += 1) {
    const begun = performance.now();
    const answer = await within(patience, 'echo', session.client.exchange(body));
    times.push(performance.now() - begun);
    if (session.client.size(answer) < length)
      throw new Error(session.client.read(answer).error?.message ?? 'cut short');
  }
  return quantile(times, 0.5);
}
