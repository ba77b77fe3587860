import { ConnectionClosedError } from './message.ts';

/** How a request ends on a connection that is not open, or that ends; `reason` is why it ended, if it has. */
export function closedError(
  reason: Error | undefined,
  isClosed: boolean,
  sent: boolean,
): ConnectionClosedError {
  if (!isClosed) return new ConnectionClosedError('The connection is not open', sent);
  if (reason === undefined) return new ConnectionClosedError('The connection is closed', sent);
  return new ConnectionClosedError(`The connection is closed: ${reason.message}`, sent, { cause: reason });
}

/** What a failed send means for its request; unless the transport knows better, it may have left. */
export function undeliverable(error: unknown): ConnectionClosedError {
  if (error instanceof ConnectionClosedError) return error;
  return new ConnectionClosedError('The request could not be sent', true, { cause: error });
}

export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
