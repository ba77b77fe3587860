import { child } from '../lib/places.mjs';
import { bodyOf, openSession } from '../lib/session.mjs';
import { median } from '../lib/stats.mjs';
import { within } from '../lib/wait.mjs';

const PATIENCE = 20_000;

/**
 * `tools/list` of one server with 10,000 tools, in milliseconds by round: the first time a client asks a program that
 * has had its answer to a call already, so that its start does not count, and the median of the times after.
 */
export async function measureList({ targets, size, log, onFailure }) {
  const rows = targets.map(({ name }) => ({ name, first: [], again: [] }));
  const servers = { a: child('sdk', size.tools) };
  for (let round = 0; round < size.rounds; round += 1) {
    for (const [index, target] of targets.entries()) {
      const row = rows[index];
      if (row.failure !== undefined) continue;
      log(`round ${round + 1} of ${size.rounds}: ${target.name}`);
      try {
        await oneRound(target, servers, size, row, round);
      } catch (error) {
        row.failure = error.message;
        onFailure(target, error);
      }
    }
  }
  return rows;
}

async function oneRound(target, servers, size, row, round) {
  const session = await openSession(target, servers);
  try {
    const [first, ...again] = await listRepeatedly(session, size.repeats + 1);
    row.first[round] = first.milliseconds;
    row.again[round] = median(again.map(({ milliseconds }) => milliseconds));
    row.bytes = session.client.size(first.answer);
    row.tools = session.client.read(first.answer).result.tools.length;
  } finally {
    await session.close();
  }
}

async function listRepeatedly(session, times) {
  const body = bodyOf('tools/list');
  const lists = [];
  for (let index = 0; index < times; index += 1) {
    const begun = performance.now();
    const answer = await within(PATIENCE, 'tools/list', session.client.exchange(body));
    lists.push({ answer, milliseconds: performance.now() - begun });
  }
  return lists;
}
