import { KeyRound, ShieldCheck } from 'lucide-react';
import { useStore } from 'zustand/react';
import type { SecretKeeper } from '../../../../shared/model/hub.ts';
import { useModel } from '../../../store/model-context.tsx';
import classes from './secrets-page.module.css';

/** Says how the secrets are protected. */
export function EncryptionNote() {
  const keeper = useStore(useModel().mirrors.hub, (hub) => hub?.secretsKeptBy);
  if (keeper === undefined) return null;
  const Icon = keeper === 'keychain' ? ShieldCheck : KeyRound;
  return (
    <p className={classes.keeper} data-keeper={keeper}>
      <Icon size={15} aria-hidden />
      <span>{notes[keeper]}</span>
    </p>
  );
}

const notes: Readonly<Record<SecretKeeper, string>> = {
  keychain: 'Encrypted with a key from your system keychain.',
  'key-file':
    'No system keychain found. Secrets are encrypted, but the key is stored next to them: anyone who can read your files can decrypt them.',
  'key-env': 'No system keychain found. Secrets are encrypted with the key in PATCHBAY_KEY.',
};
