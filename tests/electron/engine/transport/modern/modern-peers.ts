import { toRaw, toValue, type WireMessage } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import type { Transport, TransportHandlers } from '../../../../../electron/engine/jsonrpc/transport.ts';
import { ClientTranslator } from '../../../../../electron/engine/transport/modern/client-translator.ts';
import { metaKeys } from '../../../../../electron/engine/transport/modern/protocol.ts';
import { modernVersion } from '../../../../../shared/model/mcp.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';

// biome-ignore lint/suspicious/noExplicitAny: messages of tests are read member by member.
export type Json = any;

/** A pipe whose other end is the test. */
export class ScriptedTransport implements Transport {
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
export function modernClient(on: Record<string, (request: Json) => Json | undefined> = {}) {
  const clock = new FakeClock();
  const translator = new ClientTranslator({ clock });
  const inner: Json[] = [];
  const initializeResult = {
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, tasks: {} },
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
