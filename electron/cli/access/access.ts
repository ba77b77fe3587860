import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { toProblem } from '../../../shared/error/problem.ts';
import {
  type AccessView,
  type Effect,
  type Grant,
  type GrantScope,
  grantScopeSchema,
  type Identity,
  type IdentityKind,
  identityNameSchema,
} from '../../../shared/model/access/access.ts';
import {
  type AccessAnswer,
  type AccessCommand,
  accessCommandSchema,
} from '../../../shared/model/access/access-command.ts';
import { printableWord } from '../../../shared/printable.ts';
import { defaultDataDir } from '../../engine/engine.ts';
import type { CliCommand, Environment, UsageError } from '../terminal/cli-command.ts';
import { dataDirOption, wholeNumber } from '../terminal/option-values.ts';
import { print, printError } from '../terminal/print.ts';
import { problemText } from '../terminal/problem-text.ts';
import { approvalsText } from './approvals-text.ts';
import { sendAccessCommand } from './send-access-command.ts';

/** Decides which clients and agents may call which tools. */
export interface AccessArgs {
  readonly kind: 'access';
  readonly dataDir?: string;
  readonly json: boolean;
  readonly command: AccessCommand;
}

interface Options {
  readonly dataDir?: string;
  readonly json?: boolean;
  readonly kind?: IdentityKind;
  readonly ask?: boolean;
  readonly deny?: boolean;
  readonly minutes?: number;
  readonly yes?: boolean;
}

const kindOption = () =>
  new Option('--kind <kind>', 'choose between a client and an agent of the same name').choices([
    'client',
    'agent',
  ]);
const minutesPerYear = 365 * 24 * 60;
const scopeForms = 'all, risk=low, risk=high, SERVER, SERVER:TOOL, or a pattern of these with * and ?';
const nameHelp = 'client or agent';

export const accessCommand: CliCommand<AccessArgs> = { describe: describeAccess, run: runAccess };

function describeAccess(command: Command, onAccess: (args: AccessArgs | UsageError) => void): void {
  const want = (options: Options, asked: unknown) => onAccess(accessArgs(options, asked));
  const group = command.command('access').description('decide which tools clients and agents may call');
  group
    .command('list')
    .description('list clients and agents, and their rules')
    .option(...dataDirOption)
    .option('--json', 'print all details as JSON, for programs')
    .action((options: Options) => want(options, { verb: 'list' }));
  group
    .command('ask-destructive')
    .addArgument(new Argument('<switch>').choices(['on', 'off']))
    .description('ask before destructive tools, for all clients')
    .option(...dataDirOption)
    .option('--json', 'print all details as JSON, for programs')
    .action((state: string, options: Options) =>
      want(options, { verb: 'ask-destructive', isOn: state === 'on' }),
    );
  group
    .command('waiting')
    .description('list calls waiting for approval')
    .option(...dataDirOption)
    .option('--json', 'print all details as JSON, for programs')
    .action((options: Options) => want(options, { verb: 'waiting' }));
  group
    .command('answer')
    .argument('<id>', 'ID of the call, or its beginning; see patchbay access waiting', idPrefix)
    .addArgument(
      new Argument('<answer>', 'how long to allow, or deny').choices(['once', '15m', 'always', 'deny']),
    )
    .description('approve or deny a waiting call')
    .option(...dataDirOption)
    .action((id: string, answer: string, options: Options) =>
      want(options, { verb: 'answer', id, answer: answer === '15m' ? 'for-15-minutes' : answer }),
    );
  // The former name still works, but is no longer listed.
  for (const [verb, hidden] of [['continue', false] as const, ['begin-anew', true] as const])
    group
      .command(verb, { hidden })
      .description('continue with the access rules recovered from a damaged database')
      .option(...dataDirOption)
      .option('--json', 'print all details as JSON, for programs')
      .action((options: Options) => want(options, { verb: 'begin-anew' }));
  group
    .command('grant')
    .argument('<name>', nameHelp, name)
    .argument('<what>', scopeForms, scope)
    .description('allow calls of servers and tools')
    .option(...dataDirOption)
    .addOption(kindOption())
    .addOption(new Option('--ask', 'ask for approval before each call').conflicts('deny'))
    .option('--deny', 'block calls; overrides every rule that allows them')
    .option('--minutes <number>', 'expire after this many minutes', wholeNumber(1, minutesPerYear))
    .option('--yes', 'also allow servers and tools that do not exist yet')
    .action((who: string, about: GrantScope, options: Options) =>
      want(options, { verb: 'grant', ...named(who, options), ...granted(about, options) }),
    );
  group
    .command('revoke')
    .argument('<name>', nameHelp, name)
    .argument('[what]', `rule to remove: ${scopeForms}`, scope)
    .description('remove a rule, or all access')
    .option(...dataDirOption)
    .addOption(kindOption())
    .action((who: string, about: GrantScope | undefined, options: Options) =>
      want(options, {
        verb: 'revoke',
        ...named(who, options),
        ...(about === undefined ? {} : { scope: about }),
      }),
    );
  group
    .command('restore')
    .argument('<name>', nameHelp, name)
    .description('restore access that was revoked')
    .option(...dataDirOption)
    .addOption(kindOption())
    .action((who: string, options: Options) => want(options, { verb: 'restore', ...named(who, options) }));
  group
    .command('token')
    .argument('<name>', nameHelp, name)
    .description('create and print a new token for this client or agent; the old one stops working')
    .option(...dataDirOption)
    .addOption(kindOption())
    .action((who: string, options: Options) => want(options, { verb: 'token', ...named(who, options) }));
}

