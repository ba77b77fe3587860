import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { IdentityKind } from '../../../../shared/model/access.ts';

export function unknownIdentity(id: string): ProblemError {
  const sentence = `Nobody is known as ${JSON.stringify(id)}.`;
  const fix = 'It may have been removed; look at the list again.';
  return new ProblemError(problem('access.unknown_identity', sentence, fix, { identity: id }));
}

export function identityExists(kind: IdentityKind, name: string): ProblemError {
  const article = kind === 'agent' ? 'an agent' : 'a client';
  const sentence = `There is ${article} called ${JSON.stringify(name)} already.`;
  return new ProblemError(problem('access.identity_exists', sentence, 'Choose another name.', { name }));
}

export function unknownGrant(id: string): ProblemError {
  const fix = 'It may have been revoked already; look at the list again.';
  return new ProblemError(problem('access.unknown_grant', 'There is no such grant.', fix, { grant: id }));
}

export function unknownToken(id: string): ProblemError {
  const fix = 'It may have ended already; look at the list again.';
  return new ProblemError(problem('access.unknown_grant', 'There is no such token.', fix, { token: id }));
}

export function approvalGone(): ProblemError {
  const sentence = 'This call does not wait any more: it was decided, given up, or waited too long.';
  return new ProblemError(problem('access.approval_gone', sentence, 'Look at what waits now.'));
}

/** Nothing is changed while the grants cannot be read, because the change could be lost. */
export function unreadable(): ProblemError {
  const sentence = 'What has been granted cannot be read, so nobody may call anything.';
  const fix = 'See what is said about its database, in the window or by: patchbay status.';
  return new ProblemError(problem('access.unreadable', sentence, fix));
}

export function unsaved(): ProblemError {
  const sentence =
    'The change holds now, but it could not be written down and is forgotten when Patchbay ends.';
  const fix = 'See what Patchbay says about its database. It retries automatically.';
  return new ProblemError(problem('access.unsaved', sentence, fix));
}
