import { toProblem } from '../../shared/error/problem.ts';
import type { AccessView, Grant, GrantScope, Identity } from '../../shared/model/access.ts';
import type { AccessAnswer } from '../../shared/model/access-command.ts';
import { printableWord } from '../engine/base/printable.ts';
import { defaultDataDir } from '../engine/engine.ts';
import type { AccessArgs } from './access-args.ts';
import { sendAccessCommand } from './ask-access.ts';
import { print, printError } from './print.ts';
import { problemText } from './report.ts';
import { approvalsText } from './waiting-text.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs `patchbay access`, through the running hub or offline; resolves to the exit code. */
export async function runAccess(args: AccessArgs, env: Environment): Promise<number> {
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
    : 'Patchbay does not ask before destructive tools unless a permission says so.\n';
}

function identityText(identity: Identity, { grants }: AccessView): string {
  const { id, kind, name, hasToken } = identity;
  const notes = [kind, ...(hasToken ? ['has its own token'] : []), ...endOf(identity)];
  const own = grants.filter(({ identityId }) => identityId === id);
  const lines = own.length === 0 ? ['  no permissions'] : own.map((grant) => `  ${grantText(grant)}`);
  return `${[`${printableWord(name)}  (${notes.join(', ')})`, ...lines].join('\n')}\n`;
}

function endOf({ revokedAt, expiresAt }: Identity): readonly string[] {
  if (revokedAt !== undefined) return ['revoked'];
  return expiresAt === undefined ? [] : [`ends ${dateText(expiresAt)}`];
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
