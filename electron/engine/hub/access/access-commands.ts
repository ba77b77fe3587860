import { ProblemError, problem, toProblem } from '../../../../shared/error/problem.ts';
import type { Identity, NewClients } from '../../../../shared/model/access.ts';
import type { AccessAnswer, AccessCommand } from '../../../../shared/model/access-command.ts';
import { scopeText } from '../../../../shared/model/access-text.ts';
import type { Clock } from '../../base/clock.ts';
import type { Catalogue } from '../../catalogue/contract.ts';
import { commandLine } from '../audit/command-line.ts';
import type { AccessBook } from './access-book.ts';
import { approvalGone, unknownGrant, unreadable } from './access-problems.ts';
import type { ApprovalDesk } from './approval-desk.ts';
import { connectedByHand } from './first-connection.ts';
import { checkTarget } from './grant-ahead.ts';

export interface CommandedAccess {
  readonly book: AccessBook;
  readonly newClients: NewClients;
  readonly clock: Clock;
  /** Everything that can be granted; undefined if it cannot be read. */
  readonly catalogue: () => Catalogue | undefined;
  readonly saveAskDestructive: (isOn: boolean) => Promise<void>;
  /** Calls that wait for approval; undefined while no hub runs. */
  readonly desk?: Pick<ApprovalDesk, 'list' | 'answer'>;
}

/** A new token, and a note for the user. */
type Done = Pick<AccessAnswer, 'token' | 'note'>;

const nothing: Done = {};

type Named = Exclude<
  AccessCommand,
  { verb: 'list' | 'connected' | 'begin-anew' | 'waiting' | 'answer' | 'ask-destructive' }
>;

/** Runs a command; resolves when its changes are on disk. Rejects with ProblemError. */
export async function runAccessCommand(
  access: CommandedAccess,
  command: AccessCommand,
): Promise<AccessAnswer> {
  const { book, newClients } = access;
  if (command.verb === 'begin-anew') await book.beginAnew(by);
  if (!book.isReady) throw unreadable();
  if (command.verb === 'ask-destructive') {
    await access.saveAskDestructive(command.isOn);
    book.tables.askDestructive = command.isOn;
  }
  const { token, note } = await saved(access, command, act(access, command));
  const { tables } = book;
  const view = {
    identities: tables.identities(),
    grants: tables.grants(),
    tokens: tables.tokens(),
    newClients,
    askDestructive: tables.askDestructive,
  };
  const waiting = access.desk?.list() ?? [];
  return {
    view,
    waiting,
    ...(token === undefined ? {} : { token }),
    ...(note === undefined ? {} : { note }),
  };
}

/**
 * Waits until the changes are on disk. A new token is shown only once, so a running hub returns it with a
 * note even if saving fails.
 */
async function saved({ book, desk }: CommandedAccess, { verb }: AccessCommand, done: Done): Promise<Done> {
  if (verb === 'list' || verb === 'waiting') return done;
  try {
    await book.saved();
    return done;
  } catch (error) {
    if (done.token === undefined || desk === undefined) throw error;
    const { sentence, fix } = toProblem(error);
    return { ...done, note: `${sentence} ${fix}` };
  }
}

function act(access: CommandedAccess, command: AccessCommand): Done {
  const { book, desk } = access;
  switch (command.verb) {
    case 'list':
    case 'waiting':
    case 'begin-anew':
    case 'ask-destructive':
      return nothing;
    case 'grant':
      return grant(access, command);
    case 'revoke': {
      const { id: identityId } = known(book, command);
      if (command.scope === undefined) book.revoke(identityId, by);
      else revokeGrant(book, identityId, command.scope);
      return nothing;
    }
    case 'restore':
      book.restore(known(book, command).id, by);
      return nothing;
    case 'answer':
      answer(desk, command);
      return nothing;
    case 'connected':
      connectedByHand(book, command.name, 'connected on the command line');
      return nothing;
    case 'token':
      return { token: makeToken(book, command) };
  }
}

function grant(
  { book, clock, catalogue }: CommandedAccess,
  command: Extract<AccessCommand, { verb: 'grant' }>,
): Done {
  const { effect, scope, minutes, ahead = false } = command;
  const { id: identityId } = known(book, command);
  const there = catalogue();
  const note = there && checkTarget(scope, there, ahead);
  const ends = minutes === undefined ? {} : { expiresAt: clock.now() + minutes * 60_000 };
  book.grant({ identityId, effect, scope, ...ends, grantedBy: by });
  return note === undefined ? nothing : { note };
}

function makeToken(book: AccessBook, command: Extract<AccessCommand, { verb: 'token' }>): string {
  const { id } = found(book, command) ?? book.create({ kind: 'agent', name: command.name }, by);
  return book.rotate(id, by).token;
}

function answer(desk: CommandedAccess['desk'], command: Extract<AccessCommand, { verb: 'answer' }>): void {
  const meant = desk?.list().filter(({ id }) => id.startsWith(command.id)) ?? [];
  const [only] = meant;
  if (desk === undefined || only === undefined || meant.length > 1) throw approvalGone();
  desk.answer(only.id, command.answer, by);
}

function revokeGrant(
  book: AccessBook,
  identityId: string,
  scope: NonNullable<Extract<AccessCommand, { verb: 'revoke' }>['scope']>,
): void {
  const grant = book.tables.grantLike({ identityId, scope });
  if (grant === undefined) throw unknownGrant(scopeText(scope));
  book.revokeGrant(grant.id, by);
}

function known(book: AccessBook, named: Named): Identity {
  const identity = found(book, named);
  if (identity !== undefined) return identity;
  const other = named.kind && book.tables.byName(named.kind === 'client' ? 'agent' : 'client', named.name);
  if (other !== undefined) throw otherKind(other);
  const sentence = `There is no client or agent called ${JSON.stringify(named.name)}.`;
  const fix = `See patchbay access list. Clients are added when they connect; to add an agent, run: patchbay access token ${named.name}`;
  throw new ProblemError(problem('access.unknown_identity', sentence, fix, { name: named.name }));
}

function otherKind({ kind, name }: Identity): ProblemError {
  const [meant, is] = kind === 'agent' ? ['client', 'an agent'] : ['agent', 'a client'];
  const sentence = `No ${meant} is called ${JSON.stringify(name)}, but ${is} is.`;
  const fix = `If you mean that one, use --kind ${kind}, or leave out --kind.`;
  return new ProblemError(problem('access.unknown_identity', sentence, fix, { name }));
}

function found(book: AccessBook, { name, kind }: Named): Identity | undefined {
  const { tables } = book;
  if (kind !== undefined) return tables.byName(kind, name);
  const [client, agent] = [tables.byName('client', name), tables.byName('agent', name)];
  if (client === undefined || agent === undefined) return client ?? agent;
  const sentence = `Both a client and an agent are called ${JSON.stringify(name)}.`;
  throw new ProblemError(
    problem('access.unknown_identity', sentence, 'Choose one with --kind client or --kind agent.'),
  );
}

const by = commandLine;
