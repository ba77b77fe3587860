type WriterState = 'start' | 'value' | 'colon' | 'open';

interface Bracket {
  /** The bracket to write when it closes; empty for brackets that only wrap a value. */
  readonly closes: '}' | ']' | '';
  /** The closing bracket in the text. */
  readonly written: string;
  /** The member whose value it is. */
  readonly key: string;
}

/** Members whose values are asked for if only the program knows them. */
const askedMembers =
  /^(?:url|uri|command|cmd|cwd|.*(?:Url|_url|token|Token|key|Key|auth|authorization|secret|Secret))$/;
const askedContainers = /^(?:env|environment|envs|.*[hH]eaders)$/;

/** Writes tokens as JSON, with the commas between them. */
export class JsonWriter {
  readonly #parts: string[] = [];
  readonly #open: Bracket[] = [];
  readonly #isWrapped: boolean;
  #state: WriterState = 'start';
  #last: string | undefined;
  #key = '';
  #isTextExtended = false;

  constructor(isWrapped: boolean) {
    this.#isWrapped = isWrapped;
  }

  value(text: string, isText: boolean): void {
    if (isText && this.#last !== undefined && this.isConcatenating) {
      this.#last = this.#last + text;
      this.#isTextExtended = true;
      this.isConcatenating = false;
      return;
    }
    this.#separate();
    this.#parts.push(isText ? JSON.stringify(text) : text);
    this.#last = isText ? text : undefined;
    this.#state = 'value';
  }

  /** Set by a plus sign: the next text continues the last one. */
  isConcatenating = false;

  /** Tells whether a bare word may be a name. */
  get inObject(): boolean {
    return this.#open.at(-1)?.closes === '}';
  }

  get inList(): boolean {
    return this.#open.at(-1)?.closes === ']';
  }

  get afterColon(): boolean {
    return this.#state === 'colon';
  }

  /** Tells whether a program's expression may be a value here. */
  get allowsExpression(): boolean {
    return (
      (this.afterColon || this.isConcatenating || this.inList) && !(this.#isWrapped && this.#open.length < 2)
    );
  }

  /** Tells whether a value that is not in the text is worth asking for. */
  get isWorthAsking(): boolean {
    return (
      this.isConcatenating ||
      this.inList ||
      askedMembers.test(this.#key) ||
      askedContainers.test(this.#open.at(-1)?.key ?? '')
    );
  }

  /** Tells whether a lone word is a variable that is also the name of its member. */
  allowsShorthand(name: string): boolean {
    return this.inObject && (askedMembers.test(name) || askedContainers.test(this.#open.at(-1)?.key ?? ''));
  }

  /** Tells whether it is the program to run, which YAML writes without quotes too. */
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
    return this.#state === 'value' && this.#last !== undefined;
  }

  /** Tells whether it is a member of the outermost object, where a bare word is probably a mistake. */
  get isOutermost(): boolean {
    return this.#open.length < 2;
  }

  /** Inserts a program's value into the preceding text: `"Bearer {}".format(token)`. */
  fill(value: string): void {
    if (this.#last === undefined || this.#last.length > maxFilledLength) return;
    this.#last = this.#last.replace(/\{\w{0,40}\}|%s/, () => value);
    this.#isTextExtended = true;
  }

  /** Writes a concatenated text once it is complete. */
  #flushText(): void {
    if (this.#isTextExtended) this.#parts[this.#parts.length - 1] = JSON.stringify(this.#last);
    this.#isTextExtended = false;
  }

  colon(): void {
    this.#flushText();
    this.#parts.push(':');
    this.#key = this.#last ?? '';
    this.#state = 'colon';
  }

  open(bracket: '{' | '[', written = bracket === '{' ? '}' : ']'): boolean {
    this.#separate();
    this.#parts.push(bracket);
    this.#open.push({ closes: bracket === '{' ? '}' : ']', written, key: this.afterColon ? this.#key : '' });
    this.#state = 'open';
    this.#last = undefined;
    return this.#open.length <= maxDepth;
  }

  /** Returns false for a bracket of another kind. */
  close(written: string): boolean {
    this.#flushText();
    const wanted = this.#open.pop();
    // Text copied from a file may end with brackets of that file.
    if (wanted === undefined) return true;
    if (wanted.written !== written || this.#state === 'colon') return false;
    this.#parts.push(wanted.closes);
    this.#state = 'value';
    this.#last = undefined;
    return true;
  }

  finish(): string | undefined {
    this.#flushText();
    return this.#open.length === 0 ? this.#parts.join('') : undefined;
  }

  #separate(): void {
    this.#flushText();
    if (this.#state === 'value') this.#parts.push(',');
    this.isConcatenating = false;
  }
}

const maxDepth = 200;
const maxFilledLength = 2000;
