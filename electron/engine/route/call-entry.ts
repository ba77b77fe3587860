import type { Decision } from '../../../shared/model/access.ts';
import type { RpcError } from '../rpc/message.ts';
import type { RawMessage, RawRequest } from '../rpc/raw-message.ts';
import type {
  CallListener,
  CallOutcome,
  CallRecord,
  RouteRequest,
  ToolAddress,
  UnroutableCall,
} from './contract.ts';
import type { Route } from './locate.ts';

/** The mutable side of a {@link CallRecord}. */
export class CallEntry implements CallRecord {
  readonly id: number;
  readonly sessionId: string;
  readonly serverKey: string;
  readonly method: string;
  readonly name: string | undefined;
  readonly request: RawRequest;
  readonly startedAt: number;
  attempts = 0;
  fallback: ToolAddress | undefined;
  skipped: string[] | undefined;
  decision: Decision | undefined;
  repeated = false;
  outcome: CallOutcome | undefined;
  endedAt: number | undefined;
  answer: RawMessage | undefined;
  error: RpcError | undefined;

  constructor(
    id: number,
    { sessionId, message }: RouteRequest,
    { serverKey, name }: Route,
    startedAt: number,
  ) {
    this.id = id;
    this.sessionId = sessionId;
    this.serverKey = serverKey;
    this.method = message.method;
    this.name = name;
    this.request = message;
    this.startedAt = startedAt;
  }
}

/**
 * Wraps a listener so that its exceptions are thrown in a microtask of their own and never reach the call.
 */
export function isolateErrors(listener: CallListener): CallListener {
  const isolated =
    <T>(listen: (event: T) => void) =>
    (event: T) => {
      try {
        listen(event);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    };
  return {
    started: isolated((call: CallRecord) => listener.started(call)),
    ended: isolated((call: CallRecord) => listener.ended(call)),
    unroutable: isolated((unroutable: UnroutableCall) => listener.unroutable?.(unroutable)),
  };
}
