import type { Connector } from '../clients/contract.ts';

/** The part of the engine that connects clients. */
export interface ConnectEngine {
  readonly connect: Omit<Connector, 'dispose'>;
}
