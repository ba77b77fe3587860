import type { RemoteAuthorization } from '../../electron/engine/transport/oauth/contract.ts';
import { signInNeeded } from '../../electron/engine/transport/oauth/sign-in-problem.ts';

export interface Nobody extends RemoteAuthorization {
  /** The status of each refusal that a sign-in was asked for. */
  readonly asked: number[];
  /** How many of these were about one request alone. */
  readonly offered: () => number;
}

/** A sign-in that nobody has made. */
export function nobody(url: string): Nobody {
  const asked: number[] = [];
  let offered = 0;
  return {
    asked,
    offered: () => offered,
    token: async () => undefined,
    renew: async (_token, { status }) => {
      asked.push(status);
      return undefined;
    },
    problem: (challenge, hadToken) => signInNeeded(new URL(url), challenge, hadToken),
    diagnose: async (challenge, _refusal, isAlone = false) => {
      asked.push(challenge.status);
      if (isAlone) offered += 1;
      return signInNeeded(new URL(url), challenge, false);
    },
  };
}
