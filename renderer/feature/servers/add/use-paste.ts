import { useEffect, useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { ImportResult } from '../../../../shared/model/import/import-session.ts';
import type { GuardMode } from '../../../../shared/model/tool/guard.ts';
import { openServer } from '../../../command/navigate.ts';
import { offerUndo } from '../../../command/undo-actions.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { joinWords } from '../../../lib/text/join-words.ts';
import type { Model } from '../../../store/model.ts';
import { useModel } from '../../../store/model-context.tsx';
import type { PasteStart } from '../../../store/view-store.ts';
import { type Choices, choicesOfFailed, importChoices } from '../import/import-choices.ts';
import { type Reading, useReading } from './use-reading.ts';

export interface Pasting {
  readonly text: string;
  /** True if the text was filled in from the clipboard automatically. */
  readonly filled: boolean;
  /** File or link shown in place of the text. */
  readonly source: string | undefined;
  readonly reading: Reading;
  readonly adding: boolean;
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
  const { link } = useModel();
  const [source, setSource] = useState(() => firstSource(start));
  const field = useField(start.text);
  const { text } = field;
  const { reading, setReading, read, show, stop } = useReading(start);
  const { adding, add } = useAdding(reading, setReading, onClose);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads what the dialog was opened with, which does not change
  useEffect(() => {
    if (start.files !== undefined) void read(link.call('import.readFiles', { files: [...start.files] }));
    else if (start.text === undefined && start.from === undefined) void field.fromClipboard();
    return stop;
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new text is read again
  useEffect(() => {
    if (source !== undefined) return;
    if (text.trim() === '') {
      stop();
      setReading((now) => (now.kind === 'failed' && start.from !== undefined ? now : { kind: 'nothing' }));
      return;
    }
    if (text.length > maxLength) {
      stop();
      setReading({ kind: 'failed', problem: tooLong(text.length) });
      return;
    }
    const timer = setTimeout(() => void read(link.call('import.parse', { text })), 150);
    return () => clearTimeout(timer);
  }, [text, source]);
  return {
    ...field,
    source,
    reading,
    adding,
    add,
    async chooseFile() {
      const answer = await link.call('import.openFile', undefined);
      if (!answer.ok) return setReading({ kind: 'failed', problem: answer.problem });
      const { preview } = answer.value;
      if (preview === undefined) return;
      setSource(preview.file ?? preview.title);
      show(preview);
    },
    clear() {
      stop();
      setSource(undefined);
      field.type('');
      setReading({ kind: 'nothing' });
    },
    choose: (change) =>
      setReading((now) => (now.kind === 'read' ? { ...now, choices: change(now.choices) } : now)),
  };
}

/** Holds the text of the field, typed or from the clipboard. */
function useField(first = ''): Pick<Pasting, 'text' | 'filled' | 'type' | 'fromClipboard'> {
  const { link } = useModel();
  const [text, setText] = useState(first);
  const [filled, setFilled] = useState(false);
  return {
    text,
    filled,
    type(next) {
      setFilled(false);
      setText(next);
    },
    async fromClipboard() {
      const answer = await link.call('import.clipboard', undefined);
      const found = answer.ok ? answer.value.text : undefined;
      if (found === undefined) return false;
      setText((now) => (now.trim() === '' ? found : now));
      setFilled(true);
      return true;
    },
  };
}

/** Adds the chosen servers of a reading; those that could not be added stay in it. */
function useAdding(reading: Reading, setReading: (next: Reading) => void, onClose: () => void) {
  const model = useModel();
  const [adding, setAdding] = useState(false);
  async function add(guard: GuardMode): Promise<void> {
    if (reading.kind !== 'read') return;
    const { preview, choices } = reading;
    setAdding(true);
    const answer = await model.link.call('import.add', { ...importChoices(preview, choices), guard });
    setAdding(false);
    if (!answer.ok) return setReading({ ...reading, problem: answer.problem });
    const { added, failed } = answer.value;
    if (failed.length === 0) onClose();
    notifyAdded(model, answer.value);
    const [first] = added;
    if (failed.length === 0 && added.length === 1 && first !== undefined)
      return openServer(model, first, 'overview');
    setReading({ kind: 'read', preview, failed, choices: choicesOfFailed(choices, answer.value) });
  }
  return { adding, add };
}

function firstSource({ files, from }: PasteStart): string | undefined {
  if (files !== undefined) return files.join('\n');
  return from !== undefined && 'preview' in from ? from.preview.title : undefined;
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
