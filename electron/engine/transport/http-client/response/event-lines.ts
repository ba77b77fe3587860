/**
 * Decodes a stream of events line by line for a strict parser: every line ends in a line feed, and fields are
 * spelled as the standard has them. Servers write `Data:`, `data :`, or a space, NUL or byte order mark first.
 */
export class EventLines {
  readonly #decoder = new TextDecoder();
  #endedInReturn = false;
  /** Start of a line, as long as it is too short to show its field. */
  #held = '';
  #isInLine = false;

  read(chunk: Uint8Array): string {
    const text = this.#held + this.#withLineFeeds(this.#decoder.decode(chunk, { stream: true }));
    const lastLine = text.lastIndexOf('\n') + 1;
    const isShort = text.length - lastLine < fieldLength && !(this.#isInLine && lastLine === 0);
    const known = isShort ? text.slice(0, lastLine) : text;
    this.#held = isShort ? text.slice(lastLine) : '';
    if (known === '') return '';
    const firstLine = this.#isInLine ? known.indexOf('\n') + 1 : 0;
    const startsNone = this.#isInLine && firstLine === 0;
    this.#isInLine = !known.endsWith('\n');
    return startsNone ? known : respellFrom(known, firstLine);
  }

  /** Returns the text that was held, at the end of the stream or when no more arrives for now. */
  rest(): string {
    const text = this.#held;
    this.#held = '';
    this.#isInLine ||= text !== '';
    return respellFrom(text, 0);
  }

  #withLineFeeds(text: string): string {
    if (text === '') return '';
    const rest = this.#endedInReturn && text.startsWith('\n') ? text.slice(1) : text;
    this.#endedInReturn = text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  }
}

/** Characters that show the field of a line, with some space around its name. */
const fieldLength = 12;

function respellFrom(text: string, firstLine: number): string {
  const parts: string[] = [];
  let copied = 0;
  for (let at = firstLine; at < text.length; at = text.indexOf('\n', at) + 1) {
    startOfLine.lastIndex = at;
    const [start, name] = startOfLine.exec(text) ?? [];
    const standard = name === undefined ? '' : `${name.toLowerCase()}:`;
    if (start !== undefined && start !== standard) {
      parts.push(text.slice(copied, at), standard);
      copied = at + start.length;
    }
    if (!text.includes('\n', at)) break;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(copied);
}

/** Matches the name of a field, or a line of spaces, which ends an event like an empty one. */
const startOfLine = /[\0\uFEFF \t]*(data|event|id|retry)[ \t]*:|[ \t]+(?=\n)/iy;
