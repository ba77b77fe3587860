import { ProblemError } from '../../../shared/error/problem.ts';
import type { SecretKeeper } from '../../../shared/model/hub/hub.ts';
import type { SecretsView } from '../../../shared/model/hub/secret.ts';
import { withCommandNote } from '../activity/audit/note-command.ts';
import { systemClock } from '../base/clock.ts';
import { readSecretReferences } from '../config/entry/secret-references.ts';
import { dataPaths, openDataDir } from '../store/files/data-dir.ts';
import { userSecretPrefix } from '../store/files/secret-vault.ts';
import { inUse, requireValidName, unknownSecret } from './secret-operations.ts';
import type { KnownSecret } from './secret-store.ts';
import { secretsView } from './secrets-view.ts';
import { openVault } from './sign-ins.ts';

/** The vault of a data folder, for programs other than its hub; a running hub picks changes up at once. */
export interface OfflineSecrets {
  /** Encrypts secrets stored from here. */
  readonly keeper: SecretKeeper;
  list(): Promise<SecretsView>;
  /** Stores a value, replacing an older one. */
  set(name: string, value: string): Promise<void>;
  /** Rejects with `secret.in_use` while servers refer to it, unless `force` is set. */
  delete(name: string, force: boolean): Promise<void>;
}

/**
 * Rejects with ProblemError for an invalid `PATCHBAY_KEY` and, if a secret is to be stored, for an unusable
 * folder, which is created in that case.
 */
export async function openOfflineSecrets(
  dataDir: string,
  env: Readonly<Record<string, string | undefined>>,
  toStore = true,
): Promise<OfflineSecrets> {
  const paths = toStore ? await openDataDir(dataDir) : dataPaths(dataDir);
  const vault = openVault({ ports: {}, paths, env, clock: systemClock });
  const list = async () => {
    const stored = (await vault.list()).filter(({ name }) => name.startsWith(userSecretPrefix));
    const known = await Promise.all(
      stored.map(async ({ name, box, storedAt }): Promise<KnownSecret> => {
        const readable = await vault.get(name).then(
          () => true,
          () => false,
        );
        const plainName = name.slice(userSecretPrefix.length);
        return { name: plainName, box, readable, ...(storedAt === undefined ? {} : { storedAt }) };
      }),
    );
    return secretsView(known, await readSecretReferences(paths.config));
  };
  return {
    keeper: vault.keeper,
    list,
    async set(name, value) {
      requireValidName(name);
      const isThere = (await vault.list()).some((one) => one.name === userSecretPrefix + name);
      const action = isThere ? 'replace-secret' : 'set-secret';
      await withCommandNote(paths, { kind: 'hub', action, text: name }, () =>
        vault.set(userSecretPrefix + name, value),
      );
    },
    delete: (name, force) =>
      withCommandNote(paths, { kind: 'hub', action: 'delete-secret', text: name }, async () => {
        const secret = (await list()).secrets.find((one) => one.name === name);
        if (secret === undefined) throw new ProblemError(unknownSecret(name));
        if (!force && secret.usedBy.length > 0) throw new ProblemError(inUse(name, secret.usedBy));
        await vault.delete(userSecretPrefix + name);
      }),
  };
}
