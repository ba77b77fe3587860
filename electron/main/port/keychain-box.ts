import type { SafeStorage } from 'electron';
import type { SecretBox } from '../../engine/engine.ts';

/** The part of Electron's safeStorage that is used: the calls that older and newer versions of it share. */
type Keychain = Pick<
  SafeStorage,
  'isEncryptionAvailable' | 'getSelectedStorageBackend' | 'encryptString' | 'decryptString'
>;

export interface KeychainBoxOptions {
  readonly keychain: Keychain;
  readonly platform: NodeJS.Platform;
  /** Hears why a keychain that should be there cannot be used. */
  readonly onError: (error: unknown) => void;
}

/**
 * A box over the system's keychain, or undefined where there is none to trust. To be called once the app is ready, and
 * then late: a locked keychain may ask its user first.
 */
export function keychainBox(options: KeychainBoxOptions): SecretBox | undefined {
  const { keychain } = options;
  if (!isTrusted(options)) return undefined;
  return {
    kind: 'keychain',
    encrypt: async (text) => keychain.encryptString(text).toString('base64url'),
    decrypt: async (text) => keychain.decryptString(Buffer.from(text, 'base64url')),
  };
}

function isTrusted({ keychain, platform, onError }: KeychainBoxOptions): boolean {
  try {
    // With no keychain Chromium on Linux "encrypts" with a password that stands in its source.
    if (platform === 'linux' && untrusted.has(keychain.getSelectedStorageBackend())) return false;
    return keychain.isEncryptionAvailable();
  } catch (error) {
    onError(error);
    return false;
  }
}

const untrusted: ReadonlySet<string> = new Set(['basic_text', 'unknown']);
