import { pause } from '../../bench/lib/wait.mjs';
import { nextActions } from '../lib/actions.mjs';
import { judgeRun } from '../lib/invariants.mjs';
import { createRandom } from '../lib/random.mjs';
import { readRecords } from '../lib/records.mjs';
import { setStage } from '../lib/stage.mjs';
import { countRequests, sumOf } from '../report/storm-result.mjs';
import { gone, settled } from './storm.mjs';

const CLIENTS = 16;
/** Requests a client has under way at one time. */
const LANES = 3;
/** Milliseconds in which a step must be over. */
const PATIENCE = 30_000;

/** Both eras, over stdio and over HTTP, shared and one for each client. */
const servers = [
  ...['calm-1', 'quiet-1', 'quiet-2', 'plain-1', 'own-1'],
  ...['narrow-1', 'backed-1', 'remote-1', 'remote-2'],
];
/** Servers that ask back. A remote one shows which call it asks about, so that many may be under way there. */
const asking = ['quiet-1', 'quiet-2', 'remote-1', 'remote-2'];

/** Actions of clients, with their frequency: nothing here harms a server. */
const weights = {
  echo: 8,
  slow: 14,
  cancelled: 6,
  put: 4,
  write: 6,
  ask: 24,
  fail: 2,
  log: 12,
  tools: 3,
  resource: 4,
  subscribe: 8,
  prompt: 4,
  ping: 2,
  keyed: 2,
  unknown: 1,
};

/** Sixteen clients of both eras at once, with nothing failing: whatever reaches a client is its own. */
export async function runCrowd({ seed, steps, journal, log }) {
  const stage = await setStage({ seed, servers, count: CLIENTS, journal });
  const { requests, clients } = stage;
  const cast = { ...stage.cast, quiet: asking };
  try {
    log(`${servers.length} servers, ${CLIENTS} clients, ${steps} steps`);
    await stage.open();
    await Promise.all(clients.map((client) => keepAsking({ client, cast, requests, steps, seed })));
    await settled(requests);
    await stage.close();
    const records = readRecords(stage.folder);
    const verdicts = judgeRun({ requests, records, leftovers: await gone(), back: { missing: [] } });
    return {
      clients: CLIENTS,
      servers: servers.length,
      verdicts,
      requests: countRequests(requests.all),
      seen: sumOf(clients.map(({ seen }) => seen)),
    };
  } finally {
    await stage.abandon();
  }
}

async function keepAsking({ client, cast, requests, steps, seed }) {
  const random = createRandom(seed, client.name);
  const lane = async () => {
    while (requests.all.length < steps) {
      await client.up();
      const actions = nextActions(random, cast, weights).map((action) => client.ask(action));
      await Promise.race([Promise.all(actions), pause(PATIENCE)]);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
