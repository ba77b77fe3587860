import { useCallback, useEffect, useState } from 'react';
import { type Problem, problem } from '../../../../shared/error/problem.ts';
import type { ConnectPreview, ConnectProof } from '../../../../shared/model/connect.ts';
import { useModel } from '../../../store/model-context.tsx';

/** Where the way to a connection stands. */
export type ConnectStep =
  | { readonly kind: 'previewing' | 'quitting' | 'applying' | 'proving' }
  /** `problem`: what kept the last try from being made. */
  | { readonly kind: 'preview'; readonly preview: ConnectPreview; readonly problem?: Problem | undefined }
  | { readonly kind: 'proved'; readonly proof: ConnectProof }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** The way to a connection and its steps; each shows what it is doing, and none is taken twice. */
export interface ConnectRun {
  readonly step: ConnectStep;
  readonly preview: () => void;
  readonly quitClient: () => void;
  readonly apply: () => void;
  readonly prove: () => void;
  readonly undo: () => Promise<void>;
}

export function useConnectRun(id: string): ConnectRun {
  const model = useModel();
  const { link, notify } = model;
  const [step, setStep] = useState<ConnectStep>({ kind: 'previewing' });

  const look = useCallback(
    async (hindrance?: Problem) => {
      setStep({ kind: 'previewing' });
      const answer = await link.call('connect.preview', { id });
      if (!answer.ok) return setStep({ kind: 'failed', problem: answer.problem });
      setStep({ kind: 'preview', preview: answer.value, problem: hindrance });
    },
    [link, id],
  );
  useEffect(() => void look(), [look]);

  async function prove(): Promise<void> {
    setStep({ kind: 'proving' });
    const answer = await link.call('connect.prove', { id });
    setStep(
      answer.ok ? { kind: 'proved', proof: answer.value } : { kind: 'failed', problem: answer.problem },
    );
  }

  async function apply(): Promise<void> {
    if (step.kind !== 'preview') return;
    const { previewId } = step.preview;
    setStep({ kind: 'applying' });
    const answer = await link.call('connect.apply', { id, previewId });
    // It was started, or its file changed, since it was looked at: what would be written is shown again.
    if (!answer.ok) return look(answer.problem);
    await prove();
  }

  async function quitClient(): Promise<void> {
    setStep({ kind: 'quitting' });
    const answer = await link.call('connect.quitClient', { id });
    if (!answer.ok) return look(answer.problem);
    await look(answer.value.quit ? undefined : stillRunning());
  }

  async function undo(): Promise<void> {
    const answer = await link.call('connect.undo', { id });
    if (!answer.ok) notify.problem(answer.problem);
  }

  return {
    step,
    preview: () => void look(),
    quitClient: () => void quitClient(),
    apply: () => void apply(),
    prove: () => void prove(),
    undo,
  };
}

function stillRunning(): Problem {
  const sentence = 'It was asked to quit and still runs.';
  return problem('client.running', sentence, 'Quit it yourself, its tray icon too, then look again.');
}
