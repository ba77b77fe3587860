import { ProblemError, problem } from '../../../shared/error/problem.ts';
import type { IdentityKind } from '../../../shared/model/access/access.ts';

export function unknownIdentity(id: string): ProblemError {
  const sentence = `There is no client or agent with the id ${JSON.stringify(id)}.`;
  const fix = 'It may have been removed. Check the list again.';
  return new ProblemError(problem('access.unknown_identity', sentence, fix, { identity: id }));
}

export function identityExists(kind: IdentityKind, name: string): ProblemError {
  const article = kind === 'agent' ? 'an agent' : 'a client';
  const sentence = `There is already ${article} called ${JSON.stringify(name)}.`;
  return new ProblemError(problem('access.identity_exists', sentence, 'Choose another name.', { name }));
}

export function unknownGrant(id: string): ProblemError {
  const fix = 'It may have been revoked already. Check the list again.';
  return new ProblemError(problem('access.unknown_grant', 'There is no such grant.', fix, { grant: id }));
}

export function unknownToken(id: string): ProblemError {
  const fix = 'It may have expired already. Check the list again.';
  return new ProblemError(problem('access.unknown_grant', 'There is no such token.', fix, { token: id }));
}

export function approvalGone(): ProblemError {
  const sentence = 'This call is no longer waiting: it was decided, cancelled, or waited too long.';
  return new ProblemError(problem('access.approval_gone', sentence, 'Check which calls are waiting now.'));
}

/** Nothing is changed while the grants cannot be read, because the change could be lost. */
export function unreadable(): ProblemError {
  const sentence = 'The access rules cannot be read, so nobody may call anything.';
  const fix = 'Check the database problem in the window, or run: patchbay status.';
  return new ProblemError(problem('access.unreadable', sentence, fix));
}

export function unsaved(): ProblemError {
  const sentence = 'The change is in effect, but could not be saved and will be lost when Patchbay quits.';
  const fix = 'Check the database problem in Patchbay. It retries automatically.';
  return new ProblemError(problem('access.unsaved', sentence, fix));
}
