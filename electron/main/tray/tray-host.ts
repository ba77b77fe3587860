import type { Message, MessageBus } from 'dbus-next';
import type { Disposable } from '../port/disposable.ts';

/** Whether the desktop shows tray icons at all, which on Linux not every desktop does. */
export interface TrayHost extends Disposable {
  readonly present: boolean;
}

/** macOS and Windows always have one. */
export const certainTrayHost: TrayHost = { present: true, dispose: () => {} };

/**
 * Follows the StatusNotifier host of a Linux session. `onAppear` runs when one comes up later, also again after a
 * restart of the panel: an icon made before it is lost. Without a session bus there is none.
 */
export async function watchTrayHost(
  onAppear: () => void,
  onError: (error: unknown) => void,
): Promise<TrayHost> {
  try {
    return await connect(onAppear, onError);
  } catch (error) {
    onError(error);
    return { present: false, dispose: () => {} };
  }
}

async function connect(onAppear: () => void, onError: (error: unknown) => void): Promise<TrayHost> {
  if (!process.env.DBUS_SESSION_BUS_ADDRESS) throw new Error('There is no D-Bus session.');
  // Loaded only where it is needed: it would slow down every start.
  const dbus = await import('dbus-next');
  const bus = dbus.sessionBus();
  const watch = new HostWatch(bus, (fields) => new dbus.Message(fields), onAppear);
  bus.on('error', (error) => {
    watch.dispose();
    onError(error);
  });
  bus.on('message', (message) => void watch.hear(message).catch(onError));
  await watch.begin();
  return watch;
}

type MessageFields = ConstructorParameters<typeof Message>[0];

class HostWatch implements TrayHost {
  #state: 'absent' | 'present' | 'closed' = 'absent';
  readonly #bus: MessageBus;
  readonly #message: (fields: MessageFields) => Message;
  readonly #onAppear: () => void;

  constructor(bus: MessageBus, message: (fields: MessageFields) => Message, onAppear: () => void) {
    this.#bus = bus;
    this.#message = message;
    this.#onAppear = onAppear;
  }

  get present(): boolean {
    return this.#state === 'present';
  }

  async begin(): Promise<void> {
    for (const rule of matchRules) await this.#callBus('AddMatch', rule);
    this.#set((await this.#hostRegistered()) ? 'present' : 'absent');
  }

  async hear({ member, body }: Message): Promise<void> {
    const owner = member === 'NameOwnerChanged' && body[0] === watcher;
    if (owner) this.#set('absent');
    if (owner || member === 'StatusNotifierHostRegistered' || member === 'StatusNotifierHostUnregistered')
      await this.#look();
  }

  dispose(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#bus.disconnect();
  }

  async #look(): Promise<void> {
    const there = await this.#hostRegistered();
    const appears = there && this.#state === 'absent';
    this.#set(there ? 'present' : 'absent');
    if (appears) this.#onAppear();
  }

  #set(state: 'absent' | 'present'): void {
    if (this.#state !== 'closed') this.#state = state;
  }

  /** False as well when nobody owns the watcher's name: the bus answers with an error. */
  async #hostRegistered(): Promise<boolean> {
    try {
      const answer = await this.#bus.call(
        this.#message({
          destination: watcher,
          path: '/StatusNotifierWatcher',
          interface: 'org.freedesktop.DBus.Properties',
          member: 'Get',
          signature: 'ss',
          body: [watcher, 'IsStatusNotifierHostRegistered'],
        }),
      );
      return answer?.body[0]?.value === true;
    } catch {
      return false;
    }
  }

  async #callBus(member: string, argument: string): Promise<void> {
    await this.#bus.call(
      this.#message({
        destination: busName,
        path: '/org/freedesktop/DBus',
        interface: busName,
        member,
        signature: 's',
        body: [argument],
      }),
    );
  }
}

const busName = 'org.freedesktop.DBus';
const watcher = 'org.kde.StatusNotifierWatcher';
const matchRules = [
  `type='signal',sender='${busName}',member='NameOwnerChanged',arg0='${watcher}'`,
  `type='signal',interface='${watcher}',member='StatusNotifierHostRegistered'`,
  `type='signal',interface='${watcher}',member='StatusNotifierHostUnregistered'`,
];
