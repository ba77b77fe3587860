import type { Command } from 'commander';
import type { LogLine } from '../../../shared/model/server/server.ts';
import { printableWord } from '../../../shared/printable.ts';
import type { CliCommand, Environment } from '../terminal/cli-command.ts';
import { dataDirOption, maxRows, wholeNumber } from '../terminal/option-values.ts';
import { print } from '../terminal/print.ts';
import type { HubChannel } from './hub-channel.ts';
import { withHub } from './with-hub.ts';

/** A command on one server of a running hub. */
export type OneServerArgs = { readonly kind: 'one-server'; readonly dataDir?: string } & (
  | { readonly verb: 'enable' | 'disable' | 'remove'; readonly server: string }
  | { readonly verb: 'undo-remove'; readonly undoId: string }
  /** `most` limits the output to the newest lines. */
  | { readonly verb: 'log'; readonly server: string; readonly most?: number }
);

interface Options {
  readonly dataDir?: string;
  readonly undo?: string;
  readonly last?: number;
}

export const oneServerCommand: CliCommand<OneServerArgs> = { describe: describeOneServer, run: runOneServer };

function describeOneServer(command: Command, want: (args: OneServerArgs) => void): void {
  for (const [verb, description] of switches) {
    command
      .command(`${verb} <server>`)
      .description(description)
      .option(...dataDirOption)
      .action((server: string, { dataDir }: Options) => want({ ...inFolder(dataDir), verb, server }));
  }
  const remove = command
    .command('remove [server]')
    .description('remove a server from mcp.json')
    .option(...dataDirOption)
    .option('--undo <id>', 'restore a removed server while Patchbay is running');
  remove.action((server: string | undefined, { dataDir, undo }: Options) => {
    if ((server === undefined) === (undo === undefined))
      remove.error('error: name a server, or give --undo and an ID');
    if (undo !== undefined) want({ ...inFolder(dataDir), verb: 'undo-remove', undoId: undo });
    else if (server !== undefined) want({ ...inFolder(dataDir), verb: 'remove', server });
  });
  command
    .command('log <server>')
    .description('print what a server has logged since Patchbay started, oldest first; secrets are masked')
    .option(...dataDirOption)
    .option('--last <number>', 'show only this many of the newest lines', wholeNumber(1, maxRows))
    .action((server: string, { dataDir, last }: Options) =>
      want({ ...inFolder(dataDir), verb: 'log', server, ...(last === undefined ? {} : { most: last }) }),
    );
}

const switches = [
  ['enable', 'turn a server on'],
  ['disable', 'turn a server off; clients no longer see its tools'],
] as const;

function inFolder(dataDir: string | undefined) {
  return { kind: 'one-server', ...(dataDir === undefined ? {} : { dataDir }) } as const;
}

/** Runs a command on one server; resolves to the exit code. */
function runOneServer(args: OneServerArgs, env: Environment): Promise<number> {
  return withHub(args.dataDir, env, async (hub) => {
    const lines = await run(args, hub);
    print(lines.map((line) => `${printableWord(line)}\n`).join(''));
    return 0;
  });
}

async function run(args: OneServerArgs, hub: HubChannel): Promise<readonly string[]> {
  switch (args.verb) {
    case 'enable':
    case 'disable': {
      const enabled = args.verb === 'enable';
      await hub.ask('server.setEnabled', { key: args.server, enabled });
      return [`${args.server} is turned ${enabled ? 'on' : 'off'}.`];
    }
    case 'remove': {
      const { undoId } = await hub.ask('server.remove', { key: args.server });
      return [`${args.server} was removed.`, `To undo: patchbay remove --undo ${undoId}`];
    }
    case 'undo-remove':
      await hub.ask('server.undoRemove', { undoId: args.undoId });
      return ['The server was restored.'];
    case 'log': {
      const { lines } = await hub.ask('server.log', { key: args.server });
      if (lines.length === 0) return [`${args.server} has logged nothing.`];
      return lines.slice(-(args.most ?? lines.length)).map(logText);
    }
  }
}

function logText({ at, stream, text }: LogLine): string {
  return `${new Date(at).toISOString()}  ${stream.padEnd(6)}  ${text}`;
}
