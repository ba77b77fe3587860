import type { Disposable } from '../port/disposable.ts';
import { busObject, DbusConnection } from './dbus-connection.ts';

/** Knows whether the desktop shows tray icons at all; not every Linux desktop does. */
export interface TrayHost extends Disposable {
  readonly present: boolean;
}

/** macOS and Windows always have one. */
export const certainTrayHost: TrayHost = { present: true, dispose: () => {} };

export interface TrayHostOptions {
  /** Value of `DBUS_SESSION_BUS_ADDRESS`. */
  readonly address: string | undefined;
  /**
   * Called when a host appears later, or again after a restart of the panel: icons created before are gone.
   */
  readonly onAppear: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Follows the StatusNotifier host of a Linux session; resolves when its state is known. Without a session bus
 * there is none.
 */
export async function watchTrayHost(options: TrayHostOptions): Promise<TrayHost> {
  const watch = new HostWatch(options);
  await watch.start();
  return watch;
}

type HostState =
  | { readonly kind: 'off' }
  | { readonly kind: 'absent' | 'present'; readonly bus: DbusConnection };

class HostWatch implements TrayHost {
  #state: HostState = { kind: 'off' };
  readonly #options: TrayHostOptions;

  constructor(options: TrayHostOptions) {
    this.#options = options;
  }

  get present(): boolean {
    return this.#state.kind === 'present';
  }

  /** Resolves at the latest when the connection has ended. */
  start(): Promise<void> {
    const { address, onError } = this.#options;
    return new Promise((resolve) => {
      const fail = (error: unknown) => {
        this.#state = { kind: 'off' };
        onError(error);
        resolve();
      };
      try {
        if (!address) throw new Error('There is no session bus.');
        const bus = new DbusConnection({
          address,
          onSignal: ({ member }) => this.#onBusSignal(bus, member),
          onEnd: fail,
        });
        this.#state = { kind: 'absent', bus };
        for (const rule of matchRules) void bus.call({ ...busObject, member: 'AddMatch', args: [rule] });
        void this.#check(bus, () => {}).then(resolve);
      } catch (error) {
        fail(error);
      }
    });
  }

  dispose(): void {
    if (this.#state.kind !== 'off') this.#state.bus.dispose();
    this.#state = { kind: 'off' };
  }

  #onBusSignal(bus: DbusConnection, member: string | undefined): void {
    // The bus also sends other signals, for example about our own name.
    if (this.#state.kind === 'off' || member === undefined || !hostSignals.has(member)) return;
    // A new owner of the name does not know icons created before.
    if (member === 'NameOwnerChanged') this.#state = { kind: 'absent', bus };
    void this.#check(bus, this.#options.onAppear);
  }

  async #check(bus: DbusConnection, onAppear: () => void): Promise<void> {
    const there = (await bus.call(isHostRegistered)).flag === true;
    if (this.#state.kind === 'off') return;
    const appears = there && this.#state.kind === 'absent';
    this.#state = { kind: there ? 'present' : 'absent', bus };
    if (appears) onAppear();
  }
}

const watcher = 'org.kde.StatusNotifierWatcher';

/** If nobody owns the name, the reply is an error without a flag. */
const isHostRegistered = {
  destination: watcher,
  path: '/StatusNotifierWatcher',
  interface: 'org.freedesktop.DBus.Properties',
  member: 'Get',
  args: [watcher, 'IsStatusNotifierHostRegistered'],
} as const;

const hostSignals: ReadonlySet<string> = new Set([
  'NameOwnerChanged',
  'StatusNotifierHostRegistered',
  'StatusNotifierHostUnregistered',
]);

const matchRules = [
  `type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='${watcher}'`,
  `type='signal',interface='${watcher}',member='StatusNotifierHostRegistered'`,
  `type='signal',interface='${watcher}',member='StatusNotifierHostUnregistered'`,
];
