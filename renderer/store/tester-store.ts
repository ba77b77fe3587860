import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Problem } from '../../shared/error/problem.ts';
import type { Check, TestAnswer, TestProgress, TestQuestion } from '../../shared/model/tester.ts';

/** What can be opened in the tester; a template is a resource whose address is still to be filled in. */
export interface TryTarget {
  readonly kind: 'tool' | 'prompt' | 'resource' | 'template';
  readonly serverKey: string;
  readonly name: string;
}

/** A run under way, or the last one. */
export type TryRun =
  | { readonly kind: 'running'; readonly runId: string; readonly progress?: TestProgress }
  | { readonly kind: 'answered'; readonly answer: TestAnswer; readonly sent: string }
  /** It was never sent. */
  | { readonly kind: 'failed'; readonly problem: Problem };

/** What the person has prepared for one target. */
export interface TryDraft {
  /** Undefined until it has been begun with what the schema says. */
  readonly text?: string | undefined;
  readonly editor: 'form' | 'json';
  readonly run?: TryRun | undefined;
}

/** The tester in the window: drafts stay while other things are opened. */
export interface TesterState {
  readonly drafts: Readonly<Record<string, TryDraft>>;
  /** Questions of servers that wait for a reply, oldest first. */
  readonly questions: readonly TestQuestion[];
  /** Undefined until they have been asked for. */
  readonly checks: readonly Check[] | undefined;
}

export type TesterStore = StoreApi<TesterState>;

export function createTesterStore(): TesterStore {
  return createStore<TesterState>(() => ({ drafts: {}, questions: [], checks: undefined }));
}

export function tryId({ kind, serverKey, name }: TryTarget): string {
  return JSON.stringify([kind, serverKey, name]);
}

const untouched: TryDraft = { editor: 'form' };

export function draftOf({ drafts }: TesterState, target: TryTarget): TryDraft {
  return drafts[tryId(target)] ?? untouched;
}

export function changeDraft(store: TesterStore, target: TryTarget, change: Partial<TryDraft>): void {
  store.setState((state) => ({
    drafts: { ...state.drafts, [tryId(target)]: { ...draftOf(state, target), ...change } },
  }));
}

/** Notes progress with the run that it is of, wherever that was begun. */
export function noteProgress(store: TesterStore, progress: TestProgress): void {
  store.setState(({ drafts }) => ({
    drafts: Object.fromEntries(
      Object.entries(drafts).map(([id, draft]) => {
        const { run } = draft;
        const isIts = run?.kind === 'running' && run.runId === progress.runId;
        return [id, isIts ? { ...draft, run: { ...run, progress } } : draft];
      }),
    ),
  }));
}

export function addQuestion(store: TesterStore, question: TestQuestion): void {
  store.setState(({ questions }) => ({
    questions: [...questions.filter(({ questionId }) => questionId !== question.questionId), question],
  }));
}

export function dropQuestion(store: TesterStore, questionId: string): void {
  store.setState(({ questions }) => ({
    questions: questions.filter((question) => question.questionId !== questionId),
  }));
}
