import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { type Problem, ProblemError, toProblem } from '../../../shared/error/problem.ts';
import { formatCount } from '../../../shared/model/amount.ts';
import type {
  AppliedFile,
  ConnectClient,
  ConnectPreview,
  ConnectProof,
  UndoneFile,
} from '../../../shared/model/client/connect.ts';
import type { ImportResult } from '../../../shared/model/import/import-session.ts';
import { printableWord } from '../../../shared/printable.ts';
import {
  type BridgeProgram,
  type Connector,
  createHubConnector,
  type DataPaths,
  defaultDataDir,
  notServing,
  openDataDir,
  serversStartedByApp,
  withCommandNote,
} from '../../engine/engine.ts';
import { sendAccessCommand } from '../access/send-access-command.ts';
import type { HubChannel } from '../hub/hub-channel.ts';
import { withHub } from '../hub/with-hub.ts';
import type { CliCommand, Environment } from '../terminal/cli-command.ts';
import { dataDirOption, resolvePath } from '../terminal/option-values.ts';
import { print, printError } from '../terminal/print.ts';
import { problemText } from '../terminal/problem-text.ts';
import { createStderrLogger } from '../terminal/stderr-logger.ts';
import { missingValueLines, suggestedChoices } from './import-choices.ts';

/** A command on the configs of clients. */
export interface ConnectArgs {
  readonly kind: 'connect';
  readonly verb: 'list' | 'preview' | 'apply' | 'undo';
  /** Absent for `list`. */
  readonly client?: string;
  /** The client's config file, if it is not found automatically. */
  readonly file?: string;
  /** Moves the servers that the client starts itself into Patchbay. */
  readonly move?: boolean;
  readonly dataDir?: string;
}

interface ConnectOptions {
  readonly dataDir?: string;
  readonly file?: string;
  readonly move?: boolean;
}

export const connectCommand: CliCommand<ConnectArgs> = { describe: describeConnect, run: runConnect };

function describeConnect(command: Command, onConnect: (args: ConnectArgs) => void): void {
  const group = command
    .command('connect')
    .description('connect MCP clients to Patchbay, and disconnect them');
  const want = (verb: ConnectArgs['verb'], client: string | undefined, options: ConnectOptions) =>
    onConnect({
      kind: 'connect',
      verb,
      ...(client === undefined ? {} : { client }),
      ...options,
    });
  group
    .command('list')
    .description('list clients, with their IDs and status')
    .option(...dataDirOption)
    .action((options: ConnectOptions) => want('list', undefined, options));
  for (const [verb, description] of verbs) {
    const described = group
      .command(`${verb} <client>`)
      .description(description)
      .option(...dataDirOption)
      .option('--file <file>', 'the client’s config file, if it is not found automatically', resolvePath);
    if (verb !== 'undo')
      described.option('--move', 'move the servers that the client starts itself to Patchbay');
    described.action((client: string, options: ConnectOptions) => want(verb, client, options));
  }
}

const verbs = [
  ['preview', 'show what would change, without writing anything'],
  ['apply', 'back up the config, add the entry, and test it as the client would start it'],
  ['undo', 'restore the config as it was'],
] as const;

/** Runs `patchbay connect`; resolves to the exit code: also 1 if an entry was written that does not work. */
async function runConnect(args: ConnectArgs, env: Environment): Promise<number> {
  try {
    const paths = await openDataDir(args.dataDir ?? defaultDataDir(env));
    const { dir } = paths;
    const connector = createHubConnector(
      { logger: createStderrLogger(false), inherited: env },
      { dataDir: dir, bridge: bridgeOfProgram(process.argv[1] ?? '', env) },
      () => {
        throw new ProblemError(notServing());
      },
    );
    try {
      return await run(args, connector, paths, env);
    } finally {
      connector.dispose();
    }
  } catch (error) {
    printError(`${problemText(toProblem(error))}\n`);
    return 1;
  }
}

