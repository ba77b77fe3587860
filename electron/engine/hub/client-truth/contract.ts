import type { ClientDetail, ClientWeight, KnownClient } from '../../../../shared/model/client-detail.ts';

/** The part of the engine that knows what each client has received and would get now. */
export interface ClientTruthEngine {
  readonly clientTruth: {
    /** Rejects with `client.gone`, like everything below. */
    detail(id: string): Promise<ClientDetail>;
    /** Rejects with `client.not_weighed`. */
    weigh(id: string): Promise<ClientWeight>;
    notify(id: string): void;
    known(): Promise<readonly KnownClient[]>;
  };
}
