import { isRecord } from '../../../../../shared/json.ts';
import { protocolVersions } from '../../../../../shared/model/mcp.ts';
import { type JsonRpcErrorObject, rpcErrorCodes } from '../../../jsonrpc/message.ts';
import type { RawMessage } from '../../../jsonrpc/raw-message.ts';
import { type Envelope, readEnvelope, supportedVersions } from '../envelope.ts';
import { hopKeys, metaKeys } from '../protocol.ts';
import { withTasksExtension } from '../task-shapes.ts';

export interface ClientInitializationOptions {
  /** Sends a request to the session. */
  readonly ask: (
    method: string,
    params: Readonly<Record<string, unknown>>,
    onAnswer: (answer: RawMessage) => void,
  ) => void;
  /** Called when the session has answered, to confirm it. */
  readonly confirm: () => void;
}

export type InitializeOutcome =
  | { readonly result: Readonly<Record<string, unknown>> }
  | { readonly error: JsonRpcErrorObject };

/** Initializes the session behind a stateless client, once, for everything that such a client may be able to do. */
export class ClientInitialization {
  readonly #options: ClientInitializationOptions;
  #running: Promise<InitializeOutcome> | undefined;
  #done: InitializeOutcome | undefined;

  constructor(options: ClientInitializationOptions) {
    this.#options = options;
  }

  /** The outcome, once the session is initialized. */
  get done(): InitializeOutcome | undefined {
    return this.#done;
  }

  /** Initializes the session for the client of this request; resolves whether or not that works. */
  async prepare(message: RawMessage): Promise<void> {
    const envelope = readEnvelope(message);
    if (!('error' in envelope)) await this.run(envelope);
  }

  /** After a failure, the next request tries again. */
  run({ clientInfo, capabilities }: Envelope): Promise<InitializeOutcome> {
    this.#running ??= new Promise((resolve) => {
      const params = {
        protocolVersion: protocolVersions[0],
        capabilities: {
          ...sessionCapabilities,
          ...(capabilities.extensions === undefined ? {} : { extensions: capabilities.extensions }),
        },
        clientInfo: clientInfo ?? { name: 'unknown', version: '0' },
        _meta: { [hopKeys.era]: 'modern' },
      };
      this.#options.ask('initialize', params, (answer) => resolve(this.#end(answer)));
    });
    return this.#running;
  }

  #end(answer: RawMessage): InitializeOutcome {
    if (answer.kind === 'result' && isRecord(answer.result)) {
      this.#done = { result: answer.result };
      this.#options.confirm();
      return this.#done;
    }
    this.#running = undefined;
    return { error: answer.error ?? { code: rpcErrorCodes.internalError, message: 'No session' } };
  }
}

/** Returns the result of `server/discover` for the result of `initialize`. */
export function discoverResult({
  capabilities,
  serverInfo,
  instructions,
}: Readonly<Record<string, unknown>>): object {
  return {
    resultType: 'complete',
    supportedVersions,
    capabilities: modernCapabilities(capabilities),
    ...(instructions === undefined ? {} : { instructions }),
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { [metaKeys.serverInfo]: serverInfo },
  };
}

/** Tasks of the session-based protocol are an extension in the stateless one. */
function modernCapabilities(capabilities: unknown): unknown {
  if (!isRecord(capabilities)) return {};
  const { tasks, ...others } = capabilities;
  const requests = isRecord(tasks) && isRecord(tasks.requests) ? tasks.requests : {};
  return isRecord(requests.tools) && isRecord(requests.tools.call) ? withTasksExtension(others) : others;
}

const sessionCapabilities = {
  sampling: { context: {}, tools: {} },
  elicitation: { form: {}, url: {} },
  roots: {},
};