/** The bridge lies beside this program, and runs with the same binary. */
export function bridgeOfProgram(program: string, env: Environment): BridgeProgram {
  const { APPIMAGE: image, APPDIR: mount } = env;
  const inImage = image !== undefined && mount !== undefined && process.execPath.startsWith(mount);
  return {
    binary: inImage ? image : process.execPath,
    bundle: join(dirname(program), 'patchbay-bridge.mjs'),
    electron: process.versions.electron !== undefined,
    image: inImage,
  };
}

async function run(
  { verb, client = '', file, move = false }: ConnectArgs,
  connector: Connector,
  paths: DataPaths,
  env: Environment,
): Promise<number> {
  const printLines: PrintLines = (lines) => void (lines.length > 0 && print(`${lines.join('\n')}\n`));
  const audited = <T>(
    action: 'connect-client' | 'disconnect-client' | 'choose-client-file',
    act: () => Promise<T>,
  ) => withCommandNote(paths, { kind: 'hub', action, text: client }, act);
  if (file !== undefined) await audited('choose-client-file', async () => connector.setFile(client, file));
  switch (verb) {
    case 'list':
      await connector.check();
      printLines((await connector.list()).map(clientLine));
      return 0;
    case 'preview':
      if (move) return withHub(paths.dir, env, (hub) => previewMove(hub, client, printLines));
      printLines((await snippetLines(connector, client)) ?? previewLines(await connector.preview(client)));
      printLines(await ownServerLines(connector, client, env));
      return 0;
    case 'undo': {
      const files = await audited('disconnect-client', () => connector.undo(client));
      printLines(files.map(fileLine));
      return files.some(({ kind }) => kind === 'refused') ? 1 : 0;
    }
    case 'apply': {
      if (move) {
        const code = await withHub(paths.dir, env, (hub) => moveServers(hub, client, printLines));
        if (code !== 0) return code;
      } else {
        const { previewId } = await connector.preview(client);
        const files = await audited('connect-client', () => connector.apply(client, previewId));
        printLines(files.map(fileLine));
      }
      // Connecting a client means to use it, so it becomes known now; if this fails, it becomes known on its
      // first connection.
      await sendAccessCommand({ verb: 'connected', name: client }, paths.dir).catch(() => undefined);
      const proof = await connector.prove(client);
      printLines(proofLines(proof));
      const found = (await connector.list()).find(({ id }) => id === client);
      if (proof.ok && found !== undefined) printLines([found.pickupText]);
      printLines(await ownServerLines(connector, client, env));
      return proof.ok ? 0 : 1;
    }
  }
}

/** Returns the entry to copy into the config of a client that is set up by hand; undefined for all others. */
async function snippetLines(connector: Connector, client: string): Promise<readonly string[] | undefined> {
  const found = (await connector.list()).find(({ id }) => id === client);
  if (found?.status !== 'manual') return undefined;
  const { whole } = await connector.snippet({ id: client, transport: 'stdio' });
  return [whole.trimEnd(), found.pickupText];
}

type PrintLines = (lines: readonly string[]) => void;

/** Lists the servers that the client still starts itself; their tools may appear twice. */
async function ownServerLines(
  connector: Connector,
  client: string,
  env: Environment,
): Promise<readonly string[]> {
  const names = await serversStartedByApp(connector, client, { inherited: env });
  if (names.length === 0) return [];
  const listed = names.map(printableWord).join(', ');
  return [
    `This client also starts ${formatCount(names.length, 'server')} itself: ${listed}.`,
    `To have Patchbay run them instead: patchbay connect apply ${client} --move`,
  ];
}

async function previewMove(hub: HubChannel, client: string, printLines: PrintLines): Promise<number> {
  const { session, entries } = await hub.ask('import.readApps', { client });
  const movable = entries.filter(({ suggested }) => suggested);
  const { apps } = await hub.ask('import.previewMove', {
    session,
    entries: movable.map(({ id }) => id),
    clients: [client],
  });
  printLines(
    movable.map(({ key, target }) => printableWord(`would be added to Patchbay: ${key}  ${target}`)),
  );
  printLines(
    apps.flatMap(({ outcome }) =>
      outcome.kind === 'ready' ? previewLines(outcome.preview) : problemLines(outcome.problem),
    ),
  );
  if (apps.length === 0) printLines([nothingToMove]);
  return apps.some(({ outcome }) => outcome.kind === 'refused') ? 1 : 0;
}

