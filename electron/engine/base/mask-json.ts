import { closingBracket, type JsonFrame, type JsonPhase, placeholderAt } from './json-frame.ts';
import { decoded, endOfString, isSpace, withoutHalfEscape } from './json-text.ts';
import { maskString } from './mask-string.ts';
import { masked, maskText } from './mask-text.ts';
import { countsTokens, isSecretMember } from './secret-member.ts';

export interface MaskOptions {
  /** Replaces known secrets. */
  readonly redact: (text: string) => string;
  /** Tells whether the value of a member with this name is secret. */
  readonly isSecret: (name: string) => boolean;
  /** Called with each string and number that was masked because of its name or its surroundings. */
  readonly onSecret: (text: string) => void;
  /** Max characters of one string; longer ones are cut, with a note. */
  readonly longestString: number;
  /** Max characters of the whole text. */
  readonly longest: number;
  /** True if the JSON text is truncated. */
  readonly isBeginning: boolean;
}

export interface MaskedJson {
  /** Valid JSON, also if the input was not. */
  readonly text: string;
  readonly isCut: boolean;
  /** True if `isError` of the outermost object is true. */
  readonly isError: boolean;
}

const defaultOptions: MaskOptions = {
  redact: (text) => text,
  isSecret: isSecretMember,
  onSecret: () => {},
  longestString: 4 * 1024,
  longest: 32 * 1024,
  isBeginning: false,
};

/**
 * Masks the secrets in JSON: values of members with secret names, values that look like secrets, and known
 * secrets, also in JSON that is nested in strings. Encoded data is replaced by its size. Everything else
 * stays exactly as it is. Input that is not JSON is masked as plain text.
 */
export function maskJson(json: string, options: Partial<MaskOptions> = {}): MaskedJson {
  const chosen = { ...defaultOptions, ...options };
  return maskParsed(json, chosen, 0) ?? maskPlain(json, chosen);
}

function maskParsed(json: string, options: MaskOptions, nesting: number): MaskedJson | undefined {
  return new JsonMasker(json, options, nesting).run();
}

function maskPlain(text: string, { redact, longest, onSecret }: MaskOptions): MaskedJson {
  const isCut = text.length > longest;
  const beginning = isCut ? `${redact(text).slice(0, longest)}…` : redact(text);
  return { text: JSON.stringify(maskText(beginning, onSecret)), isCut, isError: false };
}

const maxDepth = 256;
/** Levels of JSON in strings in JSON. */
const maxNesting = 3;

/** Outcome of reading one token. */
type Step = 'on' | 'broken' | 'cut' | 'done';

class JsonMasker {
  readonly #json: string;
  readonly #options: MaskOptions;
  readonly #nesting: number;
  readonly #frames: JsonFrame[] = [];
  #out = '';
  #at = 0;
  #isCut = false;
  #hasPlaceholder = false;
  #isError = false;

  constructor(json: string, options: MaskOptions, nesting: number) {
    this.#json = json;
    this.#options = options;
    this.#nesting = nesting;
  }

  /** Returns undefined if the text is not valid JSON. */
  run(): MaskedJson | undefined {
    let step: Step = 'on';
    while (step === 'on') step = this.#step();
    if (step === 'broken') return undefined;
    if (step === 'cut') this.#finish();
    return { text: this.#out, isCut: this.#isCut, isError: this.#isError };
  }

  #step(): Step {
    this.#skipSpace();
    const sign = this.#json[this.#at];
    const frame = this.#frames.at(-1);
    if (frame === undefined) return this.#outermost(sign);
    if (sign === undefined) return this.#onEnd();
    switch (frame.phase) {
      case 'start':
        return sign === closingBracket(frame) ? this.#close() : this.#item(frame);
      case 'item':
        return this.#item(frame);
      case 'colon':
        return this.#sign(frame, sign, ':', 'value');
      case 'value':
        return this.#value(frame);
      case 'after':
        if (sign === closingBracket(frame)) return this.#close();
        if (this.#out.length > this.#options.longest) return 'cut';
        return this.#sign(frame, sign, ',', 'item');
    }
  }

  #outermost(sign: string | undefined): Step {
    if (this.#out === '') return sign === undefined ? 'broken' : this.#value(undefined);
    return sign === undefined ? 'done' : 'broken';
  }

  #item(frame: JsonFrame): Step {
    return frame.isObject ? this.#key(frame) : this.#value(frame);
  }

