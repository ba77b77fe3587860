import type { Instances } from '../../servers/contract.ts';
import type { CallCauses } from './call-causes.ts';
import type { EarlyRequests } from './early-requests.ts';
import type { Elicitations } from './elicitations.ts';
import type { LogLevels } from './log-levels.ts';
import type { ServerUsers } from './server-users.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { TaskIndex } from './task-index.ts';

/** State that links sessions and servers, used to route messages from one to the other. */
export interface SessionIndex {
  /** `one` means that the program has a single client, which gets everything that servers send. */
  readonly clients: 'one' | 'many';
  readonly causes: CallCauses;
  readonly serverUsers: ServerUsers;
  readonly levels: LogLevels;
  readonly subscriptions: Subscriptions;
  readonly elicitations: Elicitations;
  readonly tasks: TaskIndex;
  readonly earlyRequests: EarlyRequests;
  /** Servers with one instance per session have no shared process. */
  readonly instances: Pick<Instances, 'isolates'>;
}
