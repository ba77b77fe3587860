import type { Problem } from '../../shared/error/problem.ts';
import type { ServerView } from '../../shared/model/server.ts';

/** True when signing in is what would get the server going; without a client ID it cannot be done. */
export function wantsSignIn({
  status,
  auth,
  problem,
}: Pick<ServerView, 'status' | 'auth' | 'problem'>): boolean {
  return status === 'needs-auth' && auth !== undefined && problem?.code !== 'server.client_id_needed';
}

/** What a sign-in would solve: that the last one failed, or else that none has been made. */
export function signInProblem(server: ServerView): Problem | undefined {
  return server.auth?.problem ?? (wantsSignIn(server) ? server.problem : undefined);
}

/** The verb of the button: a sign-in under way, or one that stands, is begun anew. */
export function signInVerb({ auth }: Pick<ServerView, 'auth'>): string {
  if (auth?.pending === true) return 'Start again';
  return auth?.signedIn === true ? 'Sign in again' : 'Sign in';
}
