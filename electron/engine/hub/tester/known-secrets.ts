import { createRedactor, type Redact } from '../../supervise/redact.ts';
import { secretsOf } from '../../supervise/secret-values.ts';
import type { RunningHub } from '../running-hub.ts';

/** Takes out of a text what is known to be secret. */
export type MaskText = (text: string) => string;

type SecretsHub = Pick<RunningHub, 'config' | 'secrets' | 'endpoint'>;

/**
 * What servers were given, what the vault holds, and our own token: a server may say it again, or read it where it stands,
 * and the window must not have it. What was secret stays so, since a server may still be at work with it.
 */
export class KnownSecrets {
  readonly #known = new Set<string>();
  #redact: Redact = createRedactor([]);

  /** A run begins. */
  learn({ config, secrets, endpoint }: SecretsHub): void {
    const before = this.#known.size;
    const token = endpoint()?.token;
    const stored = secrets.known.map(({ name }) => secrets.get(name));
    for (const secret of [token, ...stored, ...config.state.servers.flatMap(secretsOf)])
      if (secret !== undefined) this.#known.add(secret);
    if (this.#known.size !== before) this.#redact = createRedactor(this.#known);
  }

  readonly mask: MaskText = (text) => this.#redact(text);
}
