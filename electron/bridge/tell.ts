import { toRaw, type WireMessage } from '../engine/rpc/read-message.ts';
import { SENT, type Transport } from '../engine/rpc/transport.ts';

/** Says something to one side. A side that cannot be told has gone, and its transport says so. */
export function tell(transport: Transport, message: WireMessage, urgent = false): void {
  const sent = transport.send(message, undefined, urgent);
  if (sent !== SENT) sent.catch(ignore);
  holdBack(message, transport);
}

/** Whoever says more than the other side takes is not listened to for a while. */
export function holdBack(message: WireMessage, { congestion }: Transport): void {
  if (congestion !== undefined) toRaw(message).source?.hold(congestion);
}

const ignore = () => {};
