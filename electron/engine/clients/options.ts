import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { BridgeProgram } from './launcher/launcher.ts';
import type { Machine } from './machine.ts';
import type { NameRule } from './proof/name-rule.ts';
import type { ListedProcess } from './running/process-list.ts';
import type { HttpTarget } from './table/entry-shape.ts';

export interface ConnectorOptions {
  /** The data folder; it exists. */
  readonly dataDir: string;
  /** True if it is not the default data folder, so that the bridge needs its path. */
  readonly ownDataDir: boolean;
  readonly machine: Machine;
  readonly clock: Clock;
  readonly log: Logger;
  /** How to run the bridge; without it no client can be connected. */
  readonly bridge: BridgeProgram | undefined;
  /** The `.mcpb` bundle, if this program has one. */
  readonly bundle: string | undefined;
  /** Returns a client's limits for names and tools, by its `clientInfo.name`. */
  readonly rule: (clientName: string | undefined) => NameRule;
  /** Returns the HTTP endpoint. Throws ProblemError while there is none. */
  readonly endpoint: () => HttpTarget;
  readonly processes: () => Promise<readonly ListedProcess[]>;
}
