import { useCallback, useEffect, useRef, useState } from 'react';
import { type Problem, problem } from '../../../../shared/error/problem.ts';
import type { ConnectPreview, ConnectProof } from '../../../../shared/model/connect.ts';
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

export function useConnectRun(id: string): ConnectRun {
  const model = useModel();
  const { link, notify } = model;
  const [step, setStep] = useState<ConnectStep>({ kind: 'previewing' });
  const isMoving = useRef(true);
  const isClosed = useRef(false);
  const session = useRef<string | undefined>(undefined);
  const undoIds = useRef<readonly string[]>([]);

  const closeSession = useCallback(() => {
    if (session.current !== undefined) void link.call('import.close', { session: session.current });
    session.current = undefined;
  }, [link]);

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
      const answer = await link.call('connect.preview', { id });
      if (!answer.ok) return setStep({ kind: 'failed', problem: answer.problem });
      const found = await link.call('import.readApps', { client: id });
      closeSession();
      if (found.ok) session.current = found.value.session;
      const offer = found.ok ? moveOfferOf(found.value, isMoving.current) : undefined;
      const moved = offer?.isChosen ? await previewMove(link, id, offer) : undefined;
      const moveProblem = moved?.outcome.kind === 'refused' ? moved.outcome.problem : undefined;
      const preview = moved?.outcome.kind === 'ready' ? moved.outcome.preview : answer.value;
      const shownProblem = lastProblem ?? moveProblem;
      const nothingToDo = preview.files.every(({ kind }) => kind === 'unchanged');
      if (nothingToDo && offer === undefined && shownProblem === undefined && !isClosed.current)
        return prove();
      setStep({ kind: 'preview', preview, offer, problem: shownProblem });
    },
    [link, id, closeSession, prove],
  );
  useEffect(() => {
    isClosed.current = false;
    void showPreview();
    return () => {
      isClosed.current = true;
      closeSession();
    };
  }, [showPreview, closeSession]);

  async function apply(): Promise<void> {
    if (step.kind !== 'preview') return;
    setStep({ kind: 'applying' });
    const lastProblem = step.offer?.isChosen ? await move(step, step.offer) : await connect(step);
    // The app was started or its file changed after the preview, so a new preview is shown.
    if (lastProblem !== undefined) return showPreview(lastProblem);
    await prove();
  }

  async function connect({ preview: { previewId } }: Previewing): Promise<Problem | undefined> {
    const answer = await link.call('connect.apply', { id, previewId });
    return answer.ok ? undefined : answer.problem;
  }

  /** Adds the client's new servers here, then removes them from its file. */
  async function move({ preview }: Previewing, offer: MoveOffer): Promise<Problem | undefined> {
    const added = await addNewServers(link, offer);
    if (added.undoId !== undefined) undoIds.current = [...undoIds.current, added.undoId];
    if (added.problem !== undefined) return added.problem;
    const answer = await link.call('import.move', {
      session: offer.session,
      apps: [{ client: id, previewId: preview.previewId }],
      ...(added.undoId === undefined ? {} : { undoId: added.undoId }),
    });
    if (!answer.ok) return answer.problem;
    undoIds.current = [...new Set([...undoIds.current, answer.value.undoId])];
    return answer.value.apps[0]?.problem;
  }

  async function quitClient(): Promise<void> {
    setStep({ kind: 'quitting' });
    const answer = await link.call('connect.quitClient', { id });
    if (!answer.ok) return showPreview(answer.problem);
    await showPreview(answer.value.quit ? undefined : stillRunning());
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

  return {
    step,
    preview: () => void showPreview(),
    chooseMove: (isChosen) => {
      isMoving.current = isChosen;
      void showPreview();
    },
    quitClient: () => void quitClient(),
    apply: () => void apply(),
    prove: () => void prove(),
    undo,
  };
}

function stillRunning(): Problem {
  const sentence = 'The app was asked to quit but is still running.';
  return problem('client.running', sentence, 'Quit it yourself, including its tray icon, then try again.');
}
