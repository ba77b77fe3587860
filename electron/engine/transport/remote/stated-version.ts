import type { RawMessage } from '../../rpc/raw-message.ts';
import { openBody, readStart } from './body.ts';

/** Whether requests state the revision in a header: some servers agree to one and refuse it there. */
export class StatedVersion {
  readonly #version: () => string | undefined;
  #isLeftOut = false;
  /** A request was answered that stated it, so that no later refusal is about that. */
  #isTaken = false;

  constructor(version: () => string | undefined) {
    this.#version = version;
  }

  /** The value of the header; undefined where there is to be none. */
  get value(): string | undefined {
    return this.#isLeftOut ? undefined : this.#version();
  }

  /**
   * Sends a message, once more without the header where it is refused for that. `initialized`, which does nothing, is
   * repeated after any such refusal; another message only after one that speaks of the version, since it was not run then.
   */
  async send(message: RawMessage, post: () => Promise<Response>): Promise<Response> {
    const isStated = message.method !== 'initialize' && this.value !== undefined;
    const response = await post();
    this.#isTaken ||= isStated && response.ok && message.kind === 'request';
    const isNotice = message.method === 'notifications/initialized';
    const mayBeVersion = isStated && response.status === 400 && !this.#isTaken;
    if (!mayBeVersion || !(isNotice || (await speaksOfVersion(response)))) return response;
    this.#isLeftOut = true;
    const again = await post();
    this.#isLeftOut = again.ok || !(isNotice || (again.status === 400 && (await speaksOfVersion(again))));
    await (this.#isLeftOut ? response : again).body?.cancel().catch(() => undefined);
    return this.#isLeftOut ? again : response;
  }
}

async function speaksOfVersion(response: Response): Promise<boolean> {
  const opening = openBody(response.clone(), AbortSignal.timeout(patience));
  const body = await opening.then(readStart).catch(() => Buffer.alloc(0));
  return /\b(?:protocol|mcp).{0,2}version/i.test(body.toString('utf8'));
}

const patience = 5000;
