import type { ClientView } from '../../../../shared/model/client.ts';
import type { ConnectClient } from '../../../../shared/model/connect.ts';

export const stepIds = ['server', 'client', 'call'] as const;
export type StepId = (typeof stepIds)[number];

/** `now` is what there is to do; `later` waits for the one before it. */
export interface Step {
  readonly id: StepId;
  readonly state: 'now' | 'later';
}

/** What is known of how far somebody has come. */
export interface Progress {
  readonly servers: number;
  /** Live sessions. */
  readonly clients: readonly Pick<ClientView, 'calls'>[];
  /** Clients of this machine, as far as we wrote to them. */
  readonly known: readonly Pick<ConnectClient, 'status' | 'proof'>[];
}

/** The steps to a proven call that are missing, in their order; none when it has been made. */
export function missingSteps({ servers, clients, known }: Progress): readonly Step[] {
  const proven =
    clients.some(({ calls }) => calls > 0) ||
    known.some(({ proof }) => proof?.ok === true && proof.tools !== 0);
  const connected = clients.length > 0 || known.some(({ status }) => status === 'connected');
  const done: Readonly<Record<StepId, boolean>> = { server: servers > 0, client: connected, call: proven };
  const missing = stepIds.filter((id) => !done[id]);
  return missing.map((id, index) => ({ id, state: index === 0 ? 'now' : 'later' }));
}
