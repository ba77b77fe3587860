import type { Problem } from '../../../../../shared/error/problem.ts';
import type { EntryTrial } from '../../../../../shared/model/server/server-update.ts';
import type { ConfigDraft } from '../../../../store/draft-store.ts';
import type { Model } from '../../../../store/model.ts';

/** A trial run of a draft next to the running server, tied to the text it started with. */
export type Trial =
  | { readonly kind: 'running'; readonly text: string; readonly since: number }
  | { readonly kind: 'done'; readonly text: string; readonly result: EntryTrial }
  /** The trial could not be started. */
  | { readonly kind: 'refused'; readonly text: string; readonly problem: Problem };

/** Starts the draft next to the running server and reports each change to `onTrial`. */
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

/** Returns the trial while it matches the draft: not after the text has changed or been saved. */
export function trialOf(trial: Trial | undefined, { text, savedText }: ConfigDraft): Trial | undefined {
  return trial?.text === text && text !== savedText ? trial : undefined;
}
