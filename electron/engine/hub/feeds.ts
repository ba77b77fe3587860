import type { IpcEvent } from '../../../shared/ipc/contract.ts';
import type { HubView } from '../../../shared/model/hub.ts';
import type { ServerView } from '../../../shared/model/server.ts';
import type { ToolSummary } from '../../../shared/model/tool.ts';
import type { Clock } from '../base/clock.ts';
import { createCoalescer } from '../base/coalescer.ts';
import { type Disposable, Emitter, type Event } from '../base/emitter.ts';

/** Provides the state that feeds send, read at the moment of sending. */
export interface FeedSource {
  hub(): HubView;
  /** Keys in config order. */
  order(): readonly string[];
  server(key: string): ServerView | undefined;
  tools(key: string): readonly ToolSummary[];
}

/** Sends changed state, batched. */
export interface Feeds extends Disposable {
  readonly onHub: Event<HubView>;
  readonly onServers: Event<IpcEvent<'servers.changed'>>;
  readonly onTools: Event<IpcEvent<'tools.changed'>>;
  markHub(): void;
  markServer(key: string): void;
  markTools(key: string): void;
}

/** Batches changes within `milliseconds`: a crash-looping server costs its listeners one event per window. */
export function createFeeds(clock: Clock, source: () => FeedSource, milliseconds = 50): Feeds {
  const hub = new Emitter<HubView>();
  const servers = new Emitter<IpcEvent<'servers.changed'>>();
  const tools = new Emitter<IpcEvent<'tools.changed'>>();
  const dirty = { hub: false, servers: new Set<string>(), tools: new Set<string>() };

  const coalescer = createCoalescer(clock, milliseconds, () => {
    const now = source();
    const changed = { hub: dirty.hub, servers: [...dirty.servers], tools: [...dirty.tools] };
    dirty.hub = false;
    dirty.servers.clear();
    dirty.tools.clear();
    // Many changes come while servers start; views nobody listens to are not built.
    if (changed.hub && hub.hasListeners) hub.fire(now.hub());
    if (changed.servers.length > 0 && servers.hasListeners) {
      servers.fire({ servers: changed.servers.flatMap((key) => now.server(key) ?? []), order: now.order() });
    }
    if (changed.tools.length > 0 && tools.hasListeners) {
      tools.fire({ tools: Object.fromEntries(changed.tools.map((key) => [key, now.tools(key)])) });
    }
  });

  return {
    onHub: hub.event,
    onServers: servers.event,
    onTools: tools.event,
    markHub: () => {
      dirty.hub = true;
      coalescer.mark();
    },
    markServer: (key) => {
      dirty.servers.add(key);
      coalescer.mark();
    },
    markTools: (key) => {
      dirty.tools.add(key);
      coalescer.mark();
    },
    dispose: () => {
      coalescer.dispose();
      hub.dispose();
      servers.dispose();
      tools.dispose();
    },
  };
}