  #sign(frame: JsonFrame, sign: string, expected: string, next: JsonPhase): Step {
    if (sign !== expected) return 'broken';
    this.#out += sign;
    this.#at += 1;
    frame.phase = next;
    return 'on';
  }

  #key(frame: JsonFrame): Step {
    if (this.#json[this.#at] !== '"') return 'broken';
    const end = endOfString(this.#json, this.#at);
    if (end === -1) return this.#onEnd();
    frame.name = this.#json.slice(this.#at + 1, end);
    this.#at = end + 1;
    const shown = this.#masked(frame.name);
    if (shown === undefined) return 'broken';
    this.#out += `"${shown}"`;
    frame.phase = 'colon';
    return 'on';
  }

  #value(frame: JsonFrame | undefined): Step {
    const isSecret =
      frame !== undefined && (frame.isSecret || (frame.isObject && this.#options.isSecret(frame.name)));
    switch (this.#json[this.#at]) {
      case '{':
      case '[':
        return this.#open(isSecret);
      case '"':
        return this.#string(frame, isSecret);
      default:
        return this.#literal(frame, isSecret);
    }
  }

  #open(isSecret: boolean): Step {
    if (this.#frames.length >= maxDepth) return 'broken';
    const sign = this.#json[this.#at] ?? '';
    this.#frames.push({ isObject: sign === '{', isSecret, phase: 'start', name: '' });
    this.#out += sign;
    this.#at += 1;
    return 'on';
  }

  #close(): Step {
    const frame = this.#frames.pop();
    if (frame !== undefined) this.#out += closingBracket(frame);
    this.#at += 1;
    return this.#valueWritten(this.#frames.at(-1));
  }

  #valueWritten(frame: JsonFrame | undefined): Step {
    if (frame !== undefined) frame.phase = 'after';
    return 'on';
  }

  #string(frame: JsonFrame | undefined, isSecret: boolean): Step {
    const end = endOfString(this.#json, this.#at);
    if (end === -1) return this.#halfString(frame, isSecret);
    const raw = this.#json.slice(this.#at + 1, end);
    this.#at = end + 1;
    const shown = isSecret ? this.#hidden(raw) : this.#masked(raw);
    if (shown === undefined) return 'broken';
    this.#out += `"${shown}"`;
    return this.#valueWritten(frame);
  }

  /** Drops the end of a truncated string, which may be half a secret. */
  #halfString(frame: JsonFrame | undefined, isSecret: boolean): Step {
    if (!this.#options.isBeginning) return 'broken';
    const raw = this.#json.slice(this.#at + 1);
    const known = withoutHalfEscape(raw.slice(0, Math.max(0, raw.length - maxSecretLength)));
    const shown = isSecret ? '' : this.#masked(known);
    this.#out += `"${shown ?? ''}… (cut)"`;
    this.#hasPlaceholder = true;
    this.#valueWritten(frame);
    return 'cut';
  }

  #hidden(raw: string): string | undefined {
    const text = decoded(raw);
    if (text === undefined || text === '') return text;
    this.#options.onSecret(text);
    return masked;
  }

  /** Masks the inside of a string token; returns undefined if it is invalid. */
  #masked(raw: string): string | undefined {
    const text = raw.includes('\\') ? decoded(raw) : raw;
    if (text === undefined) return undefined;
    const known = this.#options.redact(text);
    const shown =
      this.#inside(known) ?? maskString(known, this.#options.longestString, this.#options.onSecret);
    this.#isCut ||= shown.isCut;
    return shown.text === text ? raw : JSON.stringify(shown.text).slice(1, -1);
  }

  /** Masks JSON nested in a string; returns undefined if the string is not JSON. */
  #inside(text: string): MaskedJson | undefined {
    if (this.#nesting >= maxNesting || !/^\s*[{[][\s\S]*[}\]]\s*$/.test(text)) return undefined;
    const options = { ...this.#options, longest: this.#options.longestString * 2, isBeginning: false };
    return maskParsed(text, options, this.#nesting + 1);
  }

  #literal(frame: JsonFrame | undefined, isSecret: boolean): Step {
    literals.lastIndex = this.#at;
    const found = literals.exec(this.#json)?.[0];
    const next = this.#at + (found?.length ?? 0);
    // A literal at the end of the text may be truncated.
    const mayGoOn =
      next >= this.#json.length || (found === undefined && halfLiteral.test(this.#json.slice(next)));
    if (frame !== undefined && mayGoOn) return this.#onEnd();
    if (found === undefined) return 'broken';
    this.#at = next;
    const isWord = /^[tfn]/.test(found);
    const isNamed = isSecret && !countsTokens(frame?.name ?? '');
    const isHidden = !isWord && (isNamed || this.#options.redact(found) !== found);
    this.#out += isHidden ? `"${masked}"` : found;
    if (!isWord && isNamed) this.#reportNumber(found);
    if (found === 'true' && this.#frames.length === 1 && frame?.name === 'isError') this.#isError = true;
    return this.#valueWritten(frame);
  }

  /** Reports a number as written and as programs normalize it. */
  #reportNumber(found: string): void {
    this.#options.onSecret(found);
    if (String(Number(found)) !== found) this.#options.onSecret(String(Number(found)));
  }

  #skipSpace(): void {
    const start = this.#at;
    while (isSpace(this.#json.charCodeAt(this.#at))) this.#at += 1;
    if (this.#at > start && this.#frames.length > 0) this.#out += this.#json.slice(start, this.#at);
  }

  /** Handles the end of the text where more is expected. */
  #onEnd(): Step {
    return this.#options.isBeginning ? 'cut' : 'broken';
  }

  /** Closes all open containers, with a placeholder for what is missing. */
  #finish(): void {
    this.#isCut = true;
    for (const frame of this.#frames.reverse()) {
      if (!this.#hasPlaceholder) this.#out += placeholderAt(frame);
      this.#hasPlaceholder = true;
      this.#out += closingBracket(frame);
    }
  }
}

const literals = /true|false|null|-?[0-9][0-9.eE+-]*/y;
const halfLiteral = /^(?:-|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/;

/** Characters; longer than any key. */
const maxSecretLength = 4 * 1024;
