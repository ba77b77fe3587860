import type { Problem } from '../../../../shared/error/problem.ts';
import type { IpcInput } from '../../../../shared/ipc/contract.ts';
import type { EntryIssue } from '../../../../shared/model/import.ts';
import { type ConfigDraft, editDraft, isDirty } from '../../../store/draft-store.ts';
import type { Model } from '../../../store/model.ts';
import { titleOf } from '../../../store/server-title.ts';
import { openDialog, type Place } from '../../../store/view-store.ts';

/**
 * Opens a server's entry for editing as it stands in the file, or takes over what changed there since. Unsaved changes
 * of the same server are kept; whether the file changed too is noted with them.
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
  // Judged before it is shown: hints that came later would move what a person is about to click.
  const issues = isKnown ? [] : await judge(model, { key: serverKey, originalKey: serverKey, text });
  const kept = draftNow();
  if (kept !== undefined && isDirty(kept)) {
    editDraft(model.draft, serverKey, { changedInFile: text !== kept.savedText });
  } else if (kept?.savedText !== text) {
    model.draft.setState({
      draft: { originalKey: serverKey, key: serverKey, savedText: text, text, issues: issues ?? [] },
    });
  }
  return undefined;
}

/** Forgets the text, which may hold secrets in plain, once nobody looks at it; unsaved changes are kept. */
export function closeDraft(model: Model, serverKey: string): void {
  const { draft } = model.draft.getState();
  if (draft?.originalKey === serverKey && !isDirty(draft)) model.draft.setState({ draft: undefined });
}

/** Has the engine judge the draft; an answer about a text that has changed meanwhile is dropped. */
export async function validateDraft(model: Model, draft: ConfigDraft): Promise<void> {
  const { key, originalKey, text } = draft;
  const issues = await judge(model, { key, originalKey, text });
  const now = model.draft.getState().draft;
  if (issues === undefined || now?.text !== text || now.key !== key) return;
  editDraft(model.draft, originalKey, { issues });
}

/** Undefined where the engine cannot tell. */
async function judge(
  model: Model,
  input: IpcInput<'server.validate'>,
): Promise<readonly EntryIssue[] | undefined> {
  const answer = await model.link.call('server.validate', input);
  return answer.ok ? answer.value.issues : undefined;
}

/** Drops the unsaved changes, for what the file says now. */
export async function revertDraft(model: Model): Promise<void> {
  const { draft } = model.draft.getState();
  if (draft === undefined) return;
  const { originalKey, savedText } = draft;
  model.draft.setState({ draft: { originalKey, key: originalKey, savedText, text: savedText, issues: [] } });
  await openDraft(model, originalKey);
}

/** `asked`: the file has other new values for the same fields, and the user is being asked which are to stay. */
export type SaveOutcome =
  | { readonly kind: 'saved' | 'asked' }
  | { readonly kind: 'refused'; readonly problem: Problem };

export interface SaveOptions {
  /** Where the user goes once it is saved. */
  readonly to?: Place | undefined;
  readonly resolve?: IpcInput<'server.saveText'>['resolve'];
}

/** Saves the draft, with a new key in the same step; an entry that is no longer in the file is added again. */
export async function saveDraft(model: Model, options: SaveOptions = {}): Promise<SaveOutcome> {
  const { draft } = model.draft.getState();
  if (draft === undefined) return { kind: 'saved' };
  const answer = await model.link.call('server.saveText', saveInput(model, draft, options));
  if (answer.ok) {
    keepSaved(model, draft, answer.value.text);
    return { kind: 'saved' };
  }
  const { problem } = answer;
  if (problem.code !== 'config.changed_meanwhile') return { kind: 'refused', problem };
  return askWhichStay(model, draft, problem, options.to);
}

/** True for a draft whose server was removed from the file while it was being edited. */
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

/** What was typed while it was being saved stays, unsaved. */
function keepSaved(model: Model, saved: ConfigDraft, savedText: string): void {
  const { draft } = model.draft.getState();
  const { key, issues } = saved;
  const text = draft === undefined || draft.text === saved.text ? savedText : draft.text;
  model.draft.setState({ draft: { originalKey: key, key, savedText, text, issues } });
  follow(model, saved);
  model.notify.done(`${titleOf(model, key)} was saved.`);
}

async function askWhichStay(
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

/** Keeps the renamed server's page open. */
function follow(model: Model, { originalKey, key }: ConfigDraft): void {
  const { place } = model.view.getState();
  if (key !== originalKey && place.serverKey === originalKey) {
    model.view.setState({ place: { ...place, serverKey: key } });
  }
}
