import dbus, { type Message } from 'dbus-next';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';

/** A notification as the desktop was told it. */
export interface ShownNote {
  readonly id: number;
  readonly title: string;
  readonly body: string;
}

export interface NotificationServer extends AsyncDisposable {
  /** Returns the notifications on the screen, oldest first. */
  shown(): readonly ShownNote[];
  /** Every one that ever came. */
  all(): readonly ShownNote[];
  /** Waits for one of this title and clicks it. */
  click(title: string): Promise<void>;
}

/** Plays the desktop's notifications on this session's bus. */
export async function startNotificationServer(): Promise<NotificationServer> {
  const bus = dbus.sessionBus();
  bus.on('error', () => {});
  const all: ShownNote[] = [];
  const closed = new Set<number>();
  const signal = (member: string, signature: string, body: unknown[]) =>
    bus.send(dbus.Message.newSignal(path, service, member, signature, body));
  const take = (id: number, reason: number) => {
    closed.add(id);
    signal('NotificationClosed', 'uu', [id, reason]);
  };
  bus.addMethodHandler((message: Message) => {
    if (message.interface !== service) return false;
    bus.send(answer(message, all, take));
    return true;
  });
  await bus.requestName(service, 0);
  return {
    shown: () => all.filter(({ id }) => !closed.has(id)),
    all: () => all,
    async click(title) {
      await eventually(() => expect(all.map((note) => note.title)).toContain(title));
      const note = all.findLast((each) => each.title === title);
      signal('ActionInvoked', 'us', [note?.id, 'default']);
    },
    async [Symbol.asyncDispose]() {
      bus.disconnect();
    },
  };
}

function answer(message: Message, all: ShownNote[], take: (id: number, reason: number) => void): Message {
  const { member, body } = message;
  switch (member) {
    case 'GetCapabilities':
      return dbus.Message.newMethodReturn(message, 'as', [['body', 'actions']]);
    case 'GetServerInformation':
      return dbus.Message.newMethodReturn(message, 'ssss', ['played', 'tests', '1', '1.2']);
    case 'Notify': {
      const id = all.length + 1;
      all.push({ id, title: String(body[3]), body: String(body[4]) });
      return dbus.Message.newMethodReturn(message, 'u', [id]);
    }
    default:
      take(Number(body[0]), closedByCall);
      return dbus.Message.newMethodReturn(message, '', []);
  }
}

const service = 'org.freedesktop.Notifications';
const path = '/org/freedesktop/Notifications';
const closedByCall = 3;
