import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { pause, until } from '../../bench/lib/wait.mjs';
import { callOf, nextActions } from '../lib/actions.mjs';
import { judgeRun } from '../lib/invariants.mjs';
import { compareLives } from '../lib/later-lives.mjs';
import { createRandom } from '../lib/random.mjs';
import { readRecords } from '../lib/records.mjs';
import { marked, setStage } from '../lib/stage.mjs';
import { resultOf } from '../report/storm-result.mjs';

/** Requests that a client has in progress at one time. */
const LANES = 4;
/** Milliseconds after the last fault in which everything must have been answered and be back. */
const PATIENCE = 100_000;
/** Seconds of a storm after which enough has been kept to be looked at. */
const LONG = 100;

/** Everything at once, against a real hub, until the time is up; then everything heals and is looked through. */
export async function runStorm({ seed, seconds, servers, clients: count, journal, log }) {
  const stage = await setStage({ seed, servers, count, journal });
  const { requests, hub, faults, clients, cast, random } = stage;
  try {
    log(`${cast.servers.length} servers, ${count} clients`);
    await stage.open();
    const begun = Date.now();
    const end = begun + seconds * 1_000;
    const work = clients.map((client) => keepAsking(client, cast, createRandom(seed, client.name), end));
    const tell = () =>
      log(
        `${requests.all.length} requests, ${requests.pending().length} under way, ${requests.violations.length} violations`,
      );
    await strike({ faults, random, hubRandom: createRandom(seed, 'hub'), begun, end, tell });
    hub.stopSampling();
    await faults.healed();
    log('healing');
    await hub.start();
    // A client may be waiting for an answer that never comes.
    await Promise.race([Promise.all(work), pause(PATIENCE)]);
    await settled(requests);
    const back = await askAll(stage);
    await stage.close();
    const leftovers = await gone();
    const records = readRecords(stage.folder);
    checkUntouched(records, cast, requests);
    const verdicts = judgeRun({ requests, records, leftovers, back });
    if (verdicts.some(({ ok }) => !ok)) await keepEvidence(stage.folder, journal.file);
    if (seconds >= LONG) log('lives after the storm');
    const lives = seconds >= LONG ? await compareLives({ ...stage, servers: cast.servers }) : undefined;
    return resultOf({ stage, records, verdicts, seconds, lives });
  } finally {
    await stage.abandon();
  }
}

async function keepAsking(client, cast, random, end) {
  const lane = async () => {
    while (Date.now() < end) {
      await Promise.race([client.up(), pause(end - Date.now())]);
      if (client.isUp) await Promise.all(nextActions(random, cast).map((action) => client.ask(action)));
      await pause(random.between(20, 350));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** In the second half the hub is left alive, so that one life is long enough to judge its memory by. */
async function strike({ faults, random, hubRandom, begun, end, tell }) {
  const again = async (time, act, least, most, chance) => {
    for (;;) {
      const wait = chance.between(least, most);
      if (Date.now() + wait > time) return;
      // One whose time comes within the storm is not left out because a busy machine wakes us late.
      await pause(wait);
      act();
    }
  };
  const half = begun + (end - begun) / 2;
  await Promise.all([
    again(end, () => faults.strike(), 150, 1_200, random),
    again(half, () => faults.strikeHub(), 3_000, 25_000, hubRandom),
    again(end, tell, 15_000, 15_000, { between: (least) => least }),
  ]);
}

/** Everything that waits gets its answer, or shows that it gets none. */
export async function settled(requests) {
  await until(PATIENCE, 'answers', () => (requests.pending().length === 0 ? true : undefined), 100).catch(
    () => {},
  );
}

/** Each server does something for a client over each way, within the patience; by a tool that nobody called before. */
async function askAll({ clients, cast }) {
  const end = Date.now() + PATIENCE;
  const missing = [];
  await Promise.all(
    cast.spared.map(async (key) => {
      for (const client of clients.slice(0, 2)) {
        let outcome;
        while (outcome?.kind !== 'result' && Date.now() < end) {
          const late = pause(end - Date.now());
          await Promise.race([client.up(), late]);
          outcome = await Promise.race([client.ask(callOf(key, 'here')), late]);
          if (outcome?.kind !== 'result') await pause(500);
        }
        if (outcome?.kind !== 'result') missing.push(`${key} for ${client.name} (${outcome?.reason})`);
      }
    }),
  );
  return { missing };
}

/** Returns the processes that still live although everything was stopped in order. */
export async function gone() {
  await until(15_000, 'the end of all', () => (marked().length === 0 ? true : undefined), 100).catch(
    () => {},
  );
  return marked();
}

/** Saves the records of hub and servers beside the journal. */
async function keepEvidence(folder, journal) {
  const kept = `${journal}.files`;
  await cp(join(folder, 'record'), join(kept, 'record'), { recursive: true });
  await cp(join(folder, 'data', 'logs'), join(kept, 'logs'), { recursive: true });
}

/**
 * Checks servers that were never hit. Their parent is the hub itself: a second start by the same hub is one
 * too many.
 */
function checkUntouched(records, { untouched }, requests) {
  for (const key of untouched) {
    const parents = records
      .filter((record) => record.key === key && record.event === 'start' && record.parent !== 1)
      .map(({ parent }) => parent);
    const again = parents.find((parent, index) => parents.indexOf(parent) !== index);
    if (again !== undefined)
      requests.violate(
        'what nothing happened to is started once',
        `${key} was started twice by hub ${again}`,
      );
  }
}
