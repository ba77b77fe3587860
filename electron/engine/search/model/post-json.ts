import { ProblemError, problem } from '../../../../shared/error/problem.ts';

export interface PostOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Milliseconds for the whole answer. */
  readonly timeoutMs: number;
}

/**
 * Posts JSON and returns the answer. Rejects with `search.provider_failed` and our own text: an endpoint's
 * text may be long, misleading, or repeat the request.
 */
export async function postJson({ url, headers, body, timeoutMs: patience }: PostOptions): Promise<unknown> {
  const signal = AbortSignal.timeout(patience);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      // A redirect must not forward the key to another host.
      redirect: 'error',
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw providerFailed(url, `it answered with status ${response.status}`);
    }
    return parse(url, await readText(url, response));
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw providerFailed(url, signal.aborted ? 'it did not answer in time' : 'it could not be reached');
  }
}

async function readText(url: string, response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxAnswerLength) throw providerFailed(url, 'its answer is too long');
  }
  return text + decoder.decode();
}

/** Characters. */
const maxAnswerLength = 4_000_000;

function parse(url: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw providerFailed(url, 'its answer is not JSON');
  }
}

/**
 * Creates the problem of a failed endpoint, showing only the origin of its address, since the rest may be
 * secret.
 */
export function providerFailed(url: string, why: string): ProblemError {
  const { origin } = new URL(url);
  return new ProblemError(
    problem(
      'search.provider_failed',
      `The model at ${origin} failed: ${why}.`,
      'Check that it is running and that its address, model and key are correct, or turn it off in Settings, Search.',
      { address: origin },
    ),
  );
}
