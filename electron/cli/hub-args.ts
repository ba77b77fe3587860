import type { Command } from 'commander';
import { defaultRedirectUri } from '../../shared/model/missing-value.ts';
import { dataDirOption } from './option-values.ts';

/** A command for the running hub; signing in and out also works without one. */
export type HubArgs =
  | { readonly kind: 'status'; readonly dataDir?: string; readonly json: boolean }
  | HubStopArgs
  | HubServerArgs;

/** Stops the hub itself. */
export interface HubStopArgs {
  readonly kind: 'stop';
  readonly dataDir?: string;
  /** Keeps clients from starting Patchbay again until a person opens it. */
  readonly stayOff: boolean;
}

/** A command about one server. */
export interface HubServerArgs {
  readonly kind: 'restart' | 'sign-in' | 'sign-out';
  readonly dataDir?: string;
  readonly server: string;
  /** The client that was registered by hand with the service, for a sign-in. */
  readonly client?: RegisteredClient;
}

export interface RegisteredClient {
  readonly clientId: string;
  /** Asks for the secret of this client, or reads it from standard input. */
  readonly hasSecret: boolean;
  readonly redirectUri?: string;
}

interface Options {
  readonly dataDir?: string;
  readonly json?: boolean;
  readonly stayOff?: boolean;
}

interface SignInOptions extends Options {
  readonly clientId?: string;
  readonly clientSecret?: boolean;
  readonly redirectUri?: string;
}

export function describeHubCommands(command: Command, onHub: (args: HubArgs) => void): void {
  const want = ({ dataDir }: Options, args: HubArgs) =>
    onHub(dataDir === undefined ? args : { ...args, dataDir });
  command
    .command('status')
    .description('show the state of Patchbay and its servers')
    .option(...dataDirOption)
    .option('--json', 'print all details as JSON, for programs')
    .action((options: Options) => want(options, { kind: 'status', json: options.json === true }));
  command
    .command('stop')
    .description('stop a Patchbay that runs without a window, after its calls finish')
    .option(...dataDirOption)
    .option('--stay-off', 'keep clients from starting Patchbay again until you open it')
    .action((options: Options) => want(options, { kind: 'stop', stayOff: options.stayOff === true }));
  command
    .command('restart <server>')
    .description('restart a server, and wait until it is connected')
    .option(...dataDirOption)
    .action((server: string, options: Options) => want(options, { kind: 'restart', server }));
  command
    .command('sign-in <server>')
    .description('sign in to a remote server: print the link to open in a browser, and wait')
    .option(...dataDirOption)
    .option(
      '--client-id <id>',
      'client ID of Patchbay as you registered it with the service; saved in the config',
    )
    .option('--client-secret', 'client secret, read from standard input or typed at a prompt')
    .option('--redirect-uri <url>', `redirect URI you registered (suggested: ${defaultRedirectUri})`)
    .action((server: string, options: SignInOptions) => {
      const { clientId, clientSecret: hasSecret = false, redirectUri } = options;
      if (clientId === undefined && (hasSecret || redirectUri !== undefined))
        command.error('error: --client-secret and --redirect-uri need --client-id');
      const client =
        clientId === undefined
          ? undefined
          : { clientId, hasSecret, ...(redirectUri === undefined ? {} : { redirectUri }) };
      want(options, { kind: 'sign-in', server, ...(client === undefined ? {} : { client }) });
    });
  command
    .command('sign-out <server>')
    .description('sign out of a remote server, and revoke tokens')
    .option(...dataDirOption)
    .action((server: string, options: Options) => want(options, { kind: 'sign-out', server }));
}
