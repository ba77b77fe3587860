import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { type Problem, toProblem } from '../../shared/error/problem.ts';
import { ancestorsVariable, hubInstanceId, loopProblem } from '../../shared/model/server/loop.ts';
import { printableLines } from '../../shared/printable.ts';
import { programVersion } from '../../shared/version.ts';
import { systemClock } from '../engine/base/clock.ts';
import { redactText } from '../engine/base/mask/redact-log.ts';
import { maxMessageBytesOf } from '../engine/catalogue/client-facts.ts';
import { RpcError } from '../engine/jsonrpc/message.ts';
import { toRaw, type WireMessage } from '../engine/jsonrpc/read-message.ts';
import { toErrorResponse } from '../engine/jsonrpc/response.ts';
import type { Transport } from '../engine/jsonrpc/transport.ts';
import { absolutePath } from '../engine/store/files/absolute-path.ts';
import { dataPaths, defaultDataDir } from '../engine/store/files/data-dir.ts';
import { hubSocket } from '../engine/store/files/socket-location.ts';
import { limitMessages } from '../engine/transport/limited-transport.ts';
import { ClientEraTransport } from '../engine/transport/modern/client/client-era-transport.ts';
import { drainToParent } from '../engine/transport/stdio/drain-options.ts';
import { createStreamTransport } from '../engine/transport/stdio/stream-transport.ts';
import { type BridgeSettings, parseBridgeArgs } from './args.ts';
import { problemError } from './bridge-problem.ts';
import { watchForHub } from './data-folder.ts';
import { runDoctor } from './doctor.ts';
import { connectHub } from './hub-connection.ts';
import { createHubLink } from './hub-link.ts';
import { createHubStarter } from './hub-starter.ts';
import { findHeadless, findLaunch, isPackaged } from './launch.ts';
import { createOffline } from './offline.ts';
import { runRelay } from './relay.ts';
import { explainAbsence, startHub } from './start-hub.ts';

await main();

async function main(): Promise<void> {
  const args = parseBridgeArgs(process.argv.slice(2), programVersion);
  if (args.kind === 'print') return leave(process.stdout, args.text, 0);
  if (args.kind === 'usage') return leave(process.stderr, args.text, 2);
  const dataDir = folderOf(args);
  if (typeof dataDir !== 'string') return leave(process.stderr, `${dataDir.sentence} ${dataDir.fix}\n`, 2);
  if (args.kind === 'doctor' || isatty(0)) return diagnose(dataDir);
  await serve(dataDir, args);
}

function folderOf({ dataDir }: BridgeSettings): string | Problem {
  try {
    return dataDir === undefined ? defaultDataDir(process.env) : absolutePath(dataDir);
  } catch (error) {
    return toProblem(error);
  }
}

async function diagnose(dataDir: string): Promise<void> {
  const { healthy, text } = await runDoctor({
    paths: dataPaths(dataDir),
    version: programVersion,
    launch: () => findLaunch(launchContext(dataDir)),
  });
  leave(process.stdout, text, healthy ? 0 : 1);
}

async function serve(dataDir: string, settings: BridgeSettings): Promise<void> {
  const paths = dataPaths(dataDir);
  const { stdin: readable, stdout: writable } = process;
  const stdio = createStreamTransport({ readable, writable, drain: drainToParent() });
  const client = new ClientEraTransport(limitMessages(stdio, maxMessageBytesOf), {
    clock: systemClock,
    setting: settings.protocol,
  });
  // Keeps the program alive until `exit`: once the input has ended, nothing else may do so while an answer is
  // pending.
  setInterval(() => {}, 60_000);
  const loop = loopProblem(process.env[ancestorsVariable], hubInstanceId(dataDir));
  if (loop !== undefined) return refuseClient({ client, problem: loop, onEnd: exit });

  const { names, profile, compact, client: clientId } = settings;
  const hello = {
    version: programVersion,
    session: randomUUID(),
    client: clientId,
    names,
    profile,
    compact,
  };
  const starter = createHubStarter({
    launch: () =>
      startHub({
        paths,
        launch: () => findLaunch(launchContext(dataDir)),
        headless: () => findHeadless(launchContext(dataDir)),
        env: process.env,
        note,
      }),
    clock: systemClock,
  });
  await runRelay({
    client,
    offline: createOffline({
      catalogueFile: paths.catalogue,
      configFile: paths.config,
      profilesFile: paths.profiles,
      openClientsFile: paths.openClients,
      ...hello,
    }),
    link: (handlers) =>
      createHubLink({
        ...handlers,
        connect: async (signal) => connectHub(await hubSocket(paths), hello, signal),
        startHub: starter.start,
        watch: (onSign, onLost) => watchForHub(paths, onSign, onLost),
        clock: systemClock,
      }),
    absence: {
      failure: () => starter.failure,
      reason: () => starter.reason,
      explain: (waited) => explainAbsence(paths, waited),
    },
    clock: systemClock,
    note,
    onAttached: starter.reset,
    isLeaving: () => readable.readableEnded,
    onEnd() {
      starter.reset();
      exit();
    },
  });
}

function launchContext(dataDir: string) {
  const self = realpathSync(fileURLToPath(import.meta.url));
  const { execPath } = process;
  return {
    file: dataPaths(dataDir).launch,
    self,
    execPath,
    packaged: process.versions.electron !== undefined && isPackaged(self, execPath),
    ...(dataDir === defaultDataDir({}) ? {} : { dataDir }),
  };
}

/** Writes to standard error, since standard output is for the protocol only; secrets are redacted. */
function note(text: string): void {
  process.stderr.write(`${printableLines(`patchbay-bridge: ${redactText(text)}`)}\n`);
}

/** Exits at once when the client has gone, as the program that started this one expects. */
function exit(): void {
  setTimeout(() => process.exit(0), flushTimeoutMs).unref();
  process.stdout.write('', () => process.exit(0));
}

function leave(stream: NodeJS.WriteStream, text: string, code: number): void {
  process.exitCode = code;
  stream.write(text);
}

const flushTimeoutMs = 150;

/** Answers every request of the client with the reason why it cannot be served. */
async function refuseClient(options: {
  readonly client: Transport;
  readonly problem: Problem;
  readonly onEnd: () => void;
}): Promise<void> {
  const { client, problem, onEnd } = options;
  const error = new RpcError(problemError(problem));
  const message = (received: WireMessage) => {
    const request = toRaw(received);
    if (request.kind === 'request') client.send(toErrorResponse(request, error)).catch(() => {});
  };
  await client.start({ message, closed: onEnd });
}
