import { useEffect, useRef, useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { IpcAnswer } from '../../../../shared/ipc/contract.ts';
import type {
  ImportPreview,
  ImportResult,
  MovePreview,
  MoveResult,
} from '../../../../shared/model/import-session.ts';
import { offerUndo } from '../../../command/undo-actions.ts';
import { formatCount } from '../../../lib/format-amount.ts';
import type { HubLink, Model } from '../../../store/model.ts';
import { useModel } from '../../../store/model-context.tsx';
import { type Choices, choicesOfFailed, firstChoices, importChoices } from './import-choices.ts';

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
  undo(outcome: ImportOutcome): Promise<Problem | undefined>;
}

function decidingOn(preview: ImportPreview): ImportState {
  return { kind: 'deciding', preview, choices: firstChoices(preview), adding: false };
}

interface Undone {
  /** Imports that could not be undone because of the problem. */
  readonly remaining: readonly string[];
  readonly problem?: Problem;
}

async function undoImports(link: HubLink, undoIds: readonly string[]): Promise<Undone> {
  let left = undoIds;
  for (const undoId of [...undoIds].reverse()) {
    const answer = await link.call('import.undo', { undoId });
    if (!answer.ok) return { remaining: left, problem: answer.problem };
    left = left.filter((other) => other !== undoId);
  }
  return { remaining: left };
}

/**
 * Offers to undo after the dialog closes. If another program has changed a file meanwhile, undoing fails and
 * is offered again.
 */
function offerUndos(model: Model, undoIds: readonly string[], added: number): void {
  const [first] = undoIds;
  if (first === undefined) return;
  offerUndo(
    model,
    `import:${first}`,
    added === 0 ? 'Your apps now use Patchbay.' : `Imported ${formatCount(added, 'server')}.`,
    async () => {
      const { remaining: left, problem } = await undoImports(model.link, undoIds);
      if (problem === undefined) return model.notify.done('The import was undone.');
      model.notify.problem(problem);
      offerUndos(model, left, added);
    },
  );
}

/** Runs one import from reading to the result; the engine's session is closed at the end. */
export function useImport(): Importing {
  const model = useModel();
  const { link } = model;
  const [state, setState] = useState<ImportState>({ kind: 'reading' });
  const session = useRef<string | undefined>(undefined);
  const undos = useRef<readonly string[]>([]);
  const added = useRef(0);
  const close = () => {
    if (session.current !== undefined) void link.call('import.close', { session: session.current });
    session.current = undefined;
  };
  const show = (preview: ImportPreview) => {
    close();
    session.current = preview.session;
    setState(decidingOn(preview));
  };
  async function read(reading: Promise<IpcAnswer<'import.readApps'>>): Promise<void> {
    setState({ kind: 'reading' });
    const answer = await reading;
    if (answer.ok) show(answer.value);
    else setState({ kind: 'failed', problem: answer.problem });
  }
  const readApps = () => void read(link.call('import.readApps', {}));
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on mount and unmount only
  useEffect(() => {
    readApps();
    return () => {
      close();
      offerUndos(model, undos.current, added.current);
    };
  }, []);
  async function add(deciding: Deciding): Promise<void> {
    const { preview, choices } = deciding;
    if (!choices.entries.some(({ chosen }) => chosen)) return previewMove({ preview, choices });
    setState({ ...deciding, adding: true });
    const answer = await link.call('import.add', importChoices(preview, choices));
    if (!answer.ok) return setState({ ...deciding, adding: false, problem: answer.problem });
    added.current += answer.value.added.length;
    const { undoId } = answer.value;
    if (undoId !== undefined) undos.current = [...undos.current, undoId];
    await previewMove({ preview, choices, result: answer.value });
  }
  /** Previews what would be written to the apps' files. */
  async function previewMove(outcome: ImportOutcome, lastProblem?: Problem): Promise<void> {
    const request = { session: outcome.preview.session, entries: [] };
    const answer =
      outcome.preview.apps.length === 0 ? undefined : await link.call('import.previewMove', request);
    const apps = answer?.ok ? answer.value.apps : [];
    const problem = answer !== undefined && !answer.ok ? answer.problem : lastProblem;
    if (apps.length === 0) return setState({ kind: 'done', outcome });
    setState({
      kind: 'moving',
      outcome,
      apps,
      writing: false,
      ...(problem === undefined ? {} : { problem }),
    });
  }
  async function quit(moving: Moving, client: string): Promise<void> {
    setState({ ...moving, writing: true });
    const answer = await link.call('connect.quitClient', { id: client });
    await previewMove(moving.outcome, answer.ok ? undefined : answer.problem);
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
    if (!answer.ok) return previewMove(outcome, answer.problem);
    undos.current = [...new Set([...undos.current, answer.value.undoId])];
    setState({ kind: 'done', outcome: { ...outcome, moved: answer.value } });
  }
  async function undo(): Promise<Problem | undefined> {
    const { remaining: left, problem } = await undoImports(link, undos.current);
    undos.current = left;
    return problem;
  }
  return {
    state,
    readApps,
    choose: (change) =>
      setState((now) => (now.kind === 'deciding' ? { ...now, choices: change(now.choices) } : now)),
    retry: () =>
      setState((now) => {
        if (now.kind !== 'done' || now.outcome.result === undefined) return now;
        const { preview, choices, result } = now.outcome;
        return { kind: 'deciding', preview, choices: choicesOfFailed(choices, result), adding: false };
      }),
    add: async () => (state.kind === 'deciding' ? add(state) : undefined),
    quit: async (client) => (state.kind === 'moving' ? quit(state, client) : undefined),
    move: async (clients) => (state.kind === 'moving' ? move(state, clients) : undefined),
    undo,
  };
}
