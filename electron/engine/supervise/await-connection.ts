import { type Problem, ProblemError, problem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import type { Event } from '../base/emitter.ts';
import type { Connection, ServerState, SupervisedServer } from './contract.ts';

interface AwaitOptions {
  readonly server: Pick<SupervisedServer, 'key' | 'state'>;
  readonly changed: Event<ServerState>;
  readonly clock: Clock;
  readonly milliseconds: number;
}

/** The server's connection once it has one; rejects with `call.server_unavailable` at the limit or when none will come. */
export function awaitConnection({ server, changed, clock, milliseconds }: AwaitOptions): Promise<Connection> {
  const prospect = judge(server.state);
  if (prospect.kind === 'ready') return Promise.resolve(prospect.connection);
  if (prospect.kind === 'never' || milliseconds <= 0) return Promise.reject(unavailable(server));
  return new Promise((resolve, reject) => {
    const finish = () => {
      timer.dispose();
      subscription.dispose();
    };
    const timer = clock.after(milliseconds, () => {
      finish();
      reject(unavailable(server));
    });
    const subscription = changed((state) => {
      const next = judge(state);
      if (next.kind === 'wait') return;
      finish();
      if (next.kind === 'ready') resolve(next.connection);
      else reject(unavailable(server));
    });
  });
}

type Prospect =
  | { readonly kind: 'ready'; readonly connection: Connection }
  | { readonly kind: 'wait' | 'never' };

function judge(state: ServerState): Prospect {
  switch (state.status) {
    case 'connected':
    case 'degraded':
      return { kind: 'ready', connection: state.connection };
    case 'connecting':
    case 'disconnected':
      return { kind: 'wait' };
    case 'disabled':
    case 'needs-auth':
    case 'error':
      return { kind: 'never' };
  }
}

function unavailable({ key, state }: AwaitOptions['server']): ProblemError {
  const cause: Problem | undefined = 'problem' in state ? state.problem : undefined;
  const why = cause?.sentence ?? reasons[state.status] ?? 'it is not connected.';
  const known = problem(
    'call.server_unavailable',
    `The server "${key}" is not available: ${why}`,
    cause?.fix ?? fixes[state.status] ?? 'Wait a moment, then try again.',
    { server: key, status: state.status },
  );
  return new ProblemError({ ...known, evidence: [...known.evidence, ...(cause?.evidence ?? [])] });
}

const reasons: Readonly<Partial<Record<ServerState['status'], string>>> = {
  disabled: 'it is switched off.',
  connecting: 'it is still starting.',
};

const fixes: Readonly<Partial<Record<ServerState['status'], string>>> = {
  disabled: 'Switch it on in Patchbay.',
};
