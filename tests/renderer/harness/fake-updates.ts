import type { IpcEvent } from '../../../shared/ipc/contract.ts';
import type { AppUpdate } from '../../../shared/model/hub/app-update.ts';

const offer = {
  version: '0.2.0',
  publishedAt: Date.UTC(2026, 2, 3, 9),
  size: 98_400_000,
  notes: 'Profiles can be given to several clients at once.\nServers start twice as fast.',
};

/** Fakes updates: found, downloaded in two steps, ready. */
export function fakeUpdates(push: (event: IpcEvent<'update.changed'>) => void) {
  let update: AppUpdate = { kind: 'current' };
  const become = (next: AppUpdate): AppUpdate => {
    update = next;
    push(next);
    return next;
  };
  return {
    'update.get': () => update,
    'update.check': () => become({ kind: 'available', offer }),
    'update.download': () => {
      setTimeout(() => update.kind === 'downloading' && become({ kind: 'ready', offer }), 1_500);
      return become({ kind: 'downloading', offer, percent: 42 });
    },
    'update.cancelDownload': () => become({ kind: 'available', offer }),
    'update.install': () => become({ kind: 'installing', offer }),
  };
}
