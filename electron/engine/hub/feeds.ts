import type { HubView } from '../../../shared/model/hub/hub.ts';
import type { ServerView } from '../../../shared/model/server/server.ts';
import type { ToolSummary } from '../../../shared/model/tool/tool.ts';
import type { HubEvent } from '../../../shared/operations/events.ts';
import type { Clock } from '../base/clock.ts';
import { createCoalescer } from '../base/coalescer.ts';
import { type Disposable, Emitter, type Event } from '../base/emitter.ts';
import type { ConfigState } from '../config/contract.ts';
import type { HubListener } from './hub-listener.ts';
import { keysWithOtherTools } from './view/views.ts';

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
  readonly onServers: Event<HubEvent<'servers.changed'>>;
  readonly onTools: Event<HubEvent<'tools.changed'>>;
  markHub(): void;
  markServer(key: string): void;
  markTools(key: string): void;
}

/** Merges the changes of `milliseconds` into one event: a server in a crash loop then costs few events. */
export function createFeeds(clock: Clock, source: FeedSource, milliseconds = 50): Feeds {
  const hub = new Emitter<HubView>();
  const servers = new Emitter<HubEvent<'servers.changed'>>();
  const tools = new Emitter<HubEvent<'tools.changed'>>();
  const dirty = { hub: false, servers: new Set<string>(), tools: new Set<string>() };

  const coalescer = createCoalescer(clock, milliseconds, () => {
    const changed = { hub: dirty.hub, servers: [...dirty.servers], tools: [...dirty.tools] };
    dirty.hub = false;
    dirty.servers.clear();
    dirty.tools.clear();
    // Many changes come while servers start; without listeners, nothing is built.
    if (changed.hub && hub.hasListeners) hub.fire(source.hub());
    if (changed.servers.length > 0 && servers.hasListeners) {
      servers.fire({
        servers: changed.servers.flatMap((key) => source.server(key) ?? []),
        order: source.order(),
      });
    }
    if (changed.tools.length > 0 && tools.hasListeners) {
      tools.fire({ tools: Object.fromEntries(changed.tools.map((key) => [key, source.tools(key)])) });
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

/** Marks what changes of config, servers and hub change in the views. */
export function feedListener(
  feeds: Feeds,
): Pick<HubListener, 'configChanged' | 'serverChanged' | 'offerChanged' | 'hubChanged'> {
  let configured: ConfigState['servers'] = [];
  return {
    configChanged({ servers }) {
      for (const key of keysWithOtherTools(configured, servers)) feeds.markTools(key);
      for (const { key } of [...configured, ...servers]) feeds.markServer(key);
      configured = servers;
    },
    serverChanged: (key) => feeds.markServer(key),
    offerChanged(key) {
      feeds.markServer(key);
      feeds.markTools(key);
    },
    hubChanged: () => feeds.markHub(),
  };
}
