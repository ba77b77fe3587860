import { createStore, type StoreApi } from 'zustand/vanilla';
import type { EntryIssue } from '../../shared/model/import/import.ts';

/** A server's config being edited: the text is the source of truth, the form is a view of it. */
export interface ConfigDraft {
  /** Key of the entry in the file. */
  readonly originalKey: string;
  readonly key: string;
  readonly savedText: string;
  readonly text: string;
  readonly issues: readonly EntryIssue[];
  /** True if the entry in the file differs from `savedText`: saving merges both. */
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

/** Changes the open draft; does nothing if it belongs to another server. */
export function editDraft(store: DraftStore, originalKey: string, change: Partial<ConfigDraft>): void {
  store.setState(({ draft }) =>
    draft?.originalKey === originalKey ? { draft: { ...draft, ...change } } : { draft },
  );
}
