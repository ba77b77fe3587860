import type { Command } from 'commander';
import { dataDirOption, resolvePath } from './option-values.ts';

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

export function describeConnect(command: Command, onConnect: (args: ConnectArgs) => void): void {
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
    .description('list clients, their ids and their status')
    .option(...dataDirOption)
    .action((options: ConnectOptions) => want('list', undefined, options));
  for (const [verb, description] of verbs) {
    const described = group
      .command(`${verb} <client>`)
      .description(description)
      .option(...dataDirOption)
      .option('--file <file>', 'the client’s config file, if it is not found automatically', resolvePath);
    if (verb !== 'undo')
      described.option(
        '--move',
        'import the servers that the client starts itself, and replace them in its config',
      );
    described.action((client: string, options: ConnectOptions) => want(verb, client, options));
  }
}

const verbs = [
  ['preview', 'show what would be written, and write nothing'],
  ['apply', 'back up the config, write the entry, and test it by starting it'],
  ['undo', 'restore the config as it was'],
] as const;
