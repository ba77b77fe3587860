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

/** Masks all texts of a view except the members that identify things. */
export function maskView<T>(value: T, mask: MaskText): T {
  return masked(value, mask) as T;
}

function masked(value: unknown, mask: MaskText): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item) => masked(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, names.has(name) ? member : masked(member, mask)]),
  );
}

const names: ReadonlySet<string> = new Set(['id', 'key', 'name', 'serverKey']);
