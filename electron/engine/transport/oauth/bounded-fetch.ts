import type { Fetch } from '../http-client/http-connections.ts';

const timeoutMs = 15_000;
const maxBytes = 1_048_576;

/** Limits requests to authorization servers: their answers must be short and prompt. */
export function createBoundedFetch(fetch: Fetch, signal: AbortSignal): Fetch {
  return async (url, init) => {
    const limits = [signal, AbortSignal.timeout(timeoutMs), ...(init?.signal ? [init.signal] : [])];
    const response = await fetch(url, { ...init, signal: AbortSignal.any(limits) });
    const { status, headers } = response;
    const body = await readBody(response);
    return new Response(body.length === 0 ? null : body, { status, headers: new Headers([...headers]) });
  };
}

async function readBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`The answer is longer than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
