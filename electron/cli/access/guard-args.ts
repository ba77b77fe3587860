import type { Command } from 'commander';
import { dataDirOption } from '../terminal/option-values.ts';

/** A review command for tools whose definitions are new or have changed. */
type GuardVerb =
  | { readonly verb: 'list'; readonly server?: string; readonly json: boolean; readonly short: boolean }
  /** Without tools, all that need review. A tool may be `NAME@DIGEST`, as printed by the list. */
  | { readonly verb: 'approve' | 'deny'; readonly server: string; readonly tools: readonly string[] }
  | { readonly verb: 'undo'; readonly id: string };

export type GuardArgs = GuardVerb & { readonly kind: 'guard'; readonly dataDir?: string };

interface Options {
  readonly dataDir?: string;
  readonly json?: boolean;
  readonly short?: boolean;
}

export function describeGuard(command: Command, onGuard: (args: GuardArgs) => void): void {
  const want = ({ dataDir }: Options, verb: GuardVerb) =>
    onGuard({ kind: 'guard', ...verb, ...(dataDir === undefined ? {} : { dataDir }) });
  const group = command
    .command('guard')
    .description('new or changed tools that are blocked until you review them');
  group
    .command('list [server]', { isDefault: true })
    .description('list blocked tools, and how they differ from what was approved')
    .option(...dataDirOption)
    .option('--short', 'one line per tool, without definitions')
    .option('--json', 'print all details as JSON, for programs')
    .action((server: string | undefined, options: Options) =>
      want(options, {
        verb: 'list',
        ...(server === undefined ? {} : { server }),
        json: options.json === true,
        short: options.short === true,
      }),
    );
  for (const [verb, does] of [
    ['approve', 'let clients use tools as they are now'],
    ['deny', 'block tools as they are now; you are asked again if they change'],
  ] as const) {
    group
      .command(`${verb} <server> [tool...]`)
      .description(`${does}; without a tool, all tools of the server that need review`)
      .option(...dataDirOption)
      .action((server: string, tools: readonly string[], options: Options) =>
        want(options, { verb, server, tools }),
      );
  }
  group
    .command('undo <id>')
    .description('undo a decision, by the id that it printed')
    .option(...dataDirOption)
    .action((id: string, options: Options) => want(options, { verb: 'undo', id }));
}
