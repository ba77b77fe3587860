import type { ServerView } from '../../shared/model/server.ts';
import { delay, systemClock } from '../engine/base/clock.ts';
import type { HubServerArgs } from './hub-args.ts';
import type { HubChannel } from './hub-channel.ts';
import { print, printError } from './print.ts';
import { problemText } from './report.ts';
import { withHub } from './with-hub.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Milliseconds to wait for a server to be connected or to fail. */
const patience = 60_000;
const lookEvery = 200;

/** Runs `patchbay restart SERVER`; resolves to the exit code: 0 once it is up again. */
export function runRestart(args: HubServerArgs, env: Environment): Promise<number> {
  const { server: key } = args;
  return withHub(args.dataDir, env, async (hub) => {
    const before = (await look(hub, key))?.since;
    await hub.ask('server.restart', { key });
    const outcome = await settled(hub, key, before);
    if (outcome === undefined) return tell(`${key} is still starting; see patchbay status.`, 1);
    if (outcome.status === 'disabled') return tell(`${key} is turned off, so it was not started.`, 1);
    const { connectedAt, problem } = outcome;
    if (connectedAt === undefined && problem !== undefined) return tell(problemText(problem), 1);
    print(`${key} is up again.\n`);
    return 0;
  });
}

function tell(text: string, code: number): number {
  printError(`${text}\n`);
  return code;
}

/** Returns the server once it is connected or has failed; undefined if that takes too long. */
async function settled(
  hub: HubChannel,
  key: string,
  before: number | undefined,
): Promise<ServerView | undefined> {
  const end = systemClock.now() + patience;
  while (systemClock.now() < end) {
    const server = await look(hub, key);
    if (server === undefined || hasOutcome(server, before)) return server;
    await delay(systemClock, lookEvery);
  }
  return undefined;
}

/** The state before the restart does not count as its outcome. */
function hasOutcome(
  { status, since, connectedAt, problem }: ServerView,
  before: number | undefined,
): boolean {
  if (status === 'disabled') return true;
  if (status === 'connecting' || since === before) return false;
  return connectedAt !== undefined || problem !== undefined;
}

async function look(hub: HubChannel, key: string): Promise<ServerView | undefined> {
  const { servers } = await hub.ask('hub.status', undefined);
  return servers.find((server) => server.key === key);
}
