import { describe, expect, it } from 'vitest';
import { type KeychainBoxOptions, keychainBox } from '../../../../electron/main/port/keychain-box.ts';

type Keychain = KeychainBoxOptions['keychain'];

/** Reverses bytes, which is enough to see that they passed through it. */
function keychain(changes: Partial<Keychain> = {}): Keychain {
  return {
    isEncryptionAvailable: () => true,
    getSelectedStorageBackend: () => 'gnome_libsecret',
    encryptString: (text) => Buffer.from(text).reverse(),
    decryptString: (bytes) => Buffer.from(bytes).reverse().toString(),
    ...changes,
  };
}

function choose(changes: Partial<Keychain> = {}, platform: NodeJS.Platform = 'linux') {
  const errors: unknown[] = [];
  const box = keychainBox({ keychain: keychain(changes), platform, onError: (error) => errors.push(error) });
  return { box, errors };
}

describe('the box over the keychain', () => {
  it('[NFR-SEC1] returns the original value after a round trip through the keychain', async () => {
    const { box } = choose();
    const sealed = (await box?.encrypt('klíč 🔑')) ?? '';
    expect(sealed).not.toContain('kl');
    expect(await box?.decrypt(sealed)).toBe('klíč 🔑');
    expect(box?.kind).toBe('keychain');
  });

  it.each<[string, Partial<Keychain>, NodeJS.Platform, boolean]>([
    ['a keyring on Linux', {}, 'linux', true],
    ['a wallet on Linux', { getSelectedStorageBackend: () => 'kwallet6' }, 'linux', true],
    ['a fixed password on Linux', { getSelectedStorageBackend: () => 'basic_text' }, 'linux', false],
    ['a store on Linux that is not known', { getSelectedStorageBackend: () => 'unknown' }, 'linux', false],
    ['a keyring that is not there', { isEncryptionAvailable: () => false }, 'linux', false],
    ['the keychain of macOS', { getSelectedStorageBackend: () => 'basic_text' }, 'darwin', true],
    ['no keychain on macOS', { isEncryptionAvailable: () => false }, 'darwin', false],
    ['DPAPI on Windows', {}, 'win32', true],
  ])('[NFR-SEC1] decides on %s', (_case, changes, platform, trusted) => {
    expect(choose(changes, platform).box !== undefined).toBe(trusted);
  });

  it('[NFR-SEC1] does without a failing keychain, and reports why', () => {
    const { box, errors } = choose({
      isEncryptionAvailable: () => {
        throw new Error('no bus');
      },
    });
    expect(box).toBeUndefined();
    expect(errors).toEqual([new Error('no bus')]);
  });

  it('[NFR-SEC1] rejects what the keychain cannot open', async () => {
    const { box } = choose({
      decryptString: () => {
        throw new Error('another key');
      },
    });
    await expect(box?.decrypt('AAAA')).rejects.toThrow('another key');
  });
});
