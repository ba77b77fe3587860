import { toProblem } from '../../shared/error/problem.ts';
import type { AccessView, Grant, GrantScope, Identity } from '../../shared/model/access.ts';
import type { AccessAnswer } from '../../shared/model/access-command.ts';
import { printableWord } from '../engine/base/printable.ts';
import { defaultDataDir } from '../engine/engine.ts';
import type { AccessArgs } from './access-args.ts';
import { askAccess } from './ask-access.ts';
import { print, printError } from './print.ts';
import { problemText } from './report.ts';
import { waitingText } from './waiting-text.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs `patchbay access`, through the running hub or offline; resolves to the exit code. */
export async function runAccess(args: AccessArgs, env: Environment): Promise<number> {
  try {
    const answer = await askAccess(args.command, args.dataDir ?? defaultDataDir(env));
    if (answer.note !== undefined) printError(`${answer.note}\n`);
    print(outcome(args, answer));
    return 0;
  } catch (error) {
    printError(`${problemText(toProblem(error))}\n`);
    return 1;
  }
}

function outcome({ command, json }: AccessArgs, { view, token, waiting = [] }: AccessAnswer): string {
  if (command.verb === 'waiting') return json ? toJson(waiting) : waitingText(waiting);
  if (command.verb === 'answer') return waitingText(waiting);
  if (json) return toJson(view);
  if (token !== undefined) return `${token}\n`;
  if (command.verb === 'ask-destructive') return askText(view);
  if (command.verb === 'list' || command.verb === 'begin-anew') return listText(view);
  const about = view.identities.filter(({ name }) => name === command.name);
  return about.map((identity) => identityText(identity, view)).join('');
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function listText(view: AccessView): string {
  const known = view.identities.map((identity) => identityText(identity, view)).join('');
  const fresh = {
    everything: 'may call everything',
    ask: 'ask before each call',
    nothing: 'may call no tools',
  };
  return `${known}New clients ${fresh[view.newClients]}.\n${view.askDestructive ? askText(view) : ''}`;
}

function askText({ askDestructive }: AccessView): string {
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
  return `${effect.padEnd(5)}  ${printableWord(aboutText(scope))}  (${printableWord(notes.join(', '))})`;
}

/** Formats a scope as it is typed. */
function aboutText(scope: GrantScope): string {
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
