import type { Command } from 'commander';
import { ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import {
  defaultRedirectUri,
  type SignInClient,
  signInClientSchema,
} from '../../../shared/model/server/missing-value.ts';
import type { ServerView } from '../../../shared/model/server/server.ts';
import { delay, systemClock } from '../../engine/base/clock.ts';
import { defaultDataDir, existingDataDir, openOfflineSignIns } from '../../engine/engine.ts';
import type { CliCommand, Environment } from '../terminal/cli-command.ts';
import { dataDirOption } from '../terminal/option-values.ts';
import { print, printError } from '../terminal/print.ts';
import { problemText } from '../terminal/problem-text.ts';
import { readSecret } from '../terminal/read-secret.ts';
import { type HubChannel, openHubChannel } from './hub-channel.ts';

export interface SignInArgs {
  readonly kind: 'sign-in' | 'sign-out';
  readonly dataDir?: string;
  readonly server: string;
  /** The client that was registered by hand with the service, for a sign-in. */
  readonly client?: RegisteredClient;
}

interface RegisteredClient {
  readonly clientId: string;
  /** Asks for the secret of this client, or reads it from standard input. */
  readonly hasSecret: boolean;
  readonly redirectUri?: string;
}

interface SignInOptions {
  readonly dataDir?: string;
  readonly clientId?: string;
  readonly clientSecret?: boolean;
  readonly redirectUri?: string;
}

export const signInCommand: CliCommand<SignInArgs> = {
  describe: describeSignIn,
  run: (args, env) => (args.kind === 'sign-in' ? runSignIn(args, env) : runSignOut(args, env)),
};

function describeSignIn(command: Command, onSignIn: (args: SignInArgs) => void): void {
  command
    .command('sign-in <server>')
    .description('sign in to a remote server: prints a link to open in a browser, and waits')
    .option(...dataDirOption)
    .option(
      '--client-id <id>',
      'client ID that the service gave Patchbay when you registered it; saved in the config',
    )
    .option('--client-secret', 'client secret, read from standard input or typed at a prompt')
    .option('--redirect-uri <url>', `redirect URL you registered (suggested: ${defaultRedirectUri})`)
    .action((server: string, options: SignInOptions) => {
      const { clientId, clientSecret: hasSecret = false, redirectUri, ...folder } = options;
      if (clientId === undefined && (hasSecret || redirectUri !== undefined))
        command.error('error: --client-secret and --redirect-uri need --client-id');
      const client =
        clientId === undefined
          ? undefined
          : { clientId, hasSecret, ...(redirectUri === undefined ? {} : { redirectUri }) };
      onSignIn({ kind: 'sign-in', server, ...(client === undefined ? {} : { client }), ...folder });
    });
  command
    .command('sign-out <server>')
    .description('sign out of a remote server and revoke its tokens')
    .option(...dataDirOption)
    .action((server: string, folder: { readonly dataDir?: string }) =>
      onSignIn({ kind: 'sign-out', server, ...folder }),
    );
}

/** Signs in and out through the running hub, or offline. */
interface SignInClientApi {
  signIn(key: string): Promise<{ readonly url: string }>;
  signOut(key: string): Promise<void>;
  /** Rejects with `hub.unreachable` if no hub runs. */
  setClient(key: string, client: SignInClient): Promise<void>;
  view(key: string): Promise<ServerView['auth']>;
  close(): Promise<void>;
}

/** Milliseconds. */
const pollIntervalMs = 200;

/**
 * Runs `patchbay sign-in SERVER`; resolves to the exit code: 0 once the user is signed in. Opens no browser,
 * since there may be none on this machine. The browser must return to this machine.
 */
function runSignIn(args: SignInArgs, env: Environment): Promise<number> {
  const { server: key } = args;
  return withSignIns(args, env, async (signIns) => {
    if (args.client !== undefined) await signIns.setClient(key, await clientOf(args.client));
    const { url } = await signIns.signIn(key);
    print(instructionsText(key, url));
    const outcome = await waitForOutcome(signIns, key);
    if (outcome?.problem !== undefined) throw new ProblemError(outcome.problem);
    if (outcome?.signedIn !== true) return failWith(`The sign-in to ${key} was cancelled.`);
    print(`You are signed in to ${key}.\n`);
    return 0;
  });
}

/** Runs `patchbay sign-out SERVER`; resolves to the exit code. */
function runSignOut(args: SignInArgs, env: Environment): Promise<number> {
  const { server: key } = args;
  return withSignIns(args, env, async (signIns) => {
    await signIns.signOut(key);
    print(`You are signed out of ${key}.\n`);
    return 0;
  });
}

async function clientOf({ hasSecret, ...client }: RegisteredClient): Promise<SignInClient> {
  const parsed = signInClientSchema.safeParse({
    ...client,
    ...(hasSecret ? { clientSecret: await readSecret('client secret') } : {}),
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const sentence = `The client details cannot be used: ${issue?.path.join('.')} ${issue?.message}.`;
  throw new ProblemError(problem('config.invalid_schema', sentence, 'Check --client-id and --redirect-uri.'));
}

function instructionsText(key: string, url: string): string {
  const { port } = new URL(new URL(url).searchParams.get('redirect_uri') ?? url);
  return [
    `Open this link in a browser to sign in to ${key}:`,
    '',
    `  ${url}`,
    '',
    `The browser returns to port ${port} on this machine. To use a browser on another machine, forward that port first:`,
    `  ssh -L ${port}:127.0.0.1:${port} …`,
    'Waiting… Press Ctrl-C to cancel.',
    '',
  ].join('\n');
}

/** Needs no timeout of its own: `pending` ends with the sign-in attempt. */
async function waitForOutcome(signIns: SignInClientApi, key: string): Promise<ServerView['auth']> {
  for (;;) {
    const view = await signIns.view(key);
    if (view?.pending !== true) return view;
    await delay(systemClock, pollIntervalMs);
  }
}

async function withSignIns(
  { dataDir }: SignInArgs,
  env: Environment,
  act: (signIns: SignInClientApi) => Promise<number>,
): Promise<number> {
  try {
    const signIns = await openSignIns(dataDir ?? defaultDataDir(env), env);
    try {
      return await act(signIns);
    } finally {
      await signIns.close();
    }
  } catch (error) {
    return failWith(problemText(toProblem(error)));
  }
}

/** A running hub must be notified; without one, the next hub reads the sign-in from the vault. */
async function openSignIns(dataDir: string, env: Environment): Promise<SignInClientApi> {
  const hub = await openHubChannel(dataDir).catch((error: unknown) => {
    const isNoHub = error instanceof ProblemError && error.problem.code === 'hub.unreachable';
    if (isNoHub) return undefined;
    throw error;
  });
  if (hub !== undefined) return signInsOf(hub);
  const setClient = async () => void (await openHubChannel(dataDir));
  const offline = await openOfflineSignIns(await existingDataDir(dataDir), env);
  return { ...offline, setClient, view: async (key) => offline.view(key) };
}

function signInsOf(hub: HubChannel): SignInClientApi {
  return {
    signIn: (key) => hub.ask('server.signIn', { key }),
    signOut: (key) => hub.ask('server.signOut', { key }),
    setClient: async (key, client) => void (await hub.ask('server.setSignInClient', { key, client })),
    view: async (key) => {
      const { servers } = await hub.ask('hub.status', undefined);
      return servers.find((server) => server.key === key)?.auth;
    },
    close: () => hub.close(),
  };
}

function failWith(text: string): number {
  printError(`${text}\n`);
  return 1;
}
