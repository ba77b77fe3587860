import { charsetIn, Utf8Input } from '../../utf8-input.ts';

/**
 * The body of a response once its first bytes have arrived: they show its form, whatever its content type
 * claims.
 */
export interface Body {
  readonly form: 'json' | 'events' | 'other' | 'empty';
  /** The whole body in UTF-8, without a leading byte order mark or space; can be read once. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Discards the body, so that its connection can be reused. */
  cancel(): Promise<void>;
}

/** Waits for the first bytes of a body; the body ends when `until` aborts. */
export async function openBody(response: Response, until?: AbortSignal): Promise<Body> {
  const reader = response.body?.getReader();
  const input = new Utf8Input(charsetIn(response.headers.get('content-type') ?? ''));
  const next = async (): Promise<{ readonly done: boolean; readonly value: Uint8Array }> => {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) return { done, value: input.end() };
    return { done, value: input.read(Buffer.from(value.buffer, value.byteOffset, value.length)) };
  };
  let start: Uint8Array = Buffer.alloc(0);
  let isOver = reader === undefined;
  until?.addEventListener('abort', () => void cancel(), { once: true });
  while (!isOver && start.length < formBytes) {
    const { done, value } = await next();
    isOver = done;
    start = withoutMarkAndSpace(start.length === 0 ? value : Buffer.concat([start, value]));
  }
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      if (start.length > 0) yield start;
      while (!isOver) {
        const { done, value } = await next();
        isOver = done;
        if (value.length > 0) yield value;
      }
    } finally {
      if (!isOver) void cancel();
    }
  }
  async function cancel(): Promise<void> {
    await reader?.cancel().catch(() => undefined);
  }
  return { form: formOf(start), chunks: read(), cancel };
}

/**
 * Reads the start of a body that is not an answer: more than is ever shown, but bounded, since a body may
 * never end.
 */
export async function readStart({ chunks, cancel }: Body): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of chunks) {
      parts.push(chunk);
      length += chunk.length;
      if (length > maxStartBytes) break;
    }
  } catch {
    await cancel();
  }
  return Buffer.concat(parts).subarray(0, maxStartBytes);
}

const maxStartBytes = 1024 * 1024;

/** Bytes needed to recognise the form. */
const formBytes = 'retry :'.length;

function withoutMarkAndSpace(bytes: Uint8Array): Uint8Array {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  let at = hasMark ? 3 : 0;
  while (isSpace(bytes[at])) at += 1;
  return at === 0 ? bytes : bytes.subarray(at);
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

function formOf(start: Uint8Array): Body['form'] {
  const text = Buffer.from(start.subarray(0, formBytes)).toString('latin1');
  if (text === '') return 'empty';
  if (text.startsWith('{') || text.startsWith('[')) return 'json';
  return /^\0?(?:data|event|id|retry)?[ \t]?:/i.test(text) ? 'events' : 'other';
}
