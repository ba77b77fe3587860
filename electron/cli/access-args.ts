import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Effect, GrantScope, IdentityKind } from '../../shared/model/access.ts';
import { type AccessCommand, accessCommandSchema } from '../../shared/model/access-command.ts';

/** What is to be done about who may call what. */
export interface AccessArgs {
  readonly kind: 'access';
  readonly dataDir?: string;
  readonly json: boolean;
  readonly command: AccessCommand;
}

interface Options {
  readonly dataDir?: string;
  readonly json?: boolean;
  readonly kind?: string;
  readonly ask?: boolean;
  readonly deny?: boolean;
  readonly minutes?: string;
  readonly yes?: boolean;
}

type Usage = { readonly kind: 'usage'; readonly text: string };

const kindOption = ['--kind <kind>', 'client or agent, where both have this name'] as const;
const what = 'all, risk=low, risk=high, SERVER, SERVER:TOOL, or a pattern of that with * and ?';

export function describeAccess(
  command: Command,
  dataDirOption: readonly [flags: string, description: string],
  onAccess: (args: AccessArgs | Usage) => void,
): void {
  const want = (options: Options, asked: unknown) => onAccess(accessArgs(options, asked));
  const group = command.command('access').description('decide which clients and agents may call what');
  group
    .command('list')
    .description('who is known, and what was granted')
    .option(...dataDirOption)
    .option('--json', 'everything there is to know, for programs')
    .action((options: Options) => want(options, { verb: 'list' }));
  group
    .command('waiting')
    .description('calls that wait for somebody to allow them')
    .option(...dataDirOption)
    .option('--json', 'everything there is to know, for programs')
    .action((options: Options) => want(options, { verb: 'waiting' }));
  group
    .command('answer <id> <answer>')
    .description('let a call that waits go on: once, 15m or always, or deny it')
    .option(...dataDirOption)
    .action((id: string, answer: string, options: Options) =>
      want(options, { verb: 'answer', id, answer: answer === '15m' ? 'for-15-minutes' : answer }),
    );
  group
    .command('begin-anew')
    .description('go on with what could be saved, after the database was damaged')
    .option(...dataDirOption)
    .option('--json', 'everything there is to know, for programs')
    .action((options: Options) => want(options, { verb: 'begin-anew' }));
  group
    .command('grant <name> <what>')
    .description(`allow somebody ${what}`)
    .option(...dataDirOption)
    .option(...kindOption)
    .option('--ask', 'somebody is asked at each call')
    .option('--deny', 'it may not, whatever else is granted')
    .option('--minutes <number>', 'it ends after that time')
    .option('--yes', 'also what is not there, for when it is')
    .action((name: string, about: string, options: Options) =>
      want(options, { verb: 'grant', ...named(name, options), ...granted(about, options) }),
    );
  group
    .command('revoke <name> [what]')
    .description('take back a grant or, without saying which, all access')
    .option(...dataDirOption)
    .option(...kindOption)
    .action((name: string, about: string | undefined, options: Options) =>
      want(options, {
        verb: 'revoke',
        ...named(name, options),
        ...(about === undefined ? {} : { scope: scopeOf(about) }),
      }),
    );
  group
    .command('restore <name>')
    .description('let somebody whose access was revoked do again what is granted')
    .option(...dataDirOption)
    .option(...kindOption)
    .action((name: string, options: Options) => want(options, { verb: 'restore', ...named(name, options) }));
  group
    .command('token <name>')
    .description('make a new token of its own for somebody, and print it; the old one ends')
    .option(...dataDirOption)
    .option(...kindOption)
    .action((name: string, options: Options) => want(options, { verb: 'token', ...named(name, options) }));
}

function accessArgs({ dataDir, json = false }: Options, asked: unknown): AccessArgs | Usage {
  if (dataDir === '') return { kind: 'usage', text: 'error: --data-dir needs a folder; it is empty\n' };
  const parsed = accessCommandSchema.safeParse(asked);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { kind: 'usage', text: `error: ${issue?.path.join('.')}: ${issue?.message}\n` };
  }
  const place = dataDir === undefined ? {} : { dataDir: resolve(dataDir) };
  return { kind: 'access', json, command: parsed.data, ...place };
}

function named(name: string, { kind }: Options): { readonly name: string; readonly kind?: IdentityKind } {
  // Checked by the schema.
  return kind === undefined ? { name } : { name, kind: kind as IdentityKind };
}

function granted(about: string, { ask, deny, minutes, yes }: Options) {
  const effect: Effect = deny ? 'deny' : ask ? 'ask' : 'allow';
  return {
    effect,
    scope: scopeOf(about),
    ...(minutes === undefined ? {} : { minutes: Number(minutes) }),
    ...(yes ? { ahead: true } : {}),
  };
}

/** A key may have a colon itself; then its tools are granted in the window. */
export function scopeOf(about: string): GrantScope {
  if (about === 'all') return { kind: 'all' };
  if (about === 'risk=low' || about === 'risk=high')
    return { kind: 'risk', risk: about === 'risk=low' ? 'low' : 'high' };
  if (/[*?]/.test(about)) return { kind: 'pattern', pattern: about };
  const colon = about.indexOf(':');
  if (colon < 0) return { kind: 'server', serverKey: about };
  return { kind: 'tool', serverKey: about.slice(0, colon), tool: about.slice(colon + 1) };
}
