import { ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import type { Identity, NewClients } from '../../../shared/model/access/access.ts';
import type { AccessAnswer, AccessCommand } from '../../../shared/model/access/access-command.ts';
import { scopeText } from '../../../shared/model/access/access-text.ts';
import { shellWord } from '../../../shared/shell-word.ts';
import type { Clock } from '../base/clock.ts';
import { commandLine } from '../base/command-line-actor.ts';
import type { Catalogue } from '../catalogue/contract.ts';
import { approvalGone, unknownGrant, unreadable } from './access-problems.ts';
import type { AccessService } from './access-service.ts';
import type { ApprovalQueue } from './approval-queue.ts';
import { addConnectedClient } from './identify-client.ts';
import { checkGrantTarget } from './rules/grant-target.ts';

export interface AccessCommandContext {
  readonly service: AccessService;
  readonly newClients: NewClients;
  readonly clock: Clock;
  /** Everything that can be granted; undefined if it cannot be read. */
  readonly catalogue: () => Catalogue | undefined;
  readonly saveAskDestructive: (isOn: boolean) => Promise<void>;
  /** Calls that wait for approval; undefined while no hub runs. */
  readonly approvals?: Pick<ApprovalQueue, 'list' | 'answer'>;
}

/** A new token, and a note for the user. */
type CommandResult = Pick<AccessAnswer, 'token' | 'note'>;

const noResult: CommandResult = {};

type NamedCommand = Exclude<
  AccessCommand,
  { verb: 'list' | 'connected' | 'begin-anew' | 'waiting' | 'answer' | 'ask-destructive' }
>;

/** Runs a command; resolves when its changes are on disk. Rejects with ProblemError. */
export async function runAccessCommand(
  access: AccessCommandContext,
  command: AccessCommand,
): Promise<AccessAnswer> {
  const { service, newClients } = access;
  if (command.verb === 'begin-anew') await service.beginAnew(by);
  if (!service.isReady) throw unreadable();
  if (command.verb === 'ask-destructive') {
    await access.saveAskDestructive(command.isOn);
    service.tables.askDestructive = command.isOn;
  }
  const { token, note } = await whenSaved(access, command, applyCommand(access, command));
  const { tables } = service;
  const view = {
    identities: tables.identities(),
    grants: tables.grants(),
    tokens: tables.tokens(),
    newClients,
    askDestructive: tables.askDestructive,
  };
  const waiting = access.approvals?.list() ?? [];
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
async function whenSaved(
  { service, approvals }: AccessCommandContext,
  { verb }: AccessCommand,
  done: CommandResult,
): Promise<CommandResult> {
  if (verb === 'list' || verb === 'waiting') return done;
  try {
    await service.saved();
    return done;
  } catch (error) {
    if (done.token === undefined || approvals === undefined) throw error;
    const { sentence, fix } = toProblem(error);
    return { ...done, note: `${sentence} ${fix}` };
  }
}

function applyCommand(access: AccessCommandContext, command: AccessCommand): CommandResult {
  const { service, approvals } = access;
  switch (command.verb) {
    case 'list':
    case 'waiting':
    case 'begin-anew':
    case 'ask-destructive':
      return noResult;
    case 'grant':
      return grant(access, command);
    case 'revoke': {
      const { id: identityId } = requireIdentity(service, command);
      if (command.scope === undefined) service.revoke(identityId, by);
      else revokeGrant(service, identityId, command.scope);
      return noResult;
    }
    case 'restore':
      service.restore(requireIdentity(service, command).id, by);
      return noResult;
    case 'answer':
      answer(approvals, command);
      return noResult;
    case 'connected':
      addConnectedClient(service, command.name, 'connected on the command line');
      return noResult;
    case 'token':
      return { token: makeToken(service, command) };
  }
}

function grant(
  { service, clock, catalogue }: AccessCommandContext,
  command: Extract<AccessCommand, { verb: 'grant' }>,
): CommandResult {
  const { effect, scope, minutes, ahead = false } = command;
  const { id: identityId } = requireIdentity(service, command);
  const current = catalogue();
  const note = current && checkGrantTarget(scope, current, ahead);
  const ends = minutes === undefined ? {} : { expiresAt: clock.now() + minutes * 60_000 };
  service.grant({ identityId, effect, scope, ...ends, grantedBy: by });
  return note === undefined ? noResult : { note };
}

function makeToken(service: AccessService, command: Extract<AccessCommand, { verb: 'token' }>): string {
  const { id } = findIdentity(service, command) ?? service.create({ kind: 'agent', name: command.name }, by);
  return service.rotate(id, by).token;
}

function answer(
  approvals: AccessCommandContext['approvals'],
  command: Extract<AccessCommand, { verb: 'answer' }>,
): void {
  const matching = approvals?.list().filter(({ id }) => id.startsWith(command.id)) ?? [];
  const [match] = matching;
  if (approvals === undefined || match === undefined || matching.length > 1) throw approvalGone();
  approvals.answer(match.id, command.answer, by);
}

function revokeGrant(
  service: AccessService,
  identityId: string,
  scope: NonNullable<Extract<AccessCommand, { verb: 'revoke' }>['scope']>,
): void {
  const grant = service.tables.grantLike({ identityId, scope });
  if (grant === undefined) throw unknownGrant(scopeText(scope));
  service.revokeGrant(grant.id, by);
}

function requireIdentity(service: AccessService, named: NamedCommand): Identity {
  const identity = findIdentity(service, named);
  if (identity !== undefined) return identity;
  const other = named.kind && service.tables.byName(named.kind === 'client' ? 'agent' : 'client', named.name);
  if (other !== undefined) throw otherKind(other);
  const sentence = `There is no client or agent called ${JSON.stringify(named.name)}.`;
  const fix = `See patchbay access list. Clients are added when they connect; to add an agent, run: patchbay access token ${shellWord(named.name)}`;
  throw new ProblemError(problem('access.unknown_identity', sentence, fix, { name: named.name }));
}

function otherKind({ kind, name }: Identity): ProblemError {
  const [wanted, actual] = kind === 'agent' ? ['client', 'an agent'] : ['agent', 'a client'];
  const sentence = `No ${wanted} is called ${JSON.stringify(name)}, but ${actual} is.`;
  const fix = `To use that one, pass --kind ${kind} or leave out --kind.`;
  return new ProblemError(problem('access.unknown_identity', sentence, fix, { name }));
}

function findIdentity(service: AccessService, { name, kind }: NamedCommand): Identity | undefined {
  const { tables } = service;
  if (kind !== undefined) return tables.byName(kind, name);
  const [client, agent] = [tables.byName('client', name), tables.byName('agent', name)];
  if (client === undefined || agent === undefined) return client ?? agent;
  const sentence = `Both a client and an agent are called ${JSON.stringify(name)}.`;
  throw new ProblemError(
    problem('access.unknown_identity', sentence, 'Choose one with --kind client or --kind agent.'),
  );
}

const by = commandLine;
