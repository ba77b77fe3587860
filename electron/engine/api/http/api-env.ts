import type { HttpBindings } from '@hono/node-server';
import type { ApiCaller } from '../contract.ts';

/** Values in the context of handlers. */
export interface ApiEnv {
  Bindings: HttpBindings;
  Variables: {
    /** The raw body of requests that have one. */
    body: Buffer;
    /** Absent on open paths. */
    caller: ApiCaller;
  };
}
