import { describe, expect, it } from 'vitest';
import { restorePlace, savePlace } from '../../../renderer/app/kept-place.ts';
import { createViewStore, type Place } from '../../../renderer/store/view-store.ts';

function storageWith(text?: string) {
  const kept = new Map(text === undefined ? [] : [['place', text]]);
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

function restored(storage: ReturnType<typeof storageWith>): Place {
  const view = createViewStore();
  restorePlace(view, storage);
  return view.getState().place;
}

const first: Place = { view: 'servers', serverTab: 'overview' };

describe('the last page', () => {
  it('is opened again, without its open details', () => {
    const storage = storageWith();
    const view = createViewStore();
    const stop = savePlace(view, storage);
    view.setState({ place: { ...first, view: 'activity', activityPage: 'audit', serverKey: 'a' } });
    expect(restored(storage)).toEqual({ ...first, view: 'activity', activityPage: 'audit' });
    stop();
    view.setState({ place: { ...first, view: 'tools' } });
    expect(restored(storage).view).toBe('activity');
  });

  it.each([undefined, '', '[]', '{', '{"view":"elsewhere","settingsPage":7}', '{"serverKey":"a"}'])(
    'is the first one where it cannot be read: %s',
    (text) => {
      expect(restored(storageWith(text))).toEqual(first);
    },
  );
});
