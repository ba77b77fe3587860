import type { HttpBindings } from '@hono/node-server';
import type { ApiCaller } from '../contract.ts';

/** What handlers find in their context. */
export interface ApiEnv {
  Bindings: HttpBindings;
  Variables: {
    /** Of requests with a body: it as it came. */
    body: Buffer;
    /** Of all but the open paths. */
    caller: ApiCaller;
  };
}
