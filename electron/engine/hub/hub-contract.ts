import type { AccessView, ApprovalRequest } from '../../../shared/model/access/access.ts';
import type { ActivityAdded } from '../../../shared/model/activity/activity.ts';
import type { AuditNote } from '../../../shared/model/activity/audit.ts';
import type { ActiveCall } from '../../../shared/model/activity/call.ts';
import type { ClientView } from '../../../shared/model/client/client.ts';
import type { ProfilesView } from '../../../shared/model/client/profile.ts';
import type { HubView } from '../../../shared/model/hub/hub.ts';
import type { HealthSample } from '../../../shared/model/server/health.ts';
import type { LogLine, ProcessUsage, ServerView } from '../../../shared/model/server/server.ts';
import type { ToolSummary } from '../../../shared/model/tool/tool.ts';
import type { HubEvent, HubEventName } from '../../../shared/operations/events.ts';
import type { OperationInput, OperationName, OperationOutput } from '../../../shared/operations/table.ts';
import type { Settings } from '../../../shared/schema/settings.ts';
import type { Disposable, Event } from '../base/emitter.ts';
import type { ProgramFacts } from '../support/sections.ts';

export type RunOperation = <N extends OperationName>(
  name: N,
  input: OperationInput<N>,
  /** Names the actor for the audit log; `window` by default. */
  by?: string,
) => Promise<OperationOutput<N>>;

/**
 * A running hub: servers, catalogue, endpoints. The window, the tray, commands and REST do everything through
 * its operations. Views are plain data; events carry the changed views.
 */
export interface Hub {
  /** Runs an operation of the table and records it in the audit log. Rejects with ProblemError. */
  readonly run: RunOperation;
  readonly events: HubEvents;

  view(): HubView;
  servers(): readonly ServerView[];
  tools(): readonly ToolSummary[];
  clients(): readonly ClientView[];
  access(): AccessView;
  approvals(): readonly ApprovalRequest[];
  profiles(): ProfilesView;
  /** Lists client requests that servers are working on. */
  activeCalls(): readonly ActiveCall[];
  /**
   * Returns URL and bearer token of the HTTP endpoint, for the clipboard only; throws `hub.port_in_use` if it
   * is not served.
   */
  connection(): { readonly url: string; readonly token: string };
  /** Returns a text with everything needed to find a fault, without secrets. Nothing is sent or written. */
  support(program: ProgramFacts): Promise<string>;

  watchLog(key: string, listener: (lines: readonly LogLine[]) => void): Disposable;
  watchHealth(key: string, listener: (samples: readonly HealthSample[]) => void): Disposable;
  /** Samples the memory of every server's process tree while at least one listener is subscribed. */
  readonly watchUsage: Event<readonly ProcessUsage[]>;
  readonly watchActivity: Event<ActivityAdded>;

  /** Applies changed settings to the hub. */
  applySettings(from: Settings, to: Settings): Promise<void>;
  applyAskDestructive(isOn: boolean): void;
  note(note: AuditNote): void;
  /**
   * Checks the files that Patchbay has written to; `connect.changed` reports entries that were removed or
   * changed.
   */
  checkClients(): Promise<void>;
  /** Checks every running server now, after the machine woke up or its network changed. */
  wokeUp(): void;
  /** Accepts no new calls; resolves when active calls have been answered, or after `milliseconds`. */
  drain(milliseconds: number): Promise<void>;
  /** Cancels a drain: calls are accepted again. */
  resume(): void;
  /** Answers pending calls, ends all servers and sessions, releases the folder; idempotent. */
  stop(): Promise<void>;
}

/** Events that follow a watched server or cost something to watch; `Hub` has a method for each of them. */
type WatchedEventName = 'server.log' | 'server.health' | 'process.usage' | 'activity.added';

export type StateEventName = Exclude<HubEventName, WatchedEventName>;

/** One event for each part of the hub's state, with the changed state. */
export type HubEvents = { readonly [N in StateEventName]: Event<HubEvent<N>> };
