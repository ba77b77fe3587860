import type { Problem } from '../../../../shared/error/problem.ts';
import { readEntry } from '../../../lib/entry-text.ts';
import { type ConfigDraft, editDraft, isDirty } from '../../../store/draft-store.ts';
import type { Model } from '../../../store/model.ts';

/** Opens a server's entry for editing, as it stands in the file; unsaved changes of the same server are kept. */
export async function openDraft(model: Model, serverKey: string): Promise<Problem | undefined> {
  const { draft } = model.draft.getState();
  if (draft?.originalKey === serverKey && isDirty(draft)) return undefined;
  const answer = await model.link.call('server.entry', { key: serverKey });
  if (!answer.ok) return answer.problem;
  const { text } = answer.value;
  model.draft.setState({
    draft: { originalKey: serverKey, key: serverKey, savedText: text, text, issues: [] },
  });
  return undefined;
}

/** Has the engine judge the draft; an answer about a text that has changed meanwhile is dropped. */
export async function validateDraft(model: Model, draft: ConfigDraft): Promise<void> {
  const { key, originalKey, text } = draft;
  const answer = await model.link.call('server.validate', { key, originalKey, text });
  const now = model.draft.getState().draft;
  if (!answer.ok || now?.text !== text || now.key !== key) return;
  editDraft(model.draft, originalKey, { issues: answer.value.issues });
}

export function revertDraft(model: Model): void {
  model.draft.setState(({ draft }) =>
    draft === undefined
      ? { draft }
      : { draft: { ...draft, key: draft.originalKey, text: draft.savedText, issues: [] } },
  );
}

/**
 * Saves the draft; resolves to the problem that stopped it, if any. A new key renames the entry in place first, then
 * the text is stored under it.
 */
export async function saveDraft(model: Model): Promise<Problem | undefined> {
  const { draft } = model.draft.getState();
  if (draft === undefined) return undefined;
  const problem = (await rename(model, draft)) ?? (await storeText(model, draft));
  if (problem !== undefined) return problem;
  const { key, text } = draft;
  model.draft.setState({ draft: { originalKey: key, key, savedText: text, text, issues: draft.issues } });
  follow(model, draft);
  model.notify.done(`${key} was saved.`);
  return undefined;
}

async function rename(
  model: Model,
  { originalKey, key, savedText }: ConfigDraft,
): Promise<Problem | undefined> {
  const entry = readEntry(savedText);
  if (key === originalKey || entry === undefined) return undefined;
  const answer = await model.link.call('server.update', { key: originalKey, newKey: key, entry });
  return answer.ok ? undefined : answer.problem;
}

async function storeText(model: Model, { key, text, savedText }: ConfigDraft): Promise<Problem | undefined> {
  if (text === savedText) return undefined;
  const answer = await model.link.call('server.saveText', { key, text });
  return answer.ok ? undefined : answer.problem;
}

/** Keeps the renamed server's page open. */
function follow(model: Model, { originalKey, key }: ConfigDraft): void {
  const { place } = model.view.getState();
  if (key !== originalKey && place.serverKey === originalKey) {
    model.view.setState({ place: { ...place, serverKey: key } });
  }
}
