import type { Instances } from '../supervise/instances-contract.ts';
import type { Arrivals } from './arrivals.ts';
import type { Elicitations } from './elicitations.ts';
import type { Flights } from './flights.ts';
import type { LogLevels } from './log-levels.ts';
import type { ServerUsers } from './server-users.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { Tasks } from './tasks.ts';

/** What is remembered of sessions and servers to lead messages from the one to the other. */
export interface Ledgers {
  /** `one`: the program has a single client for life, and whatever servers say is for it. */
  readonly clients: 'one' | 'many';
  readonly flights: Flights;
  readonly users: ServerUsers;
  readonly levels: LogLevels;
  readonly subscriptions: Subscriptions;
  readonly elicitations: Elicitations;
  readonly tasks: Tasks;
  readonly arrivals: Arrivals;
  /** A server that sessions have instances of is nobody's itself. */
  readonly instances: Pick<Instances, 'isolates'>;
}

/** For what cannot be told because its receiver is going: there is nobody to tell that. */
export function ignore(): void {}