/**
 * Adds the client's servers to Patchbay, their secrets to the vault, and replaces the added servers in the
 * client's file.
 */
async function moveServers(hub: HubChannel, client: string, printLines: PrintLines): Promise<number> {
  const preview = await hub.ask('import.readApps', { client });
  const { session } = preview;
  const result = await hub.ask('import.add', suggestedChoices(preview));
  const { undoId } = result;
  printLines(addedLines(result));
  const { apps } = await hub.ask('import.previewMove', { session, entries: [], clients: [client] });
  if (apps.length === 0) printLines([nothingToMove]);
  const ready = apps.flatMap(({ outcome }) =>
    outcome.kind === 'ready' ? [{ client, previewId: outcome.preview.previewId }] : [],
  );
  printLines(
    apps.flatMap(({ outcome }) => (outcome.kind === 'refused' ? problemLines(outcome.problem) : [])),
  );
  if (ready.length === 0) return 1;
  const moved = await hub.ask('import.move', {
    session,
    apps: ready,
    ...(undoId === undefined ? {} : { undoId }),
  });
  printLines(
    moved.apps.flatMap(({ files, problem }) => [
      ...files.map(fileLine),
      ...(problem ? problemLines(problem) : []),
    ]),
  );
  if (moved.apps.some(({ problem }) => problem !== undefined)) return 1;
  printLines([`To undo: patchbay connect undo ${client}`]);
  return 0;
}

function addedLines({ added, failed, waiting }: ImportResult): readonly string[] {
  return [
    ...added.map((key) => printableWord(`${key}: added to Patchbay`)),
    ...failed.flatMap(({ key, problem }) => [printableWord(`${key}: not added`), ...problemLines(problem)]),
    ...missingValueLines(waiting),
  ];
}

const nothingToMove = 'Patchbay runs none of the servers in this client’s config.';

function problemLines(problem: Problem): readonly string[] {
  return [problemText(problem)];
}

function clientLine({ id, title, status, files }: ConnectClient): string {
  return [id.padEnd(18), status.padEnd(10), title, ...files.map(({ file }) => `\n    ${file}`)].join('  ');
}

function previewLines({ files, running, mustQuit }: ConnectPreview): readonly string[] {
  const signs = { context: ' ', add: '+', remove: '-' };
  const lines = files.flatMap((file) => {
    if (!('hunks' in file)) return [fileLine(file)];
    const hunks = file.hunks.flatMap(({ lines }) =>
      lines.map(({ kind, text }) => `${signs[kind]} ${printableWord(text)}`),
    );
    return [`${file.file}: would be ${file.kind === 'create' ? 'created' : 'changed'}`, ...hunks];
  });
  const pids = running.map(({ name, pid }) => `${printableWord(name)} (${pid})`).join(', ');
  return mustQuit ? [...lines, `Quit the client first, or it will overwrite the change: ${pids}`] : lines;
}

function fileLine(
  file:
    | AppliedFile
    | UndoneFile
    | Extract<ConnectPreview['files'][number], { kind: 'refused' | 'unchanged' }>,
) {
  if (file.kind === 'refused') return `${file.file}: unchanged. ${problemText(file.problem)}`;
  const backup = 'backup' in file && file.backup !== undefined ? `; backup: ${file.backup}` : '';
  return `${file.file}: ${done[file.kind]}${backup}`;
}

const done = {
  written: 'written',
  unchanged: 'already connected',
  restored: 'restored exactly',
  deleted: 'deleted, because it did not exist before',
  'entry-removed': 'the entry was removed; later changes to the file stay',
  nothing: 'had no entry left to remove',
};

function proofLines({ steps, problem }: ConnectProof): readonly string[] {
  const lines = steps.map(
    ({ ok, step, text }) => `  ${ok ? 'ok ' : 'NO '} ${step.padEnd(10)} ${printableWord(text)}`,
  );
  return problem === undefined ? lines : [...lines, problemText(problem)];
}
