import type { Problem } from '../../../../../shared/error/problem.ts';
import {
  type PlainSecret,
  secretValue,
  withFieldOf,
  withReference,
} from '../../../../lib/entry/move-secret.ts';
import type { Model } from '../../../../store/model.ts';

export interface SecretMove {
  readonly text: string;
  /** Returns the current text, for undoing the move. */
  readonly currentText: () => string;
  readonly secret: PlainSecret;
  readonly name: string;
  readonly onText: (text: string) => void;
}

/**
 * Stores a secret and replaces it with a reference, which can be undone while the entry is being edited.
 * Resolves to the problem, if any; the text is unchanged then.
 */
export async function moveSecret(
  model: Model,
  { text, currentText: latest, secret, name, onText }: SecretMove,
): Promise<Problem | undefined> {
  const value = secretValue(text, secret);
  if (value === undefined) return undefined;
  const answer = await model.link.call('secret.set', { name, value, replace: false });
  if (!answer.ok) return answer.problem;
  onText(withReference(text, secret, name));
  model.notify.undoable(moveToastId(name), `Stored as secret ${name}.`, () => {
    model.notify.close(moveToastId(name));
    onText(withFieldOf(latest(), text, secret));
    // Fails, correctly, if the entry has been saved meanwhile.
    void model.link.call('secret.delete', { name, force: false });
  });
  return undefined;
}

/** Returns the id of the undo notification. */
export function moveToastId(name: string): string {
  return `vault-${name}`;
}
