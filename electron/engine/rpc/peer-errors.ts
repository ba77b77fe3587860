import { ConnectionClosedError } from './message.ts';

/**
 * Creates the error for a request on a connection that is not open or has ended; `reason` is why it ended, if
 * known.
 */
export function closedError(
  reason: Error | undefined,
  isClosed: boolean,
  sent: boolean,
): ConnectionClosedError {
  if (!isClosed) return new ConnectionClosedError('The connection is not open', sent);
  if (reason === undefined) return new ConnectionClosedError('The connection is closed', sent);
  return new ConnectionClosedError(`The connection is closed: ${reason.message}`, sent, { cause: reason });
}

/** Converts the error of a failed send. Unless the transport knows better, the request may have been sent. */
export function toDeliveryError(error: unknown): ConnectionClosedError {
  if (error instanceof ConnectionClosedError) return error;
  return new ConnectionClosedError('The request could not be sent', true, { cause: error });
}

export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
