import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { openBody, readStart } from './response/body.ts';

/** Controls the protocol version header: some servers agree to a version and then refuse the header. */
export class VersionHeader {
  readonly #version: () => string | undefined;
  #isLeftOut = false;
  /** A request with the header was answered, so later refusals are not about it. */
  #isAccepted = false;

  constructor(version: () => string | undefined) {
    this.#version = version;
  }

  /** The value of the header; undefined to leave it out. */
  get value(): string | undefined {
    return this.#isLeftOut ? undefined : this.#version();
  }

  /**
   * Sends a message, and retries without the header if it may have caused the refusal. `initialized` has no
   * effect and is repeated after any such refusal; other messages only if the refusal mentions the version,
   * because then they were not processed.
   */
  async send(message: RawMessage, post: () => Promise<Response>): Promise<Response> {
    const isStated = message.method !== 'initialize' && this.value !== undefined;
    const response = await post();
    this.#isAccepted ||= isStated && response.ok && message.kind === 'request';
    const isNotice = message.method === 'notifications/initialized';
    const mayBeVersion = isStated && response.status === 400 && !this.#isAccepted;
    if (!mayBeVersion || !(isNotice || (await mentionsVersion(response)))) return response;
    this.#isLeftOut = true;
    const again = await post();
    this.#isLeftOut = again.ok || !(isNotice || (again.status === 400 && (await mentionsVersion(again))));
    await (this.#isLeftOut ? response : again).body?.cancel().catch(() => undefined);
    return this.#isLeftOut ? again : response;
  }
}

async function mentionsVersion(response: Response): Promise<boolean> {
  const opening = openBody(response.clone(), AbortSignal.timeout(bodyTimeoutMs));
  const body = await opening.then(readStart).catch(() => Buffer.alloc(0));
  return /\b(?:protocol|mcp).{0,2}version/i.test(body.toString('utf8'));
}

const bodyTimeoutMs = 5000;
