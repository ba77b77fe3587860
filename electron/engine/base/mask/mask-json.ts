import { isDeeperThan, isRecord, parseJson } from '../../../../shared/json.ts';
import { closeJson, cutNote } from './close-json.ts';
import { masked, maskText, type OnSecret } from './mask-text.ts';
import { countsTokens, isSecretMember } from './secret-member.ts';

export interface MaskOptions {
  /** Replaces known secrets. */
  readonly redact: (text: string) => string;
  /** Tells whether the value of a member with this name is secret. */
  readonly isSecret: (name: string) => boolean;
  /** Called with each string and number that was masked because of its name or its surroundings. */
  readonly onSecret: (text: string) => void;
  /** Max characters of one string; longer ones are cut, with a note. */
  readonly maxStringLength: number;
  /** Max characters of the whole text. */
  readonly maxLength: number;
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
  maxStringLength: 4 * 1024,
  maxLength: 32 * 1024,
  isBeginning: false,
};

/**
 * Masks the secrets in JSON: values of members with secret names, values that look like secrets, and known
 * secrets, also in JSON that is nested in strings. Encoded data is replaced by its size. A text without any of
 * that stays as it is; else the values stay, numbers as they were written. Input that is not JSON is masked as
 * plain text.
 */
export function maskJson(json: string, options: Partial<MaskOptions> = {}): MaskedJson {
  const chosen = { ...defaultOptions, ...options };
  return maskParsed(json, chosen, 0) ?? maskPlain(json, chosen);
}

function maskPlain(text: string, { redact, maxLength, onSecret }: MaskOptions): MaskedJson {
  const isCut = text.length > maxLength;
  const beginning = isCut ? `${redact(text).slice(0, maxLength)}…` : redact(text);
  return { text: JSON.stringify(maskText(beginning, onSecret)), isCut, isError: false };
}

/** Returns undefined if the text is not JSON, or nested too deeply. */
function maskParsed(json: string, options: MaskOptions, nesting: number): MaskedJson | undefined {
  const whole = parseJson(json);
  const isWhole = !options.isBeginning || whole !== undefined;
  const text = isWhole ? json : closeJson(json);
  const parsed = isWhole ? whole : parseJson(text);
  if (parsed === undefined) return undefined;
  const marked = markNumbers(text);
  const value: unknown = marked === text ? parsed : JSON.parse(marked);
  if (isDeeperThan(value, maxDepth)) return undefined;
  const masker = new JsonMasker(options, nesting);
  const shown = unmarkNumbers(JSON.stringify(masker.mask(value, '', false)));
  const isSame = isWhole && !masker.isChanged && json.length <= options.maxLength;
  const isError = isRecord(value) && value.isError === true;
  return { text: isSame ? json : shown, isCut: !isWhole || masker.isCut, isError };
}

const maxDepth = 256;
/** Levels of JSON in strings in JSON. */
const maxNesting = 3;

/**
 * Writes numbers that a double would change as strings with a mark. The text is valid JSON, so a quote that no
 * backslash precedes begins or ends a string.
 */
function markNumbers(json: string): string {
  let isString = false;
  return json.replace(/\\[\s\S]|"|-?\d[\d.eE+-]*/g, (token) => {
    if (token === '"') isString = !isString;
    const isKept = isString || !startsNumber.test(token) || String(Number(token)) === token;
    return isKept ? token : JSON.stringify(numberMark + token);
  });
}

const startsNumber = /^[-\d]/;

function unmarkNumbers(json: string): string {
  return json.replace(/"\\u0000number:(-?\d[\d.eE+-]*)"/g, '$1');
}

const numberMark = '\u0000number:';

class JsonMasker {
  readonly #options: MaskOptions;
  readonly #nesting: number;
  #length = 0;
  isCut = false;
  isChanged = false;

  constructor(options: MaskOptions, nesting: number) {
    this.#options = options;
    this.#nesting = nesting;
  }

  /** `name` is that of the member, if the value is one; `isSecret` is true for all inside a secret member. */
  mask(value: unknown, name: string, isSecret: boolean): unknown {
    const shown = this.#masked(value, name, isSecret);
    if (typeof shown !== 'object' || shown === null) this.#length += String(shown).length + 3;
    this.isChanged ||= typeof value !== 'object' && shown !== value;
    return shown;
  }

