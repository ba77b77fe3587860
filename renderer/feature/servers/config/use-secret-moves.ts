import { useEffect, useRef } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { PlainSecret } from '../../../lib/move-secret.ts';
import { useModel } from '../../../store/model-context.tsx';
import { moveSecret, moveToastId } from './move-to-vault.ts';

/** Moves a secret of the edited entry to the vault; resolves to the problem, if any. */
export type SecretMover = (secret: PlainSecret, name: string) => Promise<Problem | undefined>;

/** Returns a mover whose moves can be undone while the entry is being edited here. */
export function useSecretMoves(text: string, onText: (text: string) => void): SecretMover {
  const model = useModel();
  const latest = useRef(text);
  latest.current = text;
  const moved = useRef<readonly string[]>([]);
  useEffect(
    () => () => {
      for (const name of moved.current) model.notify.close(moveToastId(name));
    },
    [model],
  );
  return (secret, name) => {
    moved.current = [...moved.current, name];
    return moveSecret(model, { text, currentText: () => latest.current, secret, name, onText });
  };
}
