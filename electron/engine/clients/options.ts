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
  /** It is not the one that a bridge looks for by itself. */
  readonly ownDataDir: boolean;
  readonly machine: Machine;
  readonly clock: Clock;
  readonly log: Logger;
  /** How the bridge is run here; without it nothing can be connected. */
  readonly bridge: BridgeProgram | undefined;
  /** The `.mcpb` bundle, where this program has one. */
  readonly bundle: string | undefined;
  /** What a client takes of names and tools, by its `clientInfo.name`. */
  readonly rule: (clientName: string | undefined) => NameRule;
  /** The HTTP endpoint. Throws ProblemError while there is none. */
  readonly endpoint: () => HttpTarget;
  readonly processes: () => Promise<readonly ListedProcess[]>;
}
