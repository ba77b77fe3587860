import { useEffect, useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type {
  ImportPreview,
  ImportResult,
  MovePreview,
  MoveResult,
} from '../../../../shared/model/import/import-session.ts';
import { useImportSession } from '../../../store/hook/use-import-session.ts';
import { useModel } from '../../../store/model-context.tsx';
import { type Choices, choicesOfFailed, firstChoices, importChoices } from './import-choices.ts';
import { useImportUndos } from './use-import-undos.ts';

/** The result of an import so far. */
export interface ImportOutcome {
  readonly preview: ImportPreview;
  readonly choices: Choices;
  readonly result?: ImportResult;
  readonly moved?: MoveResult;
}

/** Current step of an import. */
export type ImportState =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly problem: Problem }
  | {
      readonly kind: 'deciding';
      readonly preview: ImportPreview;
      readonly choices: Choices;
      readonly adding: boolean;
      readonly problem?: Problem;
    }
  | {
      readonly kind: 'moving';
      readonly outcome: ImportOutcome;
      readonly apps: readonly MovePreview[];
      readonly writing: boolean;
      readonly problem?: Problem;
    }
  | { readonly kind: 'done'; readonly outcome: ImportOutcome };

type Deciding = Extract<ImportState, { kind: 'deciding' }>;
type Moving = Extract<ImportState, { kind: 'moving' }>;

export interface Importing {
  readonly state: ImportState;
  /** Reads the config files of all apps. */
  readApps(): void;
  /** Updates the current choices; a function, since other updates may still be pending. */
  choose(change: (choices: Choices) => Choices): void;
  /** Returns to the choices, limited to servers that could not be added. */
  retry(): void;
  add(): Promise<void>;
  /** Asks a running app to quit, then previews the change again. */
  quit(client: string): Promise<void>;
  /** Writes to the files of these apps; an empty set leaves all as they are. */
  move(clients: ReadonlySet<string>): Promise<void>;
  /** Undoes everything. Resolves to the problem, if any. */
  undo(): Promise<Problem | undefined>;
}

function decidingOn(preview: ImportPreview): ImportState {
  return { kind: 'deciding', preview, choices: firstChoices(preview), adding: false };
}

/** Runs one import from reading to the result; the engine's session is closed at the end. */
export function useImport(): Importing {
  const { link } = useModel();
  const [state, setState] = useState<ImportState>({ kind: 'reading' });
  const holdSession = useImportSession();
  const { record, undo } = useImportUndos();
  const moving = useMoving(setState, record);
  async function readApps(): Promise<void> {
    setState({ kind: 'reading' });
    const answer = await link.call('import.readApps', {});
    if (!answer.ok) return setState({ kind: 'failed', problem: answer.problem });
    holdSession(answer.value.session);
    setState(decidingOn(answer.value));
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on mount and unmount only
  useEffect(() => {
    void readApps();
    return () => holdSession(undefined);
  }, []);
  async function add(deciding: Deciding): Promise<void> {
    const { preview, choices } = deciding;
    if (!choices.entries.some(({ chosen }) => chosen)) return moving.preview({ preview, choices });
    setState({ ...deciding, adding: true });
    const answer = await link.call('import.add', importChoices(preview, choices));
    if (!answer.ok) return setState({ ...deciding, adding: false, problem: answer.problem });
    record(answer.value.undoId, answer.value.added.length);
    await moving.preview({ preview, choices, result: answer.value });
  }
  return {
    state,
    readApps: () => void readApps(),
    choose: (change) =>
      setState((now) => (now.kind === 'deciding' ? { ...now, choices: change(now.choices) } : now)),
    retry: () =>
      setState((now) => {
        if (now.kind !== 'done' || now.outcome.result === undefined) return now;
        const { preview, choices, result } = now.outcome;
        return { kind: 'deciding', preview, choices: choicesOfFailed(choices, result), adding: false };
      }),
    add: async () => (state.kind === 'deciding' ? add(state) : undefined),
    quit: async (client) => (state.kind === 'moving' ? moving.quit(state, client) : undefined),
    move: async (clients) => (state.kind === 'moving' ? moving.move(state, clients) : undefined),
    undo,
  };
}

/** Takes imported servers out of the apps' files: previews the change, then writes it. */
function useMoving(setState: (next: ImportState) => void, record: (undoId: string) => void) {
  const { link } = useModel();
  async function preview(outcome: ImportOutcome, lastProblem?: Problem): Promise<void> {
    const request = { session: outcome.preview.session, entries: [] };
    const answer =
      outcome.preview.apps.length === 0 ? undefined : await link.call('import.previewMove', request);
    const apps = answer?.ok ? answer.value.apps : [];
    const problem = answer !== undefined && !answer.ok ? answer.problem : lastProblem;
    if (apps.length === 0) return setState({ kind: 'done', outcome });
    const shownProblem = problem === undefined ? {} : { problem };
    setState({ kind: 'moving', outcome, apps, writing: false, ...shownProblem });
  }
  async function quit(moving: Moving, client: string): Promise<void> {
    setState({ ...moving, writing: true });
    const answer = await link.call('connect.quitClient', { id: client });
    await preview(moving.outcome, answer.ok ? undefined : answer.problem);
  }
  async function move(moving: Moving, clients: ReadonlySet<string>): Promise<void> {
    const { outcome, apps } = moving;
    const chosen = apps.flatMap(({ client, outcome: found }) =>
      clients.has(client) && found.kind === 'ready' ? [{ client, previewId: found.preview.previewId }] : [],
    );
    if (chosen.length === 0) return setState({ kind: 'done', outcome });
    setState({ ...moving, writing: true });
    const undoId = outcome.result?.undoId;
    const answer = await link.call('import.move', {
      session: outcome.preview.session,
      apps: chosen,
      ...(undoId === undefined ? {} : { undoId }),
    });
    if (!answer.ok) return preview(outcome, answer.problem);
    record(answer.value.undoId);
    setState({ kind: 'done', outcome: { ...outcome, moved: answer.value } });
  }
  return { preview, quit, move };
}