function accessArgs({ dataDir, json = false }: Options, request: unknown): AccessArgs | UsageError {
  const parsed = accessCommandSchema.safeParse(request);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { kind: 'usage', text: `error: ${issue?.path.join('.')}: ${issue?.message}\n` };
  }
  const folder = dataDir === undefined ? {} : { dataDir };
  return { kind: 'access', json, command: parsed.data, ...folder };
}

function named(name: string, { kind }: Options): { readonly name: string; readonly kind?: IdentityKind } {
  return kind === undefined ? { name } : { name, kind };
}

function granted(scope: GrantScope, { ask, deny, minutes, yes }: Options) {
  const effect: Effect = deny ? 'deny' : ask ? 'ask' : 'allow';
  return {
    effect,
    scope,
    ...(minutes === undefined ? {} : { minutes }),
    ...(yes ? { ahead: true } : {}),
  };
}

function name(text: string): string {
  const parsed = identityNameSchema.safeParse(text);
  if (parsed.success) return text;
  throw new InvalidArgumentError(`${parsed.error.issues.map(({ message }) => message).join(', and ')}.`);
}

function scope(text: string): GrantScope {
  const parsedScope = scopeOf(text);
  if (grantScopeSchema.safeParse(parsedScope).success) return parsedScope;
  throw new InvalidArgumentError(`It must be ${scopeForms}.`);
}

function idPrefix(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('It must be an ID from "patchbay access waiting", or its beginning.');
}

/** Server keys that contain a colon cannot be typed here; their tools are granted in the window. */
function scopeOf(about: string): GrantScope {
  if (about === 'all') return { kind: 'all' };
  if (about === 'risk=low' || about === 'risk=high')
    return { kind: 'risk', risk: about === 'risk=low' ? 'low' : 'high' };
  if (/[*?]/.test(about)) return { kind: 'pattern', pattern: about };
  const colon = about.indexOf(':');
  if (colon < 0) return { kind: 'server', serverKey: about };
  return { kind: 'tool', serverKey: about.slice(0, colon), tool: about.slice(colon + 1) };
}

/** Runs `patchbay access`, through the running hub or offline; resolves to the exit code. */
async function runAccess(args: AccessArgs, env: Environment): Promise<number> {
  try {
    const answer = await sendAccessCommand(args.command, args.dataDir ?? defaultDataDir(env));
    if (answer.note !== undefined) printError(`${answer.note}\n`);
    print(outcome(args, answer));
    return 0;
  } catch (error) {
    printError(`${problemText(toProblem(error))}\n`);
    return 1;
  }
}

function outcome({ command, json }: AccessArgs, { view, token, waiting = [] }: AccessAnswer): string {
  if (command.verb === 'waiting') return json ? toJson(waiting) : approvalsText(waiting);
  if (command.verb === 'answer') return approvalsText(waiting);
  if (json) return toJson(view);
  if (token !== undefined) return `${token}\n`;
  if (command.verb === 'ask-destructive') return askDestructiveText(view);
  if (command.verb === 'list' || command.verb === 'begin-anew') return listText(view);
  const about = view.identities.filter(({ name }) => name === command.name);
  return about.map((identity) => identityText(identity, view)).join('');
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function listText(view: AccessView): string {
  const identitiesText = view.identities.map((identity) => identityText(identity, view)).join('');
  const newClientTexts = {
    everything: 'may call everything',
    ask: 'ask before each call',
    nothing: 'may call no tools',
  };
  return `${identitiesText}New clients ${newClientTexts[view.newClients]}.\n${view.askDestructive ? askDestructiveText(view) : ''}`;
}

function askDestructiveText({ askDestructive }: AccessView): string {
  return askDestructive
    ? 'Patchbay asks before destructive tools, for all clients.\n'
    : 'Patchbay does not ask before destructive tools unless a rule says so.\n';
}

function identityText(identity: Identity, { grants }: AccessView): string {
  const { id, kind, name, hasToken } = identity;
  const notes = [kind, ...(hasToken ? ['has its own token'] : []), ...endOf(identity)];
  const own = grants.filter(({ identityId }) => identityId === id);
  const lines = own.length === 0 ? ['  no rules'] : own.map((grant) => `  ${grantText(grant)}`);
  return `${[`${printableWord(name)}  (${notes.join(', ')})`, ...lines].join('\n')}\n`;
}

function endOf({ revokedAt, expiresAt }: Identity): readonly string[] {
  if (revokedAt !== undefined) return ['revoked'];
  return expiresAt === undefined ? [] : [`expires ${dateText(expiresAt)}`];
}

function grantText({ effect, scope, needsToken, expiresAt, grantedBy }: Grant): string {
  const notes = [
    ...(needsToken ? ['with a token'] : []),
    ...(expiresAt === undefined ? [] : [`until ${dateText(expiresAt)}`]),
    `by ${grantedBy}`,
  ];
  return `${effect.padEnd(5)}  ${printableWord(scopeText(scope))}  (${printableWord(notes.join(', '))})`;
}

/** Formats a scope as it is typed. */
function scopeText(scope: GrantScope): string {
  switch (scope.kind) {
    case 'all':
      return 'all';
    case 'server':
      return scope.serverKey;
    case 'tool':
      return `${scope.serverKey}:${scope.tool}`;
    case 'pattern':
      return scope.pattern;
    case 'risk':
      return `risk=${scope.risk}`;
  }
}

function dateText(at: number): string {
  return new Date(at).toISOString();
}
