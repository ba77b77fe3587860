import { useRef, useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { IpcAnswer } from '../../../../shared/ipc/contract.ts';
import type { ImportPreview, ImportResult } from '../../../../shared/model/import/import-session.ts';
import { useImportSession } from '../../../store/hook/use-import-session.ts';
import { useModel } from '../../../store/model-context.tsx';
import type { PasteStart } from '../../../store/view-store.ts';
import { type Choices, firstChoices } from '../import/import-choices.ts';

/** State of reading the text or file. */
export type Reading =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly problem: Problem }
  | {
      readonly kind: 'read';
      readonly preview: ImportPreview;
      readonly choices: Choices;
      /** Servers that could not be added. */
      readonly failed: ImportResult['failed'];
      /** The reason why nothing could be added. */
      readonly problem?: Problem;
    };

/** Reads texts and files; each reading replaces the one before, even if that is still running. */
export function useReading(start: PasteStart) {
  const { link } = useModel();
  const [reading, setReading] = useState<Reading>(() => firstReading(start));
  const holdSession = useImportSession(
    start.from !== undefined && 'preview' in start.from ? start.from.preview.session : undefined,
  );
  const turn = useRef(0);
  function stop(): void {
    turn.current += 1;
    holdSession(undefined);
  }
  function show(preview: ImportPreview): void {
    turn.current += 1;
    holdSession(preview.session);
    setReading((before) => ({ ...readingOf(preview), choices: keepTypedInputs(preview, before) }));
  }
  async function read(request: Promise<IpcAnswer<'import.parse'>>): Promise<void> {
    turn.current += 1;
    const mine = turn.current;
    const answer = await request;
    if (mine !== turn.current) {
      if (answer.ok) void link.call('import.close', { session: answer.value.session });
    } else if (answer.ok) show(answer.value);
    else setReading({ kind: 'failed', problem: answer.problem });
  }
  return { reading, setReading, read, show, stop };
}

function firstReading({ files, from }: PasteStart): Reading {
  if (files !== undefined) return { kind: 'reading' };
  if (from === undefined) return { kind: 'nothing' };
  return 'problem' in from ? { kind: 'failed', problem: from.problem } : readingOf(from.preview);
}

function readingOf(preview: ImportPreview): Extract<Reading, { kind: 'read' }> {
  return { kind: 'read', preview, choices: firstChoices(preview), failed: [] };
}

/** Returns the initial choices, keeping values typed for the previous version of the text. */
function keepTypedInputs(preview: ImportPreview, before: Reading): Choices {
  const choices = firstChoices(preview);
  if (before.kind !== 'read') return choices;
  const typed = Object.entries(before.choices.inputs).filter(
    ([id, value]) => value !== '' && Object.hasOwn(choices.inputs, id),
  );
  return { ...choices, inputs: { ...choices.inputs, ...Object.fromEntries(typed) } };
}
