import type { ClientView } from '../../../../shared/model/client/client.ts';
import type { ConnectClient } from '../../../../shared/model/client/connect.ts';

export const stepIds = ['server', 'client', 'call'] as const;
export type StepId = (typeof stepIds)[number];

/** `now` is the step to do; `later` waits for it. */
export interface Step {
  readonly id: StepId;
  readonly state: 'now' | 'later';
}

/** Progress so far. */
export interface Progress {
  readonly servers: number;
  /** Connected clients. */
  readonly clients: readonly Pick<ClientView, 'calls'>[];
  /** Clients on this computer that Patchbay has configured. */
  readonly known: readonly Pick<ConnectClient, 'status' | 'proof'>[];
}

/** Returns the missing steps to a successful call, in order; none once it was made. */
export function missingSteps({ servers, clients, known }: Progress): readonly Step[] {
  const proven =
    clients.some(({ calls }) => calls > 0) ||
    known.some(({ proof }) => proof?.ok === true && proof.tools !== 0);
  const connected = clients.length > 0 || known.some(({ status }) => status === 'connected');
  const done: Readonly<Record<StepId, boolean>> = { server: servers > 0, client: connected, call: proven };
  const missing = stepIds.filter((id) => !done[id]);
  return missing.map((id, index) => ({ id, state: index === 0 ? 'now' : 'later' }));
}
