import type { ConfigStore } from '../config/contract.ts';
import { createRedactor, type Redact } from '../servers/log/redact.ts';
import { secretsOf } from '../servers/log/secret-values.ts';

/** Masks known secrets in a text. */
export type MaskText = (text: string) => string;

export interface SecretsHub {
  readonly config: Pick<ConfigStore, 'state'>;
  readonly secrets: {
    readonly known: readonly { readonly name: string }[];
    get(name: string): string | undefined;
  };
  endpoint(): { readonly token: string } | undefined;
}

/**
 * Secrets of servers, of the vault, and our own token: a server may repeat them or read them from where they
 * are stored, and the window must not get them. Old secrets stay known, because a server may still use them.
 */
export class KnownSecrets {
  readonly #known = new Set<string>();
  #redact: Redact = createRedactor([]);

  /** Call when a run starts. */
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
