import { type Problem, ProblemError, problem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import type { Event } from '../base/emitter.ts';
import type { Connection, ServerState, SupervisedServer } from './contract.ts';

interface AwaitOptions {
  readonly server: Pick<SupervisedServer, 'key' | 'state'>;
  readonly changed: Event<ServerState>;
  readonly clock: Clock;
  readonly milliseconds: number;
  /** Returns the reason why no connections are given out any more, if there is one. */
  readonly refusal: () => Problem | undefined;
}

/**
 * Waits for the server's connection. Rejects with `call.server_unavailable` at the timeout, or when no
 * connection will come.
 */
export function awaitConnection(options: AwaitOptions): Promise<Connection> {
  const { server, changed, clock, milliseconds } = options;
  const deadline = clock.now() + milliseconds;
  const availability = checkAvailability(options, deadline);
  if (availability.kind === 'ready') return Promise.resolve(availability.connection);
  if (availability.kind === 'never') return Promise.reject(availability.error);
  if (milliseconds <= 0) return Promise.reject(unavailable(server));
  return new Promise((resolve, reject) => {
    const finish = () => {
      timer.dispose();
      subscription.dispose();
    };
    const timer = clock.after(milliseconds, () => {
      finish();
      reject(unavailable(server));
    });
    const subscription = changed(() => {
      const next = checkAvailability(options, deadline);
      if (next.kind === 'wait') return;
      finish();
      if (next.kind === 'ready') resolve(next.connection);
      else reject(next.error);
    });
  });
}

type Availability =
  | { readonly kind: 'ready'; readonly connection: Connection }
  | { readonly kind: 'wait' }
  | { readonly kind: 'never'; readonly error: ProblemError };

/** Tells whether a connection is available, possible before the deadline, or impossible. */
function checkAvailability({ server, refusal }: AwaitOptions, deadline: number): Availability {
  const refused = refusal();
  if (refused !== undefined) return { kind: 'never', error: new ProblemError(refused) };
  const { state } = server;
  if ('connection' in state) return { kind: 'ready', connection: state.connection };
  return mayConnect(state, deadline) ? { kind: 'wait' } : { kind: 'never', error: unavailable(server) };
}

function mayConnect(state: ServerState, deadline: number): boolean {
  if (state.status === 'error') return state.nextTryAt !== undefined && state.nextTryAt <= deadline;
  return state.status === 'connecting' || state.status === 'disconnected';
}

function unavailable({ key, state }: AwaitOptions['server']): ProblemError {
  const cause: Problem | undefined = 'problem' in state ? state.problem : undefined;
  const why = cause?.sentence ?? reasons[state.status] ?? 'it is not connected.';
  const base = problem(
    'call.server_unavailable',
    `The server "${key}" is not available: ${why}`,
    cause?.fix ?? fixes[state.status] ?? 'Wait a moment, then try again.',
    { server: key, status: state.status },
  );
  return new ProblemError({ ...base, evidence: [...base.evidence, ...(cause?.evidence ?? [])] });
}

const reasons: Readonly<Partial<Record<ServerState['status'], string>>> = {
  disabled: 'it is turned off.',
  connecting: 'it is still starting.',
};

const fixes: Readonly<Partial<Record<ServerState['status'], string>>> = {
  disabled: 'Turn it on in Patchbay.',
};
