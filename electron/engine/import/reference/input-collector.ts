import type { ImportInput } from '../../../../shared/model/import/import-session.ts';
import { secretNameOf } from '../../config/entry/plain-secrets.ts';
import type { FoundInput, Token } from '../found.ts';

/** Collects the inputs to ask for: one per id, however often it is referred to. */
export class InputCollector {
  readonly #inputs = new Map<string, FoundInput>();

  get all(): readonly FoundInput[] {
    return [...this.#inputs.values()];
  }

  /** Returns whether a text is already a token of an input. */
  knows(text: string): boolean {
    return this.all.some(({ tokens }) => tokens.some((token) => token.text === text));
  }

  /** Adds a token of an input; the first description of the input is used. */
  add(input: ImportInput, token: Token): void {
    const known = this.#inputs.get(input.id);
    const tokens = known?.tokens ?? [];
    const isKnown = tokens.some(({ text }) => text === token.text);
    this.#inputs.set(input.id, {
      view: known?.view ?? input,
      tokens: isKnown ? tokens : [...tokens, token],
    });
  }
}

/** Creates an input whose answer goes to the vault. */
export function passwordInput(id: string, title: string, description?: string): ImportInput {
  return {
    id,
    title,
    kind: 'password',
    required: true,
    secretName: secretNameOf(title),
    ...(description === undefined ? {} : { description }),
  };
}

export function textInput(id: string, title: string, more: Partial<ImportInput> = {}): ImportInput {
  return { id, title, kind: 'text', required: true, ...more };
}
