import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { Router } from '../routing/router.ts';
import type { Caller, SessionEndpoint, SessionTasks } from '../routing/server-requests/contract.ts';
import type { ServerRequests } from '../routing/server-requests/server-requests.ts';
import { testerInitializeParams, testerSession } from '../routing/tester-session.ts';
import type { Instances } from '../servers/contract.ts';
import type { Questions } from './questions.ts';

export interface TesterSessionsOptions {
  readonly serverRequests: ServerRequests;
  readonly router: Router;
  readonly instances: Pick<Instances, 'isolates'>;
  readonly questions: Questions;
  readonly clock: Clock;
  readonly version: string;
}

/** The tester's session at one server, until disposed. */
export interface TesterSession extends Disposable {
  readonly router: Router;
  readonly caller: Caller;
  readonly tasks: SessionTasks;
}

interface OpenSession {
  readonly endpoint: SessionEndpoint;
  readonly caller: Caller;
  runs: number;
  /** Ends the session; set while it has no runs. */
  idle: Disposable | undefined;
}

/**
 * The tester as a client, with one session per server so that it is clear which server sends a request. Joins
 * only as long as needed: more can be asked of a client that is alone with a server.
 */
export class TesterSessions implements Disposable {
  readonly #sessions = new Map<string, OpenSession>();
  /**
   * One per server for good: a server may still work on a run of an ended session and send its request to the
   * next one.
   */
  readonly #callers = new Map<string, Caller>();
  readonly #options: TesterSessionsOptions;

  constructor(options: TesterSessionsOptions) {
    this.#options = options;
  }

  /** Returns the session for a run; dispose it when the run has ended. */
  open(serverKey: string): TesterSession {
    const session = this.#sessions.get(serverKey) ?? this.#join(serverKey);
    session.runs += 1;
    session.idle?.dispose();
    session.idle = undefined;
    const { caller, endpoint } = session;
    const { router } = this.#options;
    return { router, caller, tasks: endpoint.tasks, dispose: () => this.#release(serverKey, session) };
  }

  dispose(): void {
    for (const key of [...this.#sessions.keys()]) this.#end(key);
  }

  #join(serverKey: string): OpenSession {
    const { serverRequests } = this.#options;
    const caller = this.#callers.get(serverKey) ?? this.#caller(serverKey);
    this.#callers.set(serverKey, caller);
    const endpoint = serverRequests.join(caller);
    const session = { endpoint, caller, runs: 0, idle: undefined };
    this.#sessions.set(serverKey, session);
    return session;
  }

  #caller(serverKey: string): Caller {
    const { questions, version } = this.#options;
    return {
      sessionId: testerSession(serverKey),
      only: serverKey,
      initializeParams: () => testerInitializeParams(version),
      sees: () => true,
      ask: (question) => questions.ask(serverKey, question),
      // Messages of servers are in their logs and lists already.
      notify: () => {},
      onListingChanged: () => {},
    };
  }

  #release(serverKey: string, session: OpenSession): void {
    session.runs -= 1;
    if (session.runs > 0) return;
    this.#options.questions.closeAll(serverKey);
    // An isolated process keeps its state for the next run.
    if (!this.#options.instances.isolates(serverKey)) this.#end(serverKey);
    else session.idle = this.#options.clock.after(isolatedIdleMs, () => this.#end(serverKey));
  }

  #end(serverKey: string): void {
    const session = this.#sessions.get(serverKey);
    this.#sessions.delete(serverKey);
    session?.idle?.dispose();
    session?.endpoint.dispose();
  }
}

/** Milliseconds that an isolated process of the tester outlives its last run. */
const isolatedIdleMs = 10 * 60_000;