  #masked(value: unknown, name: string, isSecret: boolean): unknown {
    if (Array.isArray(value)) return this.#array(value, isSecret);
    if (isRecord(value)) return this.#object(value, isSecret);
    if (typeof value === 'number') return this.#number(value, String(value), name, isSecret);
    if (typeof value !== 'string') return value;
    if (value.startsWith(numberMark))
      return this.#number(value, value.slice(numberMark.length), name, isSecret);
    return isSecret ? this.#hidden(value) : this.#text(value);
  }

  #array(items: readonly unknown[], isSecret: boolean): unknown {
    const shown: unknown[] = [];
    this.#length += 2;
    for (const item of items) {
      if (this.#isFull()) return [...shown, cutNote];
      shown.push(this.mask(item, '', isSecret));
    }
    return shown;
  }

  #object(members: Readonly<Record<string, unknown>>, isSecret: boolean): unknown {
    const shown: [name: string, value: unknown][] = [];
    this.#length += 2;
    for (const [name, value] of Object.entries(members)) {
      if (this.#isFull()) return Object.fromEntries([...shown, ['…', cutNote]]);
      const key = this.#text(name);
      this.isChanged ||= key !== name;
      this.#length += key.length + 4;
      shown.push([key, this.mask(value, name, isSecret || this.#options.isSecret(name))]);
    }
    return Object.fromEntries(shown);
  }

  #isFull(): boolean {
    if (this.#length <= this.#options.maxLength) return false;
    this.isCut = true;
    this.isChanged = true;
    return true;
  }

  #hidden(text: string): string {
    if (text === '') return text;
    if (!text.endsWith(cutNote)) this.#options.onSecret(text);
    return masked;
  }

  /** Masks a text; the end of one that was truncated says so. */
  #text(text: string): string {
    const isTruncated = text.endsWith(cutNote);
    const known = this.#options.redact(isTruncated ? text.slice(0, -cutNote.length) : text);
    const shown =
      this.#inside(known) ?? maskString(known, this.#options.maxStringLength, this.#options.onSecret);
    this.isCut ||= shown.isCut;
    return isTruncated ? shown.text + cutNote : shown.text;
  }

  /** Masks JSON nested in a string; returns undefined if the string is not JSON. */
  #inside(text: string): MaskedJson | undefined {
    if (this.#nesting >= maxNesting || !/^\s*[{[][\s\S]*[}\]]\s*$/.test(text)) return undefined;
    const options = { ...this.#options, maxLength: this.#options.maxStringLength * 2, isBeginning: false };
    return maskParsed(text, options, this.#nesting + 1);
  }

  /** Reports a number as written and as programs normalize it. */
  #number(value: unknown, text: string, name: string, isSecret: boolean): unknown {
    const isNamed = isSecret && !countsTokens(name);
    if (isNamed) for (const form of new Set([text, String(Number(text))])) this.#options.onSecret(form);
    return isNamed || this.#options.redact(text) !== text ? masked : value;
  }
}

/**
 * Masks a string of unknown meaning: encoded data becomes its size, the rest is masked as text and cut if it
 * is too long.
 */
function maskString(
  text: string,
  maxLength: number,
  onSecret?: OnSecret,
): { readonly text: string; readonly isCut: boolean } {
  if (text.length >= minEncodedLength && encoded.test(text)) {
    return { text: `(base64, ${sizeText(Buffer.byteLength(text, 'base64'))})`, isCut: false };
  }
  if (text.length <= maxLength) return { text: maskText(text, onSecret), isCut: false };
  // Detection of secrets by shape needs the whole word, so some margin is read as well.
  const beginning = maskText(text.slice(0, maxLength + margin), onSecret)
    .slice(0, maxLength)
    .replace(/[\uD800-\uDBFF]$/, '');
  return { text: `${beginning}… (cut, ${text.length.toLocaleString('en')} characters)`, isCut: true };
}

/** Images, audio and files; `data:` URLs are recognized by their prefix. */
const encoded = /^(?:data:[^,]{0,200},)?[A-Za-z0-9+/_-]+={0,2}$/;
const minEncodedLength = 512;
const margin = 512;

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 ** 2 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}
