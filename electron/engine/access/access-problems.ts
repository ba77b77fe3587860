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
  const fix = 'It may already have been removed. Check the list again.';
  return new ProblemError(problem('access.unknown_grant', 'There is no such rule.', fix, { grant: id }));
}

export function unknownToken(id: string): ProblemError {
  const fix = 'It may already have expired. Check the list again.';
  return new ProblemError(problem('access.unknown_grant', 'There is no such token.', fix, { token: id }));
}

export function approvalGone(): ProblemError {
  const sentence = 'This call is no longer waiting: it was answered or cancelled, or its time ran out.';
  return new ProblemError(problem('access.approval_gone', sentence, 'Check the list of waiting calls.'));
}

/** Nothing is changed while the grants cannot be read, because the change could be lost. */
export function unreadable(): ProblemError {
  const sentence = 'The access rules cannot be read, so all calls are blocked.';
  const fix = 'See the database problem in Patchbay, or run: patchbay status';
  return new ProblemError(problem('access.unreadable', sentence, fix));
}

export function unsaved(): ProblemError {
  const sentence = 'The change is in effect, but could not be saved and will be lost when Patchbay quits.';
  const fix =
    'See the database problem in Patchbay, or run: patchbay status. Saving is retried automatically.';
  return new ProblemError(problem('access.unsaved', sentence, fix));
}
