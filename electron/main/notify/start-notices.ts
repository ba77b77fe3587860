import type { Settings } from '../../../shared/schema/settings.ts';
import type { Engine } from '../../engine/engine.ts';
import { type MatterInput, mattersOf } from '../attention/matter.ts';
import { after, type Disposable, disposeAll } from '../port/disposable.ts';
import { showNote } from '../port/system-note.ts';
import type { TrayAction } from '../tray/model.ts';
import { Notifier } from './notifier.ts';
import { openMatters } from './open-matters.ts';
import type { Told } from './told-book.ts';

export interface NoticesOptions {
  readonly engine: Pick<Engine, 'onHub' | 'onServers' | 'connect' | 'access'>;
  /** Returns the known state, once the hub is running. */
  readonly input: () => MatterInput | undefined;
  readonly settings: () => Settings;
  readonly watched: () => boolean;
  readonly state: { readonly current: { readonly told: Told }; change(patch: { told: Told }): void };
  /** Resolves when the action is done, successfully or not; it reports its own failure. */
  readonly act: (action: TrayAction) => Promise<void>;
}

export interface Notices extends Disposable {
  update(): void;
}

/** Shows system notifications for what needs the user. */
export function startNotices(options: NoticesOptions): Notices {
  const { engine, input, state, act } = options;
  const actInOrder = async (actions: readonly TrayAction[]) => {
    for (const action of actions) await act(action);
  };
  const notifier = new Notifier({
    ...options,
    now: Date.now,
    after,
    matters: () => withInput(input(), mattersOf, []),
    // An unknown item does not count as solved.
    isOpen: (id) => withInput(input(), openMatters, () => true)(id),
    show: ({ title, body, actions }) => showNote({ title, body }, () => void actInOrder(actions)),
    known: state.current.told,
    keep: (told) => state.change({ told }),
  });
  const update = () => notifier.update();
  const feeds = [
    engine.onHub(update),
    engine.onServers(update),
    engine.connect.onChange(update),
    engine.access.onApprovals(update),
  ];
  return { update, dispose: disposeAll([...feeds, notifier]).dispose };
}

function withInput<T>(input: MatterInput | undefined, read: (input: MatterInput) => T, otherwise: T): T {
  return input === undefined ? otherwise : read(input);
}
