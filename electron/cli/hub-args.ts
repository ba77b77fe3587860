import type { Command } from 'commander';
import { dataDirOption } from './option-values.ts';

/** What is asked of the hub that runs; signing in and out does without one as well. */
export type HubArgs =
  | { readonly kind: 'status'; readonly dataDir?: string; readonly json: boolean }
  | HubStopArgs
  | HubServerArgs;

/** About the hub itself. */
export interface HubStopArgs {
  readonly kind: 'stop';
  readonly dataDir?: string;
  /** No client starts Patchbay again before a person does. */
  readonly stayOff: boolean;
}

/** About one server. */
export interface HubServerArgs {
  readonly kind: 'restart' | 'sign-in' | 'sign-out';
  readonly dataDir?: string;
  readonly server: string;
}

interface Options {
  readonly dataDir?: string;
  readonly json?: boolean;
  readonly stayOff?: boolean;
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
    .description('stop Patchbay where it runs without a window, once its calls have ended')
    .option(...dataDirOption)
    .option('--stay-off', 'keep clients from starting Patchbay again until you open it')
    .action((options: Options) => want(options, { kind: 'stop', stayOff: options.stayOff === true }));
  command
    .command('restart <server>')
    .description('restart a server, and wait until it is up')
    .option(...dataDirOption)
    .action((server: string, options: Options) => want(options, { kind: 'restart', server }));
  command
    .command('sign-in <server>')
    .description('sign in to a remote server: print the link to open in a browser, and wait')
    .option(...dataDirOption)
    .action((server: string, options: Options) => want(options, { kind: 'sign-in', server }));
  command
    .command('sign-out <server>')
    .description('sign out of a remote server, and revoke tokens')
    .option(...dataDirOption)
    .action((server: string, options: Options) => want(options, { kind: 'sign-out', server }));
}
