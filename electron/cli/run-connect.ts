import { dirname, join } from 'node:path';
import { ProblemError, toProblem } from '../../shared/error/problem.ts';
import type {
  AppliedFile,
  ConnectClient,
  ConnectPreview,
  ConnectProof,
  UndoneFile,
} from '../../shared/model/connect.ts';
import { printableWord } from '../engine/base/printable.ts';
import {
  type BridgeProgram,
  type Connector,
  createHubConnector,
  type DataPaths,
  defaultDataDir,
  notedCommand,
  notServing,
  openDataDir,
} from '../engine/engine.ts';
import { askAccess } from './ask-access.ts';
import type { ConnectArgs } from './connect-args.ts';
import { print, printError } from './print.ts';
import { problemText } from './report.ts';
import { createStderrLogger } from './stderr-logger.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs `patchbay connect`; resolves to the exit code: 1 too where something was written that does not work. */
export async function runConnect(args: ConnectArgs, env: Environment): Promise<number> {
  try {
    const paths = await openDataDir(args.dataDir ?? defaultDataDir(env));
    const { dir } = paths;
    const connector = createHubConnector(
      { logger: createStderrLogger(false), inherited: env },
      { dataDir: dir, bridge: bridgeBeside(process.argv[1] ?? '', env) },
      () => {
        throw new ProblemError(notServing());
      },
    );
    try {
      return await run(args, connector, paths);
    } finally {
      connector.dispose();
    }
  } catch (error) {
    printError(`${problemText(toProblem(error))}\n`);
    return 1;
  }
}

/** The bridge lies beside this program, and is run as this program is. */
export function bridgeBeside(program: string, env: Environment): BridgeProgram {
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
  { verb, client = '', file }: ConnectArgs,
  connector: Connector,
  paths: DataPaths,
): Promise<number> {
  const say = (lines: readonly string[]) => print(`${lines.join('\n')}\n`);
  const noted = <T>(
    action: 'connect-client' | 'disconnect-client' | 'choose-client-file',
    act: () => Promise<T>,
  ) => notedCommand(paths, { kind: 'hub', action, text: client }, act);
  if (file !== undefined) await noted('choose-client-file', async () => connector.setFile(client, file));
  switch (verb) {
    case 'list':
      await connector.check();
      say((await connector.list()).map(clientLine));
      return 0;
    case 'preview':
      say(previewLines(await connector.preview(client)));
      return 0;
    case 'undo': {
      const files = await noted('disconnect-client', () => connector.undo(client));
      say(files.map(fileLine));
      return files.some(({ kind }) => kind === 'refused') ? 1 : 0;
    }
    case 'apply': {
      const { previewId } = await connector.preview(client);
      const files = await noted('connect-client', () => connector.apply(client, previewId));
      say(files.map(fileLine));
      // Whoever connects a client means it to work; where this fails, it is known once it connects.
      await askAccess({ verb: 'connected', name: client }, paths.dir).catch(() => undefined);
      const proof = await connector.prove(client);
      say(proofLines(proof));
      const found = (await connector.list()).find(({ id }) => id === client);
      if (proof.ok && found !== undefined) say([found.pickupText]);
      return proof.ok ? 0 : 1;
    }
  }
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
    return [`${file.file}: would be ${file.kind === 'create' ? 'made' : 'changed'}`, ...hunks];
  });
  const pids = running.map(({ name, pid }) => `${printableWord(name)} (${pid})`).join(', ');
  return mustQuit ? [...lines, `Quit it first, or it will overwrite the change: ${pids}`] : lines;
}

function fileLine(
  file:
    | AppliedFile
    | UndoneFile
    | Extract<ConnectPreview['files'][number], { kind: 'refused' | 'unchanged' }>,
) {
  if (file.kind === 'refused') return `${file.file}: unchanged. ${problemText(file.problem)}`;
  const backup = 'backup' in file && file.backup !== undefined ? `; as it was: ${file.backup}` : '';
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
