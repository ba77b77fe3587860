import type { Problem } from '../../../../shared/error/problem.ts';
import { type PlainSecret, secretValue, withFieldOf, withReference } from '../../../lib/move-secret.ts';
import type { Model } from '../../../store/model.ts';

export interface SecretMove {
  readonly text: string;
  /** The text of now, when it is taken back. */
  readonly latest: () => string;
  readonly secret: PlainSecret;
  readonly name: string;
  readonly onText: (text: string) => void;
}

/**
 * Stores a secret and puts a reference to it in its place; that can be taken back while the entry is under edit.
 * Resolves to what stopped it, with the text as it was.
 */
export async function moveSecret(
  model: Model,
  { text, latest, secret, name, onText }: SecretMove,
): Promise<Problem | undefined> {
  const value = secretValue(text, secret);
  if (value === undefined) return undefined;
  const answer = await model.link.call('secret.set', { name, value, replace: false });
  if (!answer.ok) return answer.problem;
  onText(withReference(text, secret, name));
  model.notify.undoable(moveToast(name), `${name} is in the vault.`, () => {
    model.notify.close(moveToast(name));
    onText(withFieldOf(latest(), text, secret));
    // Refused, rightly, when the entry has been saved meanwhile.
    void model.link.call('secret.delete', { name, force: false });
  });
  return undefined;
}

/** Names the offer to take a move back. */
export function moveToast(name: string): string {
  return `vault-${name}`;
}
