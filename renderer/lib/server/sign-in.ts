import type { Problem } from '../../../shared/error/problem.ts';
import type { ServerView } from '../../../shared/model/server/server.ts';

/** True if signing in would get the server running; impossible without a client ID. */
export function wantsSignIn({
  status,
  auth,
  problem,
}: Pick<ServerView, 'status' | 'auth' | 'problem'>): boolean {
  return status === 'needs-auth' && auth !== undefined && problem?.code !== 'server.client_id_needed';
}

/** Returns the problem that a sign-in would solve: the last one failed, or none has been made. */
export function signInProblem(server: ServerView): Problem | undefined {
  return server.auth?.problem ?? (wantsSignIn(server) ? server.problem : undefined);
}

/** Returns the button's label: an active or existing sign-in is started again. */
export function signInVerb({ auth }: Pick<ServerView, 'auth'>): string {
  if (auth?.pending === true) return 'Start again';
  return auth?.signedIn === true ? 'Sign in again' : 'Sign in';
}
