type Place = 'start' | 'value' | 'colon' | 'open';

interface Bracket {
  /** The bracket to write when it closes; empty for brackets that only wrap a value. */
  readonly closes: '}' | ']' | '';
  /** The closing bracket in the text. */
  readonly written: string;
  /** The member whose value it is. */
  readonly key: string;
}

/** Members whose values are asked for if only the program knows them. */
const asked =
  /^(?:url|uri|command|cmd|cwd|.*(?:Url|_url|token|Token|key|Key|auth|authorization|secret|Secret))$/;
const askedIn = /^(?:env|environment|envs|.*[hH]eaders)$/;

/** Writes tokens as JSON, with the commas between them. */
export class JsonWriter {
  readonly #parts: string[] = [];
  readonly #open: Bracket[] = [];
  readonly #isWrapped: boolean;
  #place: Place = 'start';
  #last: string | undefined;
  #key = '';
  #isGrown = false;

  constructor(isWrapped: boolean) {
    this.#isWrapped = isWrapped;
  }

  value(text: string, isText: boolean): void {
    if (isText && this.#last !== undefined && this.joining) {
      this.#last = this.#last + text;
      this.#isGrown = true;
      this.joining = false;
      return;
    }
    this.#separate();
    this.#parts.push(isText ? JSON.stringify(text) : text);
    this.#last = isText ? text : undefined;
    this.#place = 'value';
  }

  /** Set by a plus sign: the next text continues the last one. */
  joining = false;

  /** Whether a bare word may be a name. */
  get inObject(): boolean {
    return this.#open.at(-1)?.closes === '}';
  }

  get inList(): boolean {
    return this.#open.at(-1)?.closes === ']';
  }

  get afterColon(): boolean {
    return this.#place === 'colon';
  }

  /** Whether a program's expression may be a value here. */
  get takesCode(): boolean {
    return (this.afterColon || this.joining || this.inList) && !(this.#isWrapped && this.#open.length < 2);
  }

  /** Whether a value that is not in the text is worth asking for. */
  get isAsked(): boolean {
    return this.joining || this.inList || asked.test(this.#key) || askedIn.test(this.#open.at(-1)?.key ?? '');
  }

  /** Whether a lone word is a variable that is also the name of its member. */
  takesShorthand(name: string): boolean {
    return this.inObject && (asked.test(name) || askedIn.test(this.#open.at(-1)?.key ?? ''));
  }

  /** Whether it is the program to run, which YAML writes without quotes too. */
  get isProgram(): boolean {
    return /^(?:command|cmd|type|transport)$/.test(this.#key);
  }

  /** Opens a bracket that only wraps a value. */
  wrap(): void {
    this.#open.push({ closes: '', written: ')', key: this.#key });
  }

  /** Returns false for any other bracket. */
  unwrap(): boolean {
    if (this.#open.at(-1)?.closes !== '') return false;
    this.#open.pop();
    return true;
  }

  get hasText(): boolean {
    return this.#place === 'value' && this.#last !== undefined;
  }

  /** Whether it is a member of the outermost object, where a bare word is probably a mistake. */
  get isOutermost(): boolean {
    return this.#open.length < 2;
  }

  /** Inserts a program's value into the preceding text: `"Bearer {}".format(token)`. */
  fill(value: string): void {
    if (this.#last === undefined || this.#last.length > longestFilled) return;
    this.#last = this.#last.replace(/\{\w{0,40}\}|%s/, () => value);
    this.#isGrown = true;
  }

  /** Writes a concatenated text once it is complete. */
  #settle(): void {
    if (this.#isGrown) this.#parts[this.#parts.length - 1] = JSON.stringify(this.#last);
    this.#isGrown = false;
  }

  colon(): void {
    this.#settle();
    this.#parts.push(':');
    this.#key = this.#last ?? '';
    this.#place = 'colon';
  }

  open(bracket: '{' | '[', written = bracket === '{' ? '}' : ']'): boolean {
    this.#separate();
    this.#parts.push(bracket);
    this.#open.push({ closes: bracket === '{' ? '}' : ']', written, key: this.afterColon ? this.#key : '' });
    this.#place = 'open';
    this.#last = undefined;
    return this.#open.length <= deepest;
  }

  /** Returns false for a bracket of another kind. */
  close(written: string): boolean {
    this.#settle();
    const wanted = this.#open.pop();
    // Text copied from a file may end with brackets of that file.
    if (wanted === undefined) return true;
    if (wanted.written !== written || this.#place === 'colon') return false;
    this.#parts.push(wanted.closes);
    this.#place = 'value';
    this.#last = undefined;
    return true;
  }

  finish(): string | undefined {
    this.#settle();
    return this.#open.length === 0 ? this.#parts.join('') : undefined;
  }

  #separate(): void {
    this.#settle();
    if (this.#place === 'value') this.#parts.push(',');
    this.joining = false;
  }
}

const deepest = 200;
const longestFilled = 2000;
