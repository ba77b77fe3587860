import { createStore, type StoreApi } from 'zustand/vanilla';
import type { EntryIssue } from '../../shared/model/import.ts';

/** A server's config under edit: the text is the one truth, the form beside it is a view of it. */
export interface ConfigDraft {
  /** Key the entry has in the file. */
  readonly originalKey: string;
  readonly key: string;
  readonly savedText: string;
  readonly text: string;
  readonly issues: readonly EntryIssue[];
  /** The entry in the file is no longer `savedText`: saving brings both together. */
  readonly changedInFile?: boolean;
}

export type DraftStore = StoreApi<{ readonly draft: ConfigDraft | undefined }>;

export function createDraftStore(): DraftStore {
  return createStore(() => ({ draft: undefined as ConfigDraft | undefined }));
}

export function isDirty(draft: ConfigDraft | undefined): boolean {
  return draft !== undefined && (draft.text !== draft.savedText || draft.key !== draft.originalKey);
}

export function hasErrors(draft: ConfigDraft): boolean {
  return draft.issues.some((issue) => issue.severity === 'error');
}

/** Changes the draft that is open; nothing happens when it is another server's. */
export function editDraft(store: DraftStore, originalKey: string, change: Partial<ConfigDraft>): void {
  store.setState(({ draft }) =>
    draft?.originalKey === originalKey ? { draft: { ...draft, ...change } } : { draft },
  );
}
