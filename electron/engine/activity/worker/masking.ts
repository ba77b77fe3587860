import { digestOfText } from '../../base/digest.ts';
import { type MaskedJson, type MaskOptions, maskJson } from '../../base/mask/mask-json.ts';
import { maskText } from '../../base/mask/mask-text.ts';
import { isSecretMember } from '../../base/mask/secret-member.ts';
import { maskedParts } from '../../base/mask/secret-parts.ts';
import { createRedactor, type Redact } from '../../servers/log/redact.ts';

/** Masked JSON. */
export interface MaskedBody extends MaskedJson {
  /** Secrets found in it; they are masked in everything that belongs to it. */
  readonly found: readonly string[];
}

/** Arguments of a call. */
export interface MaskedArguments extends MaskedBody {
  /** SHA-256 of the canonical text of all of it. */
  readonly hash: () => string;
}

/** Masks secrets in records: known ones, and what looks like one. */
export class Masking {
  readonly #known = new Set<string>();
  /** Member name -> is secret. The same names come again and again. */
  readonly #names = new Map<string, boolean>();
  #redact: Redact = createRedactor([]);
  readonly #arguments = new RecentTexts<MaskedArguments>();
  readonly #summaries = new RecentTexts<MaskedBody>();
  readonly #texts = new RecentTexts<string>();

  constructor(secrets: readonly string[] = []) {
    if (secrets.length > 0) this.learn(secrets);
  }

  /** Adds secrets; earlier ones stay secret. */
  learn(secrets: readonly string[]): void {
    for (const secret of secrets) this.#known.add(secret);
    this.#redact = createRedactor(this.#known);
    for (const recent of [this.#arguments, this.#summaries, this.#texts]) recent.forget();
  }

  arguments(text: string, isBeginning: boolean): MaskedArguments {
    // A truncated text does not identify the whole.
    const recent = isBeginning ? undefined : this.#arguments.get(text);
    if (recent !== undefined) return recent;
    const masked = this.#maskArguments(text, isBeginning);
    if (!isBeginning) this.#arguments.set(text, masked);
    return masked;
  }

  /** `found` are secrets of the same record. */
  result(text: string, isBeginning: boolean, found: readonly string[]): MaskedBody {
    return this.#mask(text, { isBeginning }, found);
  }

  /** Returns at least so many first characters, and whether the tool failed. */
  summary(text: string, isBeginning: boolean, found: readonly string[], minLength: number): MaskedBody {
    if (text.includes(errorMember)) return this.result(text, isBeginning, found);
    if (isBeginning || found.length > 0)
      return this.#mask(text, { isBeginning, maxLength: minLength }, found);
    const recent = this.#summaries.get(text);
    if (recent !== undefined) return recent;
    const masked = this.#mask(text, { maxLength: minLength }, found);
    this.#summaries.set(text, masked);
    return masked;
  }

  text(text: string, found: readonly string[] = none): string {
    if (found.length > 0) return maskText(this.#redactorWith(found)(text));
    const recent = this.#texts.get(text);
    if (recent !== undefined) return recent;
    const masked = maskText(this.#redact(text));
    this.#texts.set(text, masked);
    return masked;
  }

  #maskArguments(text: string, isBeginning: boolean): MaskedArguments {
    const first = this.#mask(text, { isBeginning }, none);
    // The part of arguments that is cut off may contain secrets that the answer repeats.
    const found = first.isCut ? this.#mask(text, { isBeginning, ...unbounded }, none).found : first.found;
    const masked = first.isCut && found.length > 0 ? this.#mask(text, { isBeginning }, found) : first;
    let hash: string | undefined;
    const makeHash = () => {
      const whole = masked.isCut ? this.#mask(text, { isBeginning, ...unbounded }, none) : masked;
      return digestOfText(canonicalJson(whole.text));
    };
    return {
      ...masked,
      hash: () => {
        hash ??= makeHash();
        return hash;
      },
    };
  }

  /** Masks twice if there are secrets: one that has a telling member name may appear elsewhere too. */
  #mask(text: string, options: Partial<MaskOptions>, known: readonly string[]): MaskedBody {
    const found = new Set(known);
    const first = this.#maskOnce(text, options, known, found);
    if (found.size === known.length) return { ...first, found: known };
    const all = [...found];
    return { ...this.#maskOnce(text, options, all, found), found: all };
  }

  #maskOnce(
    text: string,
    options: Partial<MaskOptions>,
    known: readonly string[],
    found: Set<string>,
  ): MaskedJson {
    return maskJson(text, {
      ...options,
      redact: this.#redactorWith(known),
      isSecret: this.#isSecret,
      onSecret: (secret) => {
        if (found.size < maxFound) for (const part of maskedParts(secret)) found.add(part);
      },
    });
  }

  #redactorWith(found: readonly string[]): Redact {
    if (found.length === 0) return this.#redact;
    const redactFound = createRedactor(found);
    return (text) => redactFound(this.#redact(text));
  }

  readonly #isSecret = (name: string): boolean => {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const isSecret = isSecretMember(name);
    if (this.#names.size < maxNames) this.#names.set(name, isSecret);
    return isSecret;
  };
}

const none: readonly string[] = [];
const unbounded = { maxLength: Number.POSITIVE_INFINITY, maxStringLength: Number.POSITIVE_INFINITY };
const maxNames = 2_000;
/** Secrets per call; each costs a search through all bodies. */
const maxFound = 2_000;
/** As maskJson looks for it. */
const errorMember = '"isError"';

/**
 * Caches what was made of recent texts, since the same calls and answers come again and again. Clears itself
 * when full.
 */
class RecentTexts<T> {
  readonly #made = new Map<string, T>();
  #size = 0;

  get(text: string): T | undefined {
    return text.length <= maxLength ? this.#made.get(text) : undefined;
  }

  set(text: string, made: T): void {
    if (text.length > maxLength) return;
    if (this.#size + text.length > maxTotal) this.forget();
    this.#size += text.length;
    this.#made.set(text, made);
  }

  forget(): void {
    this.#made.clear();
    this.#size = 0;
  }
}

/** Characters. */
const maxLength = 4 * 1024;
const maxTotal = 64 * 1024;

/**
 * Returns the same text for all JSON that says the same: members sorted by name, no white space, numbers as
 * written. Returns text that is not JSON unchanged.
 */
function canonicalJson(json: string): string {
  try {
    return written(JSON.parse(withNumbersAsText(json)));
  } catch {
    return json;
  }
}

/** Marks every string as one, member names included, and turns every number into an unmarked string. */
function withNumbersAsText(json: string): string {
  return json.replace(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? `"s${token.slice(1)}` : `"${token}"`,
  );
}

function written(value: unknown): string {
  if (typeof value === 'string') return value.startsWith('s') ? JSON.stringify(value.slice(1)) : value;
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members).sort();
  return `{${names.map((name) => `${JSON.stringify(name.slice(1))}:${written(members[name])}`).join(',')}}`;
}
