import { useCallback, useEffect, useRef, useState } from 'react';
import { type Problem, problem } from '../../../../shared/error/problem.ts';
import type { ConnectPreview, ConnectProof } from '../../../../shared/model/client/connect.ts';
import { useImportSession } from '../../../store/hook/use-import-session.ts';
import { useModel } from '../../../store/model-context.tsx';
import { addNewServers, type MoveOffer, moveOfferOf, previewMove } from './move-offer.ts';

/** Current step of connecting a client. */
export type ConnectStep =
  | { readonly kind: 'previewing' | 'quitting' | 'applying' | 'proving' }
  | {
      readonly kind: 'preview';
      readonly preview: ConnectPreview;
      /** Servers that the client starts itself, and whether they move to Patchbay. */
      readonly offer?: MoveOffer | undefined;
      /** The reason the last attempt failed. */
      readonly problem?: Problem | undefined;
    }
  | { readonly kind: 'proved'; readonly proof: ConnectProof }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** Connects a client step by step; each step shows its progress and runs only once. */
export interface ConnectRun {
  readonly step: ConnectStep;
  readonly preview: () => void;
  /** Sets whether the client's own servers move too. */
  readonly chooseMove: (isChosen: boolean) => void;
  readonly quitClient: () => void;
  readonly apply: () => void;
  readonly prove: () => void;
  readonly undo: () => Promise<void>;
}

type Previewing = Extract<ConnectStep, { kind: 'preview' }>;
type Failed = Extract<ConnectStep, { kind: 'failed' }>;

export function useConnectRun(id: string): ConnectRun {
  const { link } = useModel();
  const [step, setStep] = useState<ConnectStep>({ kind: 'previewing' });
  const isMoving = useRef(true);
  const isClosed = useRef(false);
  const { read, close } = usePreview(id);
  const writes = useWrites(id);

  const prove = useCallback(async () => {
    setStep({ kind: 'proving' });
    const answer = await link.call('connect.prove', { id });
    setStep(
      answer.ok ? { kind: 'proved', proof: answer.value } : { kind: 'failed', problem: answer.problem },
    );
  }, [link, id]);

  const showPreview = useCallback(
    async (lastProblem?: Problem) => {
      setStep({ kind: 'previewing' });
      const found = await read(isMoving.current);
      if (found.kind === 'failed') return setStep(found);
      const next = { ...found, problem: lastProblem ?? found.problem };
      if (isNothingToDo(next) && !isClosed.current) return prove();
      setStep(next);
    },
    [read, prove],
  );
  useEffect(() => {
    isClosed.current = false;
    void showPreview();
    return () => {
      isClosed.current = true;
      close();
    };
  }, [showPreview, close]);

  async function apply(): Promise<void> {
    if (step.kind !== 'preview') return;
    setStep({ kind: 'applying' });
    const lastProblem = await writes.write(step);
    // The app was started or its file changed after the preview, so a new preview is shown.
    if (lastProblem !== undefined) return showPreview(lastProblem);
    await prove();
  }

  async function quitClient(): Promise<void> {
    setStep({ kind: 'quitting' });
    const answer = await link.call('connect.quitClient', { id });
    if (!answer.ok) return showPreview(answer.problem);
    await showPreview(answer.value.quit ? undefined : stillRunning());
  }

  return {
    step,
    preview: () => void showPreview(),
    chooseMove: (chosen) => {
      isMoving.current = chosen;
      void showPreview();
    },
    quitClient: () => void quitClient(),
    apply: () => void apply(),
    prove: () => void prove(),
    undo: writes.undo,
  };
}

/** Reads what connecting would write, and which servers the client starts itself. */
function usePreview(id: string) {
  const { link } = useModel();
  const holdSession = useImportSession();
  const read = useCallback(
    async (isMoving: boolean): Promise<Previewing | Failed> => {
      const answer = await link.call('connect.preview', { id });
      if (!answer.ok) return { kind: 'failed', problem: answer.problem };
      const found = await link.call('import.readApps', { client: id });
      holdSession(found.ok ? found.value.session : undefined);
      const offer = found.ok ? moveOfferOf(found.value, isMoving) : undefined;
      const moved = offer?.isChosen ? (await previewMove(link, id, offer))?.outcome : undefined;
      return {
        kind: 'preview',
        preview: moved?.kind === 'ready' ? moved.preview : answer.value,
        offer,
        problem: moved?.kind === 'refused' ? moved.problem : undefined,
      };
    },
    [link, id, holdSession],
  );
  const close = useCallback(() => holdSession(undefined), [holdSession]);
  return { read, close };
}

function isNothingToDo({ preview, offer, problem }: Previewing): boolean {
  const isUnchanged = preview.files.every(({ kind }) => kind === 'unchanged');
  return isUnchanged && offer === undefined && problem === undefined;
}

/** Writes what was previewed, and undoes all that was written. */
function useWrites(id: string) {
  const { link, notify } = useModel();
  const undoIds = useRef<readonly string[]>([]);

  async function connect({ previewId }: ConnectPreview): Promise<Problem | undefined> {
    const answer = await link.call('connect.apply', { id, previewId });
    return answer.ok ? undefined : answer.problem;
  }

  /** Adds the client's new servers here, then removes them from its file. */
  async function move({ previewId }: ConnectPreview, offer: MoveOffer): Promise<Problem | undefined> {
    const added = await addNewServers(link, offer);
    if (added.undoId !== undefined) undoIds.current = [...undoIds.current, added.undoId];
    if (added.problem !== undefined) return added.problem;
    const answer = await link.call('import.move', {
      session: offer.session,
      apps: [{ client: id, previewId }],
      ...(added.undoId === undefined ? {} : { undoId: added.undoId }),
    });
    if (!answer.ok) return answer.problem;
    undoIds.current = [...new Set([...undoIds.current, answer.value.undoId])];
    return answer.value.apps[0]?.problem;
  }

  async function undo(): Promise<void> {
    if (undoIds.current.length === 0) {
      const answer = await link.call('connect.undo', { id });
      if (!answer.ok) notify.problem(answer.problem);
    }
    for (const undoId of [...undoIds.current].reverse()) {
      const answer = await link.call('import.undo', { undoId });
      if (!answer.ok) notify.problem(answer.problem);
    }
  }

  const write = ({ preview, offer }: Previewing) =>
    offer?.isChosen ? move(preview, offer) : connect(preview);
  return { write, undo };
}

function stillRunning(): Problem {
  const sentence = 'The app was asked to quit but is still running.';
  return problem('client.running', sentence, 'Quit it yourself, including its tray icon, then try again.');
}
