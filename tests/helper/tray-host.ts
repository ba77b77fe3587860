import dbus, { type Message, type Variant } from 'dbus-next';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';

/** A line of a tray's menu as the desktop is told it, sub-menus laid flat. */
export interface MenuEntry {
  readonly id: number;
  readonly label: string;
  readonly enabled: boolean;
  /** Absent for what is no switch. */
  readonly checked?: boolean;
}

/** A tray icon seen from the desktop's side. */
export interface TrayItem {
  entries(): Promise<readonly MenuEntry[]>;
  /** Waits for an enabled entry of exactly this label and clicks it. */
  click(label: string): Promise<void>;
  tooltip(): Promise<string>;
}

export interface TrayHost extends AsyncDisposable {
  /** The icon that registered last; waits for one. */
  item(): Promise<TrayItem>;
  /** How often an icon has registered so far. */
  registrations(): number;
}

/**
 * Plays the desktop panel on this session's bus, or another (StatusNotifierWatcher with a host). Everything goes by plain
 * messages: Electron's objects tell nothing about themselves, so proxies cannot be used.
 */
export async function startTrayHost(busAddress?: string): Promise<TrayHost> {
  const bus = dbus.sessionBus(busAddress === undefined ? {} : { busAddress });
  bus.on('error', () => {});
  const services: string[] = [];
  bus.addMethodHandler((message: Message) => answer(message, services, (reply) => bus.send(reply)));
  await bus.requestName(watcher, 0);
  // Tells apps that are already running; the name's new owner alone does that too.
  bus.send(dbus.Message.newSignal('/StatusNotifierWatcher', watcher, 'StatusNotifierHostRegistered', '', []));
  const call: Call = async (destination, path, member, signature, body) => {
    const [iface = '', name = ''] = splitMember(member);
    const fields = { destination, path, interface: iface, member: name, signature, body };
    return (await inTime(bus.call(new dbus.Message(fields)), `${member} of ${destination}`))?.body ?? [];
  };
  return {
    async item() {
      await eventually(() => expect(services).not.toEqual([]));
      return trayItem(call, () => services.at(-1) ?? '');
    },
    registrations: () => services.length,
    async [Symbol.asyncDispose]() {
      // The bus itself may be gone by now, and then nobody would answer.
      bus.disconnect();
    },
  };
}

type Call = (
  destination: string,
  path: string,
  member: string,
  signature: string,
  // Only the signature tells what the message contains.
  body: unknown[],
) => Promise<unknown[]>;

/** A call to an icon that goes away meanwhile may never be answered. */
async function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} was not answered`)), 30_000);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

function answer(message: Message, services: string[], send: (reply: Message) => void): boolean {
  const { member, interface: iface, body } = message;
  if (iface === watcher && member === 'RegisterStatusNotifierItem') {
    services.push(String(body[0]));
    send(dbus.Message.newMethodReturn(message));
    return true;
  }
  if (iface === properties && member === 'Get' && body[0] === watcher) {
    const value = body[1] === 'ProtocolVersion' ? new dbus.Variant('i', 0) : new dbus.Variant('b', true);
    send(dbus.Message.newMethodReturn(message, 'v', [value]));
    return true;
  }
  return false;
}

/** `service` is asked each time: a recreated icon has another. */
function trayItem(call: Call, service: () => string): TrayItem {
  const property = async (name: string): Promise<unknown> => {
    const path = '/StatusNotifierItem';
    const body = [itemInterface, name];
    const [variant] = await call(service(), path, `${properties}.Get`, 'ss', body);
    return (variant as Variant).value;
  };
  const menuCall = async (member: string, signature: string, body: unknown[]) =>
    call(service(), String(await property('Menu')), `com.canonical.dbusmenu.${member}`, signature, body);
  const entries = async () => {
    const [, root] = await menuCall('GetLayout', 'iias', [0, -1, []]);
    return flatten(root as MenuNode);
  };
  return {
    entries,
    async click(label) {
      await eventually(async () => {
        const entry = (await entries()).find((each) => each.label === label && each.enabled);
        expect(entry, `no enabled entry "${label}"`).toBeDefined();
        await menuCall('Event', 'isvu', [entry?.id, 'clicked', new dbus.Variant('s', ''), 0]).catch(
          unlessGone,
        );
      });
    },
    async tooltip() {
      const [, , title] = (await property('ToolTip')) as [unknown, unknown, string];
      return title;
    },
  };
}

/** An app that quits on a click does not answer it. */
function unlessGone(error: unknown): unknown[] {
  const gone = ['NoReply', 'ServiceUnknown', 'Disconnected'].map(
    (name) => `org.freedesktop.DBus.Error.${name}`,
  );
  if (error instanceof dbus.DBusError && gone.includes(error.type)) return [];
  throw error;
}

/** `(ia{sv}av)`: id, properties, children. */
type MenuNode = readonly [number, Readonly<Record<string, Variant>>, readonly Variant<MenuNode>[]];

function flatten([id, props, children]: MenuNode): readonly MenuEntry[] {
  const label: unknown = props.label?.value;
  const state: unknown = props['toggle-state']?.value;
  const own: MenuEntry = {
    id,
    // A doubled underscore stands for one; a single one marks the access key.
    label: String(label ?? '').replace(/_(.)/g, '$1'),
    enabled: props.enabled?.value !== false,
    ...(props['toggle-type'] === undefined ? {} : { checked: state === 1 }),
  };
  const below = children.flatMap((child) => flatten(child.value));
  return typeof label === 'string' ? [own, ...below] : below;
}

function splitMember(member: string): readonly string[] {
  const dot = member.lastIndexOf('.');
  return [member.slice(0, dot), member.slice(dot + 1)];
}

const watcher = 'org.kde.StatusNotifierWatcher';
const itemInterface = 'org.kde.StatusNotifierItem';
const properties = 'org.freedesktop.DBus.Properties';
