import { join } from 'node:path';
import { type Problem, ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import { digestOf } from '../base/digest.ts';
import type { ConfiguredServer } from '../config/contract.ts';
import { hasCredentials } from '../servers/lifecycle/connection/has-credentials.ts';
import type { DataPaths } from '../store/files/data-dir.ts';
import { createFileLock, type FileLock } from '../store/files/file-lock.ts';
import { keySecretBoxes, type SecretBox } from '../store/files/key-secret-box.ts';
import { createSecretVault, type SecretVault } from '../store/files/secret-vault.ts';
import type { OAuth, OAuthSecrets, OAuthServer } from '../transport/oauth/contract.ts';
import { createOAuth } from '../transport/oauth/oauth.ts';

export interface SignInsOptions {
  readonly ports: { readonly secretBox?: () => SecretBox | undefined };
  readonly paths: Pick<DataPaths, 'run' | 'secrets' | 'secretsKey'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

/** Opens the vault of a data folder; throws ProblemError for an invalid `PATCHBAY_KEY`. */
export function openVault({ ports, paths, env, clock }: SignInsOptions): SecretVault {
  const keyBoxes = keySecretBoxes(paths.secretsKey, env);
  const keychain = ports.secretBox?.();
  return createSecretVault({
    file: paths.secrets,
    boxes: keychain === undefined ? keyBoxes : [keychain, ...keyBoxes],
    lock: createFileLock({ file: join(paths.run, 'secrets.lock'), clock }),
  });
}

/** Opens the sign-ins of a data folder, which are stored in its vault. */
export function openSignIns(vault: SecretVault, { paths, env, clock }: SignInsOptions): OAuth {
  const locks = new Map<string, FileLock>();
  const lockOf = (name: string) => {
    const file = join(paths.run, `sign-in-${digestOf(name).slice(0, 16)}.lock`);
    const lock = locks.get(name) ?? createFileLock({ file, clock });
    locks.set(name, lock);
    return lock;
  };
  const secrets: OAuthSecrets = {
    get: vault.get,
    set: vault.set,
    delete: vault.delete,
    exclusive: (name, task) => lockOf(name).run(task),
  };
  return createOAuth({ secrets, clock, env });
}

/** Returns the problem to show about the vault at start, if any. */
export async function vaultProblem(vault: SecretVault): Promise<Problem | undefined> {
  try {
    const [first, ...more] = await vault.problems();
    if (first === undefined || more.length === 0) return first;
    const sentence = `${more.length + 1} stored secrets cannot be decrypted: they were encrypted with another key.`;
    return { ...first, sentence };
  } catch (error) {
    return toProblem(error);
  }
}

/**
 * Converts a configured server into a sign-in target; throws ProblemError for a server that has no sign-in.
 */
export function signInTarget({ key, target }: ConfiguredServer): OAuthServer {
  if (!target.ok) throw new ProblemError(target.problem);
  const { value } = target;
  if (value.kind === 'stdio') {
    const fix = 'You do not need to sign in. If it needs credentials, add them to "env" in its config.';
    throw new ProblemError(noSignIn(key, 'it is a program on this machine, not a remote server', fix));
  }
  if (hasCredentials(value.headers, value.url)) {
    const fix = 'To sign in instead, remove the credentials from its config first.';
    throw new ProblemError(noSignIn(key, 'its config contains credentials, which are used instead', fix));
  }
  return { key, url: value.url, ...(value.oauth === undefined ? {} : { options: value.oauth }) };
}

function noSignIn(key: string, why: string, fix: string): Problem {
  const sentence = `You cannot sign in to ${key}: ${why}.`;
  return problem('server.sign_in_failed', sentence, fix, { server: key });
}
