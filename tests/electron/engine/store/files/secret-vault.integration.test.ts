import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../../electron/engine/base/clock.ts';
import { createFileLock } from '../../../../../electron/engine/store/files/file-lock.ts';
import { keySecretBoxes, type SecretBox } from '../../../../../electron/engine/store/files/key-secret-box.ts';
import { createSecretVault } from '../../../../../electron/engine/store/files/secret-vault.ts';
import { permissions } from '../../../../helper/permissions.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

const unreadable = { problem: { code: 'hub.secrets_unreadable' } };

async function vaultFolder() {
  const folder = await tempDir();
  const file = join(folder.path, 'secrets.json');
  const keyFile = join(folder.path, 'secrets.key');
  return {
    ...folder,
    file,
    keyFile,
    /** Opens the vault as another start of the program would. */
    open(boxes: readonly [SecretBox, ...SecretBox[]] = keySecretBoxes(keyFile, {})) {
      const lock = createFileLock({ file: `${file}.lock`, clock: systemClock });
      return createSecretVault({ file, boxes, lock });
    },
  };
}

/** Stands for the system's keychain. */
const keychain: SecretBox = {
  kind: 'keychain',
  encrypt: async (text) => Buffer.from(text, 'utf8').toString('hex'),
  decrypt: async (text) => Buffer.from(text, 'hex').toString('utf8'),
};

describe('the vault', () => {
  it('[NFR-SEC1] keeps secrets over a restart, encrypted in files that only the user can read', async () => {
    await using folder = await vaultFolder();
    const secret = 'sk-živá "hodnota" 🔑';
    await folder.open().set('API', secret);
    expect(await folder.open().get('API')).toBe(secret);
    expect(await folder.open().get('OTHER')).toBeUndefined();
    expect(await folder.open().get('toString')).toBeUndefined();
    expect(await readFile(folder.file, 'utf8')).not.toContain('sk-');
    for (const file of [folder.file, folder.keyFile])
      expect((await stat(file)).mode & 0o777).toBe(permissions(0o600));
  });

  it('[NFR-SEC1] encrypts the same text differently each time and notices every changed byte', async () => {
    await using folder = await vaultFolder();
    const [box] = keySecretBoxes(folder.keyFile, {});
    const [one, two] = [await box.encrypt('same'), await box.encrypt('same')];
    expect(one).not.toBe(two);
    const bytes = Buffer.from(one, 'base64url');
    for (const [index, byte] of bytes.entries()) {
      const changed = Buffer.from(bytes);
      changed[index] = byte ^ 1;
      await expect(box.decrypt(changed.toString('base64url'))).rejects.toThrow();
    }
  });

  it('takes the key from PATCHBAY_KEY, still decrypts with the key file, and refuses an invalid key', async () => {
    await using folder = await vaultFolder();
    await folder.open().set('OLD', 'by file');
    const env = { PATCHBAY_KEY: randomBytes(32).toString('base64') };
    const vault = folder.open(keySecretBoxes(folder.keyFile, env));
    await vault.set('NEW', 'by variable');
    expect([await vault.get('OLD'), await vault.get('NEW')]).toEqual(['by file', 'by variable']);
    const bad = async () => keySecretBoxes(folder.keyFile, { PATCHBAY_KEY: 'too short' });
    await expect(bad()).rejects.toMatchObject(unreadable);
  });

  it('[NFR-SEC1] reports a value encrypted with another key, and does not lose it', async () => {
    await using folder = await vaultFolder();
    await folder.open([keychain]).set('A', 'one');
    const headless = folder.open();
    await expect(headless.get('A')).rejects.toMatchObject(unreadable);
    await headless.set('B', 'two');
    expect(await headless.problems()).toMatchObject([
      { code: 'hub.secrets_unreadable', evidence: [{ value: 'A' }, { value: 'keychain' }] },
    ]);
    await headless.delete('B');
    await headless.delete('B');
    expect(await folder.open([keychain]).get('A')).toBe('one');
  });

  it('reports a value whose key has been replaced', async () => {
    await using folder = await vaultFolder();
    await folder.open().set('A', 'one');
    await writeFile(folder.keyFile, randomBytes(32).toString('base64'));
    await expect(folder.open().get('A')).rejects.toMatchObject(unreadable);
    await writeFile(folder.keyFile, 'not a key');
    await expect(folder.open().set('B', 'two')).rejects.toMatchObject(unreadable);
    expect(await readFile(folder.keyFile, 'utf8')).toBe('not a key');
  });

  it('[PB-CFG-2] refuses a file of a newer version or a damaged one, and does not change it', async () => {
    await using folder = await vaultFolder();
    for (const [text, code] of [
      ['{"version":2,"vault":[]}', 'hub.newer_data'],
      ['{"version":1,"secrets":{"A":', 'hub.secrets_unreadable'],
      ['[]', 'hub.secrets_unreadable'],
    ] as const) {
      await writeFile(folder.file, text);
      const vault = folder.open();
      const attempts = [
        () => vault.get('A'),
        () => vault.set('A', 'x'),
        () => vault.delete('A'),
        () => vault.problems(),
      ];
      for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ problem: { code } });
      expect(await readFile(folder.file, 'utf8')).toBe(text);
    }
  });

  it('loses no write of many vaults at once', async () => {
    await using folder = await vaultFolder();
    const vaults = [folder.open(), folder.open(), folder.open()];
    const names = Array.from({ length: 30 }, (_, index) => `S${index}`);
    await Promise.all(names.map((name, index) => vaults[index % 3]?.set(name, `value of ${name}`)));
    const values = await Promise.all(names.map((name) => folder.open().get(name)));
    expect(values).toEqual(names.map((name) => `value of ${name}`));
  });
});
