import type { Command } from 'commander';
import type { ServerView } from '../../../shared/model/server/server.ts';
import { delay, systemClock } from '../../engine/base/clock.ts';
import type { CliCommand, Environment } from '../terminal/cli-command.ts';
import { dataDirOption } from '../terminal/option-values.ts';
import { print, printError } from '../terminal/print.ts';
import { problemText } from '../terminal/problem-text.ts';
import type { HubChannel } from './hub-channel.ts';
import { withHub } from './with-hub.ts';

export interface RestartArgs {
  readonly kind: 'restart';
  readonly dataDir?: string;
  readonly server: string;
}

export const restartCommand: CliCommand<RestartArgs> = { describe: describeRestart, run: runRestart };

function describeRestart(command: Command, onRestart: (args: RestartArgs) => void): void {
  command
    .command('restart <server>')
    .description('restart a server and wait until it is connected')
    .option(...dataDirOption)
    .action((server: string, folder: { readonly dataDir?: string }) =>
      onRestart({ kind: 'restart', server, ...folder }),
    );
}

/** Milliseconds to wait for a server to be connected or to fail. */
const timeoutMs = 60_000;
const pollIntervalMs = 200;

/** Runs `patchbay restart SERVER`; resolves to the exit code: 0 once it is up again. */
function runRestart(args: RestartArgs, env: Environment): Promise<number> {
  const { server: key } = args;
  return withHub(args.dataDir, env, async (hub) => {
    const before = (await serverView(hub, key))?.since;
    await hub.ask('server.restart', { key });
    const outcome = await waitForOutcome(hub, key, before);
    if (outcome === undefined) return failWith(`${key} is still starting; see patchbay status.`, 1);
    if (outcome.status === 'disabled') return failWith(`${key} is turned off, so it was not started.`, 1);
    const { connectedAt, problem } = outcome;
    if (connectedAt === undefined && problem !== undefined) return failWith(problemText(problem), 1);
    print(`${key} is connected again.\n`);
    return 0;
  });
}

function failWith(text: string, code: number): number {
  printError(`${text}\n`);
  return code;
}

/** Returns the server once it is connected or has failed; undefined if that takes too long. */
async function waitForOutcome(
  hub: HubChannel,
  key: string,
  before: number | undefined,
): Promise<ServerView | undefined> {
  const deadline = systemClock.now() + timeoutMs;
  while (systemClock.now() < deadline) {
    const server = await serverView(hub, key);
    if (server === undefined || hasOutcome(server, before)) return server;
    await delay(systemClock, pollIntervalMs);
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

async function serverView(hub: HubChannel, key: string): Promise<ServerView | undefined> {
  const { servers } = await hub.ask('hub.status', undefined);
  return servers.find((server) => server.key === key);
}
