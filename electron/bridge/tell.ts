import { toRaw, type WireMessage } from '../engine/rpc/read-message.ts';
import { SENT, type Transport } from '../engine/rpc/transport.ts';

/** Sends a message to one side. Failures are ignored, since the transport reports that the side has gone. */
export function sendMessage(transport: Transport, message: WireMessage, urgent = false): void {
  const sent = transport.send(message, undefined, urgent);
  if (sent !== SENT) sent.catch(ignore);
  applyBackpressure(message, transport);
}

/** Pauses reading from a sender that sends more than the other side accepts. */
export function applyBackpressure(message: WireMessage, { congestion }: Transport): void {
  if (congestion !== undefined) toRaw(message).source?.pauseUntil(congestion);
}

const ignore = () => {};
