import type { Problem } from '../../../../shared/error/problem.ts';
import type { EntryTrial } from '../../../../shared/model/server-update.ts';
import type { ConfigDraft } from '../../../store/draft-store.ts';
import type { Model } from '../../../store/model.ts';

/** A draft tried beside the running server; it is of the very text it was made with. */
export type Trial =
  | { readonly kind: 'running'; readonly text: string; readonly since: number }
  | { readonly kind: 'done'; readonly text: string; readonly result: EntryTrial }
  /** It could not even be begun. */
  | { readonly kind: 'refused'; readonly text: string; readonly problem: Problem };

/** Starts the draft beside the running server; `onTrial` hears how it goes. */
export async function tryDraft(
  model: Model,
  { originalKey, text }: ConfigDraft,
  onTrial: (trial: Trial) => void,
): Promise<void> {
  onTrial({ kind: 'running', text, since: model.now() });
  const answer = await model.link.call('server.tryEntry', { key: originalKey, text });
  onTrial(
    answer.ok
      ? { kind: 'done', text, result: answer.value }
      : { kind: 'refused', text, problem: answer.problem },
  );
}

/** The trial as far as it still tells of the draft: not once the text is another, or has been saved. */
export function trialOf(trial: Trial | undefined, { text, savedText }: ConfigDraft): Trial | undefined {
  return trial?.text === text && text !== savedText ? trial : undefined;
}
