import { useEffect, useRef, useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { IpcAnswer } from '../../../../shared/ipc/contract.ts';
import type { GuardMode } from '../../../../shared/model/guard.ts';
import type { ImportPreview, ImportResult } from '../../../../shared/model/import-session.ts';
import { openServer } from '../../../command/navigate.ts';
import { offerUndo } from '../../../command/undo-actions.ts';
import { formatCount } from '../../../lib/format-amount.ts';
import { joinWords } from '../../../lib/join-words.ts';
import type { Model } from '../../../store/model.ts';
import { useModel } from '../../../store/model-context.tsx';
import type { PasteStart } from '../../../store/view-store.ts';
import { type Choices, choicesOfFailed, firstChoices, importChoices } from '../import/import-choices.ts';

/** State of reading the text or file. */
export type Reading =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'read'; readonly preview: ImportPreview; readonly choices: Choices };

type Parsed = Promise<IpcAnswer<'import.parse'>>;

export interface Pasting {
  readonly text: string;
  /** True if the text was filled in from the clipboard automatically. */
  readonly filled: boolean;
  /** File or link shown in place of the text. */
  readonly source: string | undefined;
  readonly reading: Reading;
  readonly adding: boolean;
  /** Servers that could not be added. */
  readonly failed: ImportResult['failed'];
  readonly problem: Problem | undefined;
  type(text: string): void;
  fromClipboard(): Promise<boolean>;
  chooseFile(): Promise<void>;
  /** Empties the field. */
  clear(): void;
  choose(change: (choices: Choices) => Choices): void;
  add(guard: GuardMode): Promise<void>;
}

/** Max characters; longer texts are not pasted by hand. */
const maxLength = 1_000_000;

/** Reads any pasted text or file; the engine's session for it is closed with the dialog. */
export function usePaste(start: PasteStart, onClose: () => void): Pasting {
  const model = useModel();
  const { link } = model;
  const [text, setText] = useState(start.text ?? '');
  const [filled, setFilled] = useState(false);
  const [source, setSource] = useState(() => firstSource(start));
  const [reading, setReading] = useState<Reading>(() => firstReading(start));
  const [adding, setAdding] = useState(false);
  const [failed, setFailed] = useState<ImportResult['failed']>([]);
  const [problem, setProblem] = useState<Problem>();
  const session = useRef(
    start.from !== undefined && 'preview' in start.from ? start.from.preview.session : undefined,
  );
  const turn = useRef(0);
  const close = (other?: string) => {
    turn.current += 1;
    if (session.current !== undefined) void link.call('import.close', { session: session.current });
    session.current = other;
  };
  function show(preview: ImportPreview): void {
    close(preview.session);
    setFailed([]);
    setProblem(undefined);
    setReading((before) => ({ kind: 'read', preview, choices: keepTypedInputs(preview, before) }));
  }
  async function read(request: Parsed): Promise<void> {
    turn.current += 1;
    const mine = turn.current;
    const answer = await request;
    if (mine !== turn.current) {
      if (answer.ok) void link.call('import.close', { session: answer.value.session });
    } else if (answer.ok) show(answer.value);
    else setReading({ kind: 'failed', problem: answer.problem });
  }
  async function fromClipboard(): Promise<boolean> {
    const answer = await link.call('import.clipboard', undefined);
    const found = answer.ok ? answer.value.text : undefined;
    if (found !== undefined) {
      setText((now) => (now.trim() === '' ? found : now));
      setFilled(true);
    }
    return found !== undefined;
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads what the dialog was opened with, which does not change
  useEffect(() => {
    if (start.files !== undefined) void read(link.call('import.readFiles', { files: [...start.files] }));
    else if (start.text === undefined && start.from === undefined) void fromClipboard();
    return () => close();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new text is read again
  useEffect(() => {
    if (source !== undefined) return;
    if (text.trim() === '') {
      close();
      setReading((now) => (now.kind === 'failed' && start.from !== undefined ? now : { kind: 'nothing' }));
      return;
    }
    if (text.length > maxLength) {
      close();
      setReading({ kind: 'failed', problem: tooLong(text.length) });
      return;
    }
    const timer = setTimeout(() => void read(link.call('import.parse', { text })), 150);
    return () => clearTimeout(timer);
  }, [text, source]);
  return {
    text,
    filled,
    source,
    reading,
    adding,
    failed,
    problem,
    type(next) {
      setFilled(false);
      setText(next);
    },
    fromClipboard,
    async chooseFile() {
      const answer = await link.call('import.openFile', undefined);
      if (!answer.ok) return setReading({ kind: 'failed', problem: answer.problem });
      const { preview } = answer.value;
      if (preview === undefined) return;
      setSource(preview.file ?? preview.title);
      show(preview);
    },
    clear() {
      close();
      setSource(undefined);
      setText('');
      setFilled(false);
      setReading({ kind: 'nothing' });
    },
    choose: (change) =>
      setReading((now) => (now.kind === 'read' ? { ...now, choices: change(now.choices) } : now)),
    async add(guard) {
      if (reading.kind !== 'read') return;
      setAdding(true);
      const answer = await link.call('import.add', {
        ...importChoices(reading.preview, reading.choices),
        guard,
      });
      setAdding(false);
      if (!answer.ok) return setProblem(answer.problem);
      const { added, failed: failures } = answer.value;
      if (failures.length === 0) onClose();
      notifyAdded(model, answer.value);
      const [first] = added;
      if (failures.length === 0 && added.length === 1 && first !== undefined)
        return openServer(model, first, 'overview');
      setFailed(failures);
      setReading({ ...reading, choices: choicesOfFailed(reading.choices, answer.value) });
    },
  };
}

function firstSource({ files, from }: PasteStart): string | undefined {
  if (files !== undefined) return files.join('\n');
  return from !== undefined && 'preview' in from ? from.preview.title : undefined;
}

function firstReading({ files, from }: PasteStart): Reading {
  if (files !== undefined) return { kind: 'reading' };
  if (from === undefined) return { kind: 'nothing' };
  return 'problem' in from
    ? { kind: 'failed', problem: from.problem }
    : { kind: 'read', preview: from.preview, choices: firstChoices(from.preview) };
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

/** Reports the added servers and offers to undo. */
function notifyAdded(model: Model, { added, secrets, waiting, undoId }: ImportResult): void {
  if (undoId === undefined) return;
  const saved = secrets.length === 0 ? '' : ` ${formatCount(secrets.length, 'secret')} saved.`;
  const needs = waiting.map(({ key, values }) => ` ${key} needs ${joinWords(values, 3)}.`).join('');
  const message = `Added ${joinWords(added, 3)}.${saved}${needs}`;
  offerUndo(model, undoId, message, () => {
    void model.link.call('import.undo', { undoId }).then((answer) => {
      if (!answer.ok) model.notify.problem(answer.problem);
    });
  });
}

function tooLong(length: number): Problem {
  return {
    code: 'import.unreadable',
    sentence: `This text is too long to paste (${(length / 1_000_000).toFixed(1)} million characters).`,
    fix: 'Paste only the part with the servers, or choose the file instead.',
    evidence: [],
  };
}
