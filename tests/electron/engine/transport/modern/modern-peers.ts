import {
  readMessage,
  toRaw,
  toValue,
  type WireMessage,
} from '../../../../../electron/engine/jsonrpc/read-message.ts';
import type { Transport, TransportHandlers } from '../../../../../electron/engine/jsonrpc/transport.ts';
import { ClientTranslator } from '../../../../../electron/engine/transport/modern/client/client-translator.ts';
import type { LegacyEra } from '../../../../../electron/engine/transport/modern/era.ts';
import { metaKeys } from '../../../../../electron/engine/transport/modern/protocol.ts';
import { StdioEraTransport } from '../../../../../electron/engine/transport/modern/stdio-era-transport.ts';
import { modernVersion } from '../../../../../shared/model/mcp.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';

// biome-ignore lint/suspicious/noExplicitAny: messages of tests are read member by member.
export type Json = any;

/** A pipe whose other end is the test. */
class ScriptedTransport implements Transport {
  readonly sent: Json[] = [];
  handlers: TransportHandlers | undefined;
  onSend: (message: Json) => void = () => {};

  async start(handlers: TransportHandlers): Promise<void> {
    this.handlers = handlers;
  }

  async send(message: WireMessage): Promise<void> {
    const value = structuredClone(toValue(message)) as Json;
    this.sent.push(value);
    this.onSend(value);
  }

  async close(): Promise<void> {
    this.handlers?.closed();
  }

  receive(message: Json): void {
    this.handlers?.message(toRaw({ jsonrpc: '2.0', ...message }));
  }

  /** Answers a request with a result, given as JSON. */
  receiveResult(id: number, result: string): void {
    const message = readMessage(Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":${result}}\n`));
    if (message !== undefined) this.handlers?.message(message);
  }
}

export const allCapabilities = { sampling: {}, elicitation: { form: {} }, roots: {} };

export function envelope(capabilities: object = allCapabilities, more: object = {}) {
  return {
    [metaKeys.version]: modernVersion,
    [metaKeys.capabilities]: capabilities,
    [metaKeys.clientInfo]: { name: 'test', version: '1' },
    ...more,
  };
}

/** A modern client before a session that the test plays: it answers the handshake, and what `on` says. */
export function modernClient(
  on: Record<string, (request: Json) => Json | undefined> = {},
  sessionCapabilities: Json = { tasks: {} },
) {
  const clock = new FakeClock();
  const translator = new ClientTranslator({ clock });
  const inner: Json[] = [];
  const initializeResult = {
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, ...sessionCapabilities },
    serverInfo: { name: 'hub', version: '1' },
    instructions: 'Be kind.',
  };
  void translator.start({
    message(wire) {
      const message = structuredClone(toValue(wire)) as Json;
      inner.push(message);
      const answer =
        message.method === 'initialize' ? { result: initializeResult } : on[message.method]?.(message);
      if (answer !== undefined && message.id !== undefined)
        queueMicrotask(() => {
          // Rejects once the connection is closed, as any transport does.
          translator.send(toRaw({ jsonrpc: '2.0', id: message.id, ...answer })).catch(() => {});
        });
    },
    closed() {},
  });
  /** Sends a request; what comes back is collected. */
  const request = (id: string | number, method: string, params: Json = {}, meta: object = envelope()) => {
    const received: Json[] = [];
    const message = toRaw({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } });
    const handle = translator.request(message, {
      async send(answer) {
        received.push(structuredClone(toValue(answer)));
      },
    });
    return { received, handle };
  };
  const lastCall = () => inner.findLast(({ method }) => method === 'tools/call');
  const say = (message: Json, relatedTo?: number) =>
    translator.send(toRaw({ jsonrpc: '2.0', ...message }), relatedTo);
  return { clock, translator, inner, request, lastCall, say };
}

export const discover = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
  instructions: 'hello',
  _meta: { [metaKeys.serverInfo]: { name: 's', version: '2' } },
};

/** The hub before a server that the test plays. */
export async function hubBefore(onDiscover: (id: number) => Json | undefined, known?: LegacyEra) {
  const clock = new FakeClock();
  const inner = new ScriptedTransport();
  inner.onSend = ({ method, id }) => {
    const answer = method === 'server/discover' ? onDiscover(id) : undefined;
    if (answer !== undefined) queueMicrotask(() => inner.receive({ id, ...answer }));
  };
  const transport = new StdioEraTransport(inner, { clock, known, clientInfo: { name: 'patchbay' } });
  const received: Json[] = [];
  const lost: Json[] = [];
  const reasons: Error[] = [];
  const started = transport.start({
    message: (message, relatedTo) => received.push({ ...structuredClone(toValue(message)), relatedTo }),
    requestLost(id, reason) {
      lost.push(id);
      reasons.push(reason);
    },
    closed() {},
  });
  const send = (message: Json) => transport.send(toRaw({ jsonrpc: '2.0', ...message }));
  const handshake = async () => {
    const capabilities = { elicitation: { form: {} } };
    await send({
      id: 1,
      method: 'initialize',
      params: { capabilities, clientInfo: { name: 'hub', version: '1' } },
    });
    await send({ method: 'notifications/initialized' });
  };
  return { clock, inner, transport, received, lost, reasons, started, send, handshake };
}

/** The hub before a stateless server; `capabilities` are added to those that it announces. */
export const modern = (capabilities: Json = {}) =>
  hubBefore(() => ({ result: { ...discover, capabilities: { ...discover.capabilities, ...capabilities } } }));
export const last = (list: Json[]) => list.at(-1);
