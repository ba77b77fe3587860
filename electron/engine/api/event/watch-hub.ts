import type { Disposable } from '../../base/emitter.ts';
import type { ApiPorts } from '../contract.ts';
import { serverInfo } from '../route/server-answer.ts';
import type { EventLog } from './event-log.ts';

/** Notes in the log what happens in the hub, from now on. */
export function watchEngine(ports: ApiPorts, log: EventLog): Disposable {
  const { hub } = ports;
  const states = new States(ports, log);
  const tools = new Tools(ports, log);
  const circuits = new OpenCircuits(ports, log);
  const heard = [
    hub.onServers(() => states.look()),
    hub.onTools(() => tools.look()),
    ports.onCircuits((key) => circuits.look(key)),
    ports.onCompleted((call) => {
      const { correlationId, serverKey, tool, success, milliseconds, attempts, identityId } = call;
      log.add(
        'mcp.invocation_completed',
        { serverKey, tool, identityId },
        {
          correlation_id: correlationId,
          server_id: serverKey,
          tool_name: tool,
          success,
          latency_ms: milliseconds,
          attempts,
        },
      );
    }),
  ];
  return {
    dispose() {
      for (const subscription of heard) subscription.dispose();
    },
  };
}

/** Reports changes of server states. */
class States {
  readonly #ports: ApiPorts;
  readonly #log: EventLog;
  #known: ReadonlyMap<string, string>;

  constructor(ports: ApiPorts, log: EventLog) {
    this.#ports = ports;
    this.#log = log;
    this.#known = this.#now();
  }

  look(): void {
    const before = this.#known;
    this.#known = this.#now();
    for (const [key, status] of this.#known) {
      const previous = before.get(key);
      if (previous !== status) this.#tell(key, status, previous);
    }
    for (const [key, previous] of before) if (!this.#known.has(key)) this.#tell(key, 'REMOVED', previous);
  }

  #tell(key: string, status: string, previous: string | undefined): void {
    this.#log.add(
      'mcp.server_state_changed',
      { serverKey: key },
      { server_id: key, status, ...(previous === undefined ? {} : { previous }) },
    );
  }

  #now(): ReadonlyMap<string, string> {
    const views = this.#ports.hub.servers();
    return new Map(views.map((view) => [view.key, serverInfo({ id: '', key: view.key }, view).status]));
  }
}

/** Reports new tools. */
class Tools {
  readonly #ports: ApiPorts;
  readonly #log: EventLog;
  #known: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(ports: ApiPorts, log: EventLog) {
    this.#ports = ports;
    this.#log = log;
    this.#known = this.#now();
  }

  look(): void {
    const before = this.#known;
    this.#known = this.#now();
    for (const [key, names] of this.#known) {
      const known = before.get(key);
      for (const name of names) {
        if (known?.has(name)) continue;
        const about = { serverKey: key, tool: name };
        this.#log.add('mcp.tool_registered', about, { server_id: key, tool_name: name });
      }
    }
  }

  #now(): ReadonlyMap<string, ReadonlySet<string>> {
    const servers = new Map<string, Set<string>>();
    for (const { serverKey, name } of this.#ports.hub.tools()) {
      const names = servers.get(serverKey);
      if (names === undefined) servers.set(serverKey, new Set([name]));
      else names.add(name);
    }
    return servers;
  }
}

class OpenCircuits {
  readonly #ports: ApiPorts;
  readonly #log: EventLog;
  readonly #known = new Map<string, ReadonlySet<string>>();

  constructor(ports: ApiPorts, log: EventLog) {
    this.#ports = ports;
    this.#log = log;
    for (const { serverKey } of ports.hub.breakers()) this.#known.set(serverKey, this.#openOf(serverKey));
  }

  look(key: string): void {
    const before = this.#known.get(key);
    const open = this.#openOf(key);
    if (open.size === 0) this.#known.delete(key);
    else this.#known.set(key, open);
    for (const tool of open) {
      if (before?.has(tool)) continue;
      this.#log.add('mcp.circuit_opened', { serverKey: key, tool }, { server_id: key, tool_name: tool });
    }
  }

  #openOf(key: string): ReadonlySet<string> {
    const circuits = this.#ports.hub.breakers();
    return new Set(
      circuits.flatMap(({ serverKey, tool, state }) => (serverKey === key && state === 'open' ? [tool] : [])),
    );
  }
}
