import { closing, type JsonFrame, type JsonPhase, noteAt } from './json-frame.ts';
import { decoded, endOfString, isSpace, withoutHalfEscape } from './json-text.ts';
import { maskString } from './mask-string.ts';
import { masked, maskText } from './mask-text.ts';
import { countsTokens, isSecretMember } from './secret-member.ts';

export interface MaskOptions {
  /** Replaces what is known to be secret. */
  readonly redact: (text: string) => string;
  /** Whether what stands under this name is secret. */
  readonly isSecret: (name: string) => boolean;
  /** Hears each text and number that was masked for its name, or for what stands around it. */
  readonly onSecret: (text: string) => void;
  /** Characters of one string; beyond them it is cut, with a note. */
  readonly longestString: number;
  /** Of all of it. */
  readonly longest: number;
  /** Only the beginning of the JSON is there. */
  readonly isBeginning: boolean;
}

export interface MaskedJson {
  /** JSON as well, unless there was none. */
  readonly text: string;
  readonly isCut: boolean;
  /** `isError` of the outermost object is true. */
  readonly isError: boolean;
}

const usual: MaskOptions = {
  redact: (text) => text,
  isSecret: isSecretMember,
  onSecret: () => {},
  longestString: 4 * 1024,
  longest: 32 * 1024,
  isBeginning: false,
};

/**
 * JSON with its secrets replaced: what stands under the name of one, what looks like one, and what is known to be one, also
 * inside JSON that stands in a string. Encoded data is kept as its size. Everything else is left to the letter. What is
 * no JSON is masked as plain text.
 */
export function maskJson(json: string, options: Partial<MaskOptions> = {}): MaskedJson {
  const chosen = { ...usual, ...options };
  return walk(json, chosen, 0) ?? plain(json, chosen);
}

function walk(json: string, options: MaskOptions, nesting: number): MaskedJson | undefined {
  return new JsonWalk(json, options, nesting).run();
}

function plain(text: string, { redact, longest, onSecret }: MaskOptions): MaskedJson {
  const isCut = text.length > longest;
  const beginning = isCut ? `${redact(text).slice(0, longest)}…` : redact(text);
  return { text: JSON.stringify(maskText(beginning, onSecret)), isCut, isError: false };
}

const deepest = 256;
/** JSON in strings in JSON in strings… */
const deepestNesting = 3;

/** What a walk comes to with each token. */
type Step = 'on' | 'broken' | 'cut' | 'done';

class JsonWalk {
  readonly #json: string;
  readonly #options: MaskOptions;
  readonly #nesting: number;
  readonly #frames: JsonFrame[] = [];
  #out = '';
  #at = 0;
  #isCut = false;
  #isNoted = false;
  #isError = false;

  constructor(json: string, options: MaskOptions, nesting: number) {
    this.#json = json;
    this.#options = options;
    this.#nesting = nesting;
  }

  /** Undefined where it is no JSON. */
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
    if (sign === undefined) return this.#missing();
    switch (frame.phase) {
      case 'start':
        return sign === closing(frame) ? this.#close() : this.#item(frame);
      case 'item':
        return this.#item(frame);
      case 'colon':
        return this.#sign(frame, sign, ':', 'value');
      case 'value':
        return this.#value(frame);
      case 'after':
        if (sign === closing(frame)) return this.#close();
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
    if (end === -1) return this.#missing();
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
    if (this.#frames.length >= deepest) return 'broken';
    const sign = this.#json[this.#at] ?? '';
    this.#frames.push({ isObject: sign === '{', isSecret, phase: 'start', name: '' });
    this.#out += sign;
    this.#at += 1;
    return 'on';
  }

  #close(): Step {
    const frame = this.#frames.pop();
    if (frame !== undefined) this.#out += closing(frame);
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

  /** What may be the half of a secret at the end of what there is of a string is left out. */
  #halfString(frame: JsonFrame | undefined, isSecret: boolean): Step {
    if (!this.#options.isBeginning) return 'broken';
    const raw = this.#json.slice(this.#at + 1);
    const known = withoutHalfEscape(raw.slice(0, Math.max(0, raw.length - longestSecret)));
    const shown = isSecret ? '' : this.#masked(known);
    this.#out += `"${shown ?? ''}… (cut)"`;
    this.#isNoted = true;
    this.#valueWritten(frame);
    return 'cut';
  }

  #hidden(raw: string): string | undefined {
    const text = decoded(raw);
    if (text === undefined || text === '') return text;
    this.#options.onSecret(text);
    return masked;
  }

  /** The inside of a string token; undefined where it is none. */
  #masked(raw: string): string | undefined {
    const text = raw.includes('\\') ? decoded(raw) : raw;
    if (text === undefined) return undefined;
    const known = this.#options.redact(text);
    const shown =
      this.#inside(known) ?? maskString(known, this.#options.longestString, this.#options.onSecret);
    this.#isCut ||= shown.isCut;
    return shown.text === text ? raw : JSON.stringify(shown.text).slice(1, -1);
  }

  /** JSON in a string; undefined where it is none. */
  #inside(text: string): MaskedJson | undefined {
    if (this.#nesting >= deepestNesting || !/^\s*[{[][\s\S]*[}\]]\s*$/.test(text)) return undefined;
    const options = { ...this.#options, longest: this.#options.longestString * 2, isBeginning: false };
    return walk(text, options, this.#nesting + 1);
  }

  #literal(frame: JsonFrame | undefined, isSecret: boolean): Step {
    literals.lastIndex = this.#at;
    const found = literals.exec(this.#json)?.[0];
    const next = this.#at + (found?.length ?? 0);
    // One that nothing follows may go on.
    const mayGoOn =
      next >= this.#json.length || (found === undefined && halfLiteral.test(this.#json.slice(next)));
    if (frame !== undefined && mayGoOn) return this.#missing();
    if (found === undefined) return 'broken';
    this.#at = next;
    const isWord = /^[tfn]/.test(found);
    const isNamed = isSecret && !countsTokens(frame?.name ?? '');
    const isHidden = !isWord && (isNamed || this.#options.redact(found) !== found);
    this.#out += isHidden ? `"${masked}"` : found;
    if (!isWord && isNamed) this.#tellNumber(found);
    if (found === 'true' && this.#frames.length === 1 && frame?.name === 'isError') this.#isError = true;
    return this.#valueWritten(frame);
  }

  /** As it is written, and as programs write it again. */
  #tellNumber(found: string): void {
    this.#options.onSecret(found);
    if (String(Number(found)) !== found) this.#options.onSecret(String(Number(found)));
  }

  #skipSpace(): void {
    const start = this.#at;
    while (isSpace(this.#json.charCodeAt(this.#at))) this.#at += 1;
    if (this.#at > start && this.#frames.length > 0) this.#out += this.#json.slice(start, this.#at);
  }

  /** There is no more where there should be. */
  #missing(): Step {
    return this.#options.isBeginning ? 'cut' : 'broken';
  }

  /** Closes what is open, with a note where something is missing. */
  #finish(): void {
    this.#isCut = true;
    for (const frame of this.#frames.reverse()) {
      if (!this.#isNoted) this.#out += noteAt(frame);
      this.#isNoted = true;
      this.#out += closing(frame);
    }
  }
}

const literals = /true|false|null|-?[0-9][0-9.eE+-]*/y;
const halfLiteral = /^(?:-|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/;

/** Characters: more than a key is long. */
const longestSecret = 4 * 1024;
