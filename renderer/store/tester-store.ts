import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Problem } from '../../shared/error/problem.ts';
import type { Check, TestAnswer, TestProgress, TestQuestion } from '../../shared/model/tool/tester.ts';

/** An item that the tester can open; a template is a resource with variables to fill in. */
export interface TryTarget {
  readonly kind: 'tool' | 'prompt' | 'resource' | 'template';
  readonly serverKey: string;
  readonly name: string;
}

/** The current or last run. */
export type TryRun =
  | { readonly kind: 'running'; readonly runId: string; readonly progress?: TestProgress }
  | { readonly kind: 'answered'; readonly answer: TestAnswer; readonly sent: string }
  /** The call was never sent. */
  | { readonly kind: 'failed'; readonly problem: Problem };

/** The user's input for one target. */
export interface TryDraft {
  /** Undefined until it is initialised from the schema. */
  readonly text?: string | undefined;
  readonly editor: 'form' | 'json';
  readonly run?: TryRun | undefined;
}

/** State of the tester: drafts stay while other items are open. */
export interface TesterState {
  readonly drafts: Readonly<Record<string, TryDraft>>;
  /** Requests of servers that wait for a reply, oldest first. */
  readonly questions: readonly TestQuestion[];
  /** Undefined until fetched. */
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

/** Stores progress with its run, wherever that was started. */
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
