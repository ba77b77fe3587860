import { z } from 'zod';
import { negotiateVersion } from '../../../../shared/model/client/initialize-result.ts';
import type { ClientProfile } from '../../catalogue/contract.ts';
import type { InitializeParams } from '../../routing/server-requests/contract.ts';
import type { Era } from '../../transport/modern/era.ts';
import { hopKeys } from '../../transport/modern/protocol.ts';

const text = z.string().catch('');

/** Accepts clients leniently: a missing field or a wrong type is no reason to refuse one. */
const initializeParamsSchema = z
  .looseObject({
    protocolVersion: z.unknown().optional(),
    capabilities: z.record(z.string(), z.unknown()).catch({}),
    _meta: z.looseObject({}).optional().catch(undefined),
    clientInfo: z
      .looseObject({ name: text, version: text, title: z.string().optional().catch(undefined) })
      .catch({ name: '', version: '' }),
  })
  .catch({ protocolVersion: undefined, capabilities: {}, clientInfo: { name: '', version: '' } });

/** The `initialize` params of a client. */
export interface ClientInitializeParams {
  readonly protocolVersion: unknown;
  /** `modern` if our own programs initialized the session for a stateless client. */
  readonly era: Era;
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  /** Capabilities that it declared. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** The `clientInfo`, with unknown members. */
  readonly clientInfo: Readonly<Record<string, unknown>>;
}

export function readInitializeParams(params: unknown): ClientInitializeParams {
  const { protocolVersion, capabilities, clientInfo, _meta } = initializeParamsSchema.parse(params ?? {});
  const { name, version, title } = clientInfo;
  return {
    protocolVersion,
    era: _meta?.[hopKeys.era] === 'modern' ? 'modern' : 'legacy',
    name,
    version,
    capabilities,
    clientInfo,
    ...(title === undefined ? {} : { title }),
  };
}

/** Converts the params for the session's own servers: unchanged, but with the negotiated protocol version. */
export function toServerParams({
  protocolVersion,
  capabilities,
  clientInfo,
}: ClientInitializeParams): InitializeParams {
  return { protocolVersion: negotiateVersion(protocolVersion), capabilities, clientInfo };
}

/** A client that has sent `initialize`. */
export interface IdentifiedClient {
  readonly client: ClientInitializeParams;
  readonly profile: ClientProfile;
}

type State =
  | { readonly kind: 'new' }
  /** `greeted`: `initialize` was received but `initialized` was not, so no notification may be sent yet. */
  | (IdentifiedClient & { readonly kind: 'greeted' | 'initialized' })
  | { readonly kind: 'closed' };

/** Tracks the handshake between a session and its client. */
export class ClientHandshake {
  readonly #entryClientId: string | undefined;
  #state: State = { kind: 'new' };

  /** `entry` is the client id from the client's config entry, if any. */
  constructor(entryClientId: string | undefined) {
    this.#entryClientId = entryClientId;
  }

  /** Names of the client, most reliable first. */
  get names(): readonly string[] {
    return [this.#entryClientId, this.identified?.client.name].filter((name) => name !== undefined);
  }

  /** Undefined before `initialize`, and once the session has closed. */
  get identified(): IdentifiedClient | undefined {
    return 'client' in this.#state ? this.#state : undefined;
  }

  /** True if the client may be sent notifications. */
  get isInitialized(): boolean {
    return this.#state.kind === 'initialized';
  }

  /**
   * Marks `initialize` as received. Returns a function that undoes it if answering fails, unless the state
   * has changed since.
   */
  onInitialize(client: IdentifiedClient): () => void {
    const onInitialize = { kind: 'greeted', ...client } as const;
    this.#state = onInitialize;
    return () => {
      if (this.#state === onInitialize) this.#state = { kind: 'new' };
    };
  }

  /** Returns false if `initialize` was not answered before. */
  onInitialized(): boolean {
    if (this.#state.kind !== 'greeted') return false;
    this.#state = { ...this.#state, kind: 'initialized' };
    return true;
  }

  /** Returns false if the session was closed already. */
  close(): boolean {
    if (this.#state.kind === 'closed') return false;
    this.#state = { kind: 'closed' };
    return true;
  }
}
