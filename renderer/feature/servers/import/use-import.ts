import { useEffect, useRef, useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { IpcAnswer } from '../../../../shared/ipc/contract.ts';
import type { ImportPreview, ImportResult } from '../../../../shared/model/import-session.ts';
import { useModel } from '../../../store/model-context.tsx';
import { type Choices, choicesOfFailed, firstChoices, importChoices } from './import-choices.ts';

/** How far an import is. */
export type ImportState =
  | { readonly kind: 'choosing'; readonly problem?: Problem }
  | { readonly kind: 'reading' }
  | {
      readonly kind: 'deciding';
      readonly preview: ImportPreview;
      readonly choices: Choices;
      readonly adding: boolean;
      readonly problem?: Problem;
    }
  | {
      readonly kind: 'done';
      readonly preview: ImportPreview;
      readonly choices: Choices;
      readonly result: ImportResult;
    };

type Deciding = Extract<ImportState, { kind: 'deciding' }>;
type Reading = Promise<IpcAnswer<'import.read'>>;

export interface Importing {
  readonly state: ImportState;
  read(reading: Reading): Promise<void>;
  /** Changes the choices of now: answers to earlier questions may still be on their way. */
  choose(change: (choices: Choices) => Choices): void;
  back(): void;
  /** Decides anew on those that could not be added. */
  retry(): void;
  add(): Promise<void>;
}

function decidingOn(preview: ImportPreview): ImportState {
  return { kind: 'deciding', preview, choices: firstChoices(preview), adding: false };
}

/** One import from its source to its result; what the engine has read for it is forgotten at the end. */
export function useImport(): Importing {
  const { link } = useModel();
  const [state, setState] = useState<ImportState>({ kind: 'choosing' });
  const session = useRef<string | undefined>(undefined);
  const close = () => {
    if (session.current !== undefined) void link.call('import.close', { session: session.current });
    session.current = undefined;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only at the end
  useEffect(() => close, []);
  const show = (preview: ImportPreview) => {
    close();
    session.current = preview.session;
    setState(decidingOn(preview));
  };
  async function read(reading: Reading): Promise<void> {
    setState({ kind: 'reading' });
    const answer = await reading;
    if (answer.ok) show(answer.value);
    else setState({ kind: 'choosing', problem: answer.problem });
  }
  async function add(deciding: Deciding): Promise<void> {
    const { preview, choices } = deciding;
    setState({ ...deciding, adding: true });
    const answer = await link.call('import.add', importChoices(preview, choices));
    if (answer.ok) setState({ kind: 'done', preview, choices, result: answer.value });
    else setState({ ...deciding, adding: false, problem: answer.problem });
  }
  return {
    state,
    read,
    choose: (change) =>
      setState((now) => (now.kind === 'deciding' ? { ...now, choices: change(now.choices) } : now)),
    back: () => setState({ kind: 'choosing' }),
    retry: () =>
      setState((now) => {
        if (now.kind !== 'done') return now;
        const { preview, result } = now;
        return { kind: 'deciding', preview, choices: choicesOfFailed(now.choices, result), adding: false };
      }),
    add: async () => (state.kind === 'deciding' ? add(state) : undefined),
  };
}
