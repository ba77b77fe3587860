import { isRecord, scalarText } from '../../../../shared/json.ts';
import type { Entry, FoundInput } from '../found.ts';
import { literal, mapEntry, mapTexts, textsIn } from './map-texts.ts';

/** The value of an input: a text, a reference to the vault, or a reference to a value entered later. */
export type Answer =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'secret'; readonly name: string }
  | { readonly kind: 'later'; readonly reference: string };

export type Answers = ReadonlyMap<string, Answer>;

/**
 * Returns the entry with the answers in place of their inputs. A variable, a header, or an argument with its
 * flag that consists of an unanswered input alone is removed. References to the entry's own variables become
 * their values.
 */
export function answerInputs(entry: Entry, inputs: readonly FoundInput[], answers: Answers): Entry {
  const isOpen = (text: string) =>
    inputs.some(
      ({ view, tokens }) => !isAnswered(answers.get(view.id)) && tokens.some((one) => one.text === text),
    );
  const put = (text: string) => replaceTokens(text, inputs, answers);
  const answered = Object.fromEntries(
    Object.entries(entry).flatMap(([key, value]) => {
      if (key === 'args' && Array.isArray(value)) return [[key, argumentsOf(value, inputs, answers, isOpen)]];
      if (isRecord(value)) {
        const kept = Object.entries(value).filter(([, text]) => typeof text !== 'string' || !isOpen(text));
        const isLeft = kept.length > 0 || Object.keys(value).length === 0;
        return isLeft ? [[key, mapTexts(Object.fromEntries(kept), put)]] : [];
      }
      return typeof value === 'string' && isOpen(value) ? [] : [[key, mapTexts(value, put)]];
    }),
  );
  return withOwnVariables(answered);
}

/**
 * Clients resolve references to an entry's own variables; our config resolves names from the machine's
 * environment.
 */
function withOwnVariables(entry: Entry): Entry {
  const { env } = entry;
  if (!isRecord(env)) return entry;
  const expandsItself =
    Array.isArray(entry.args) && entry.args.some((word) => /^mcp-remote(?:@|$)/.test(scalarText(word)));
  const put = (text: string) =>
    text.replace(ownReference, (written, braced?: string, otherwise?: string, plain?: string) => {
      const name = braced ?? plain ?? '';
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      const isEmpty = value === '' && otherwise !== undefined;
      if (typeof value !== 'string' || isEmpty) return written;
      // Other users of a machine can see the arguments of a process, but not its environment.
      return expandsItself && value.includes('${secret:') ? `$$\{${name}}` : value;
    });
  return mapEntry(entry, (text, [field = '']) => (expanded.has(field) ? put(text) : text));
}

const expanded: ReadonlySet<string | number> = new Set(['command', 'args', 'cwd', 'url', 'headers']);
const ownReference = /(?<!\$)\$(?:\{(?:env:)?([A-Za-z_]\w*)(:-[^{}]*)?\}|([A-Za-z_]\w*))/g;

/** Returns the ids of the inputs that an entry refers to. */
export function inputsOf(entry: Entry, inputs: readonly FoundInput[]): readonly string[] {
  const texts = textsIn(entry);
  return inputs
    .filter(({ tokens }) => tokens.some((token) => texts.some((text) => text.includes(token.text))))
    .map(({ view }) => view.id);
}

/** Returns the entry for display: groups of arguments flattened, tokens unchanged. */
export function flatEntry(entry: Entry): Entry {
  return Array.isArray(entry.args) ? { ...entry, args: entry.args.flat() } : entry;
}

function argumentsOf(
  args: readonly unknown[],
  inputs: readonly FoundInput[],
  answers: Answers,
  isOpen: (text: string) => boolean,
): readonly unknown[] {
  return args.flatMap((item): readonly unknown[] => {
    const group: readonly unknown[] = Array.isArray(item) ? item : [item];
    if (group.some((word) => typeof word === 'string' && isOpen(word))) return [];
    return group.flatMap((word): readonly unknown[] =>
      typeof word === 'string' ? argumentLines(word, inputs, answers) : [word],
    );
  });
}

/** An argument that is an input of several values becomes several arguments. */
function argumentLines(word: string, inputs: readonly FoundInput[], answers: Answers): readonly string[] {
  const input = inputs.find(
    ({ view, tokens }) => view.multiple === true && tokens.some(({ text }) => text === word),
  );
  const answer = input === undefined ? undefined : answers.get(input.view.id);
  if (answer?.kind !== 'text') return [replaceTokens(word, inputs, answers)];
  return answer.text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(literal);
}

/** Replaces all tokens in one pass, so that an answer is never taken for a token. */
function replaceTokens(text: string, inputs: readonly FoundInput[], answers: Answers): string {
  const tokens = inputs.flatMap(({ view, tokens: own }) => own.map((token) => ({ ...token, id: view.id })));
  if (!tokens.some((token) => text.includes(token.text))) return text;
  const pattern = new RegExp(tokens.map((token) => escapeRegExp(token.text)).join('|'), 'g');
  return text.replace(pattern, (found) => {
    const token = tokens.find((one) => one.text === found);
    const answer = token === undefined ? undefined : answers.get(token.id);
    return answer === undefined ? '' : textOf(answer, token?.of);
  });
}

/** Escapes a text for a regular expression. */
export function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

function textOf(answer: Answer, of: (typed: string) => string = (typed) => typed): string {
  if (answer.kind === 'later') return answer.reference;
  return answer.kind === 'secret' ? `\${secret:${answer.name}}` : literal(of(answer.text));
}

function isAnswered(answer: Answer | undefined): boolean {
  return answer !== undefined && (answer.kind !== 'text' || answer.text !== '');
}
