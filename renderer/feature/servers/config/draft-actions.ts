import type { Problem } from '../../../../shared/error/problem.ts';
import type { IpcInput } from '../../../../shared/ipc/contract.ts';
import type { EntryIssue } from '../../../../shared/model/import.ts';
import { type ConfigDraft, editDraft, isDirty } from '../../../store/draft-store.ts';
import type { Model } from '../../../store/model.ts';
import { titleOf } from '../../../store/server-title.ts';
import { openDialog, type Place } from '../../../store/view-store.ts';

/**
 * Opens a server's entry for editing, or takes over changes made to it in the file. Unsaved changes are kept,
 * with a note if the file changed too.
 */
export async function openDraft(model: Model, serverKey: string): Promise<Problem | undefined> {
  const draftNow = () => {
    const { draft } = model.draft.getState();
    return draft?.originalKey === serverKey ? draft : undefined;
  };
  const answer = await model.link.call('server.entry', { key: serverKey });
  if (!answer.ok) return isDirty(draftNow()) ? undefined : answer.problem;
  const { text } = answer.value;
  const isKnown = draftNow()?.savedText === text;
  // Validated before it is shown, since late hints would move what the user is about to click.
  const issues = isKnown ? [] : await fetchIssues(model, { key: serverKey, originalKey: serverKey, text });
  const current = draftNow();
  if (current !== undefined && isDirty(current)) {
    editDraft(model.draft, serverKey, { changedInFile: text !== current.savedText });
  } else if (current?.savedText !== text) {
    model.draft.setState({
      draft: { originalKey: serverKey, key: serverKey, savedText: text, text, issues: issues ?? [] },
    });
  }
  return undefined;
}

/** Drops the text once the tab closes, since it may contain plain secrets. Unsaved changes are kept. */
export function closeDraft(model: Model, serverKey: string): void {
  const { draft } = model.draft.getState();
  if (draft?.originalKey === serverKey && !isDirty(draft)) model.draft.setState({ draft: undefined });
}

/** Validates the draft in the engine; results for an outdated text are dropped. */
export async function validateDraft(model: Model, draft: ConfigDraft): Promise<void> {
  const { key, originalKey, text } = draft;
  const issues = await fetchIssues(model, { key, originalKey, text });
  const now = model.draft.getState().draft;
  if (issues === undefined || now?.text !== text || now.key !== key) return;
  editDraft(model.draft, originalKey, { issues });
}

/** Returns the issues, or undefined if the engine cannot validate. */
async function fetchIssues(
  model: Model,
  input: IpcInput<'server.validate'>,
): Promise<readonly EntryIssue[] | undefined> {
  const answer = await model.link.call('server.validate', input);
  return answer.ok ? answer.value.issues : undefined;
}

/** Discards unsaved changes and reloads the entry from the file. */
export async function revertDraft(model: Model): Promise<void> {
  const { draft } = model.draft.getState();
  if (draft === undefined) return;
  const { originalKey, savedText } = draft;
  model.draft.setState({ draft: { originalKey, key: originalKey, savedText, text: savedText, issues: [] } });
  await openDraft(model, originalKey);
}

/** `asked`: the file changed the same fields, and the user is being asked which values to keep. */
export type SaveOutcome =
  | { readonly kind: 'saved' | 'asked' }
  | { readonly kind: 'refused'; readonly problem: Problem };

export interface SaveOptions {
  /** Place to go to once it is saved. */
  readonly to?: Place | undefined;
  readonly resolve?: IpcInput<'server.saveText'>['resolve'];
}

/**
 * Saves the draft and, in the same step, a new key. An entry that is no longer in the file is added again.
 */
export async function saveDraft(model: Model, options: SaveOptions = {}): Promise<SaveOutcome> {
  const { draft } = model.draft.getState();
  if (draft === undefined) return { kind: 'saved' };
  const answer = await model.link.call('server.saveText', saveInput(model, draft, options));
  if (answer.ok) {
    storeSaved(model, draft, answer.value.text);
    return { kind: 'saved' };
  }
  const { problem } = answer;
  if (problem.code !== 'config.changed_meanwhile') return { kind: 'refused', problem };
  return askConflict(model, draft, problem, options.to);
}

/** Returns true if the server was removed from the file while it was being edited. */
export function isGone(model: Model, { originalKey }: ConfigDraft): boolean {
  return model.mirrors.servers.getState().byKey[originalKey] === undefined;
}

function saveInput(model: Model, draft: ConfigDraft, { resolve }: SaveOptions): IpcInput<'server.saveText'> {
  const { originalKey, key, savedText, text } = draft;
  if (isGone(model, draft)) return { key, text };
  return {
    key: originalKey,
    text,
    base: savedText,
    ...(key === originalKey ? {} : { newKey: key }),
    ...(resolve === undefined ? {} : { resolve }),
  };
}

/** Stores the saved text; text typed during saving stays as an unsaved change. */
function storeSaved(model: Model, saved: ConfigDraft, savedText: string): void {
  const { draft } = model.draft.getState();
  const { key, issues } = saved;
  const text = draft === undefined || draft.text === saved.text ? savedText : draft.text;
  model.draft.setState({ draft: { originalKey: key, key, savedText, text, issues } });
  followRename(model, saved);
  model.notify.done(`${titleOf(model, key)} was saved.`);
}

async function askConflict(
  model: Model,
  draft: ConfigDraft,
  problem: Problem,
  to: Place | undefined,
): Promise<SaveOutcome> {
  const answer = await model.link.call('server.entry', { key: draft.originalKey });
  if (!answer.ok) return { kind: 'refused', problem: answer.problem };
  const fields = problem.evidence.map(({ label }) => label);
  openDialog(model.view, { kind: 'draft-conflict', conflict: { fields, theirs: answer.value.text, to } });
  return { kind: 'asked' };
}

/** Keeps the page of a renamed server open. */
function followRename(model: Model, { originalKey, key }: ConfigDraft): void {
  const { place } = model.view.getState();
  if (key !== originalKey && place.serverKey === originalKey) {
    model.view.setState({ place: { ...place, serverKey: key } });
  }
}
