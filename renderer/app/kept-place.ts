import { isRecord } from '../../shared/json.ts';
import {
  activityPages,
  clientsPages,
  type Place,
  settingsPages,
  toolsPages,
  type ViewStore,
  views,
} from '../store/view-store.ts';

/** Opens the page of the last time; what was open on it is not opened again. */
export function restorePlace(view: ViewStore, storage: Pick<Storage, 'getItem'>): void {
  const { place } = view.getState();
  view.setState({ place: { ...place, ...readPages(storage.getItem(storageKey)) } });
}

/** Keeps the page for the next time, until the returned function is called. */
export function keepPlace(view: ViewStore, storage: Pick<Storage, 'setItem'>): () => void {
  return view.subscribe(({ place }, before) => {
    if (place !== before.place) storage.setItem(storageKey, JSON.stringify(pagesOf(place)));
  });
}

const storageKey = 'place';

/** Members of a place that are kept, with the values that they may have. */
const pages: Readonly<Record<string, readonly unknown[]>> = {
  view: views,
  toolsPage: toolsPages,
  activityPage: activityPages,
  settingsPage: settingsPages,
  clientsPage: clientsPages,
};

function readPages(text: string | null): Partial<Place> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isRecord(value) ? pagesOf(value) : {};
  } catch {
    return {};
  }
}

function pagesOf(place: object): Partial<Place> {
  return Object.fromEntries(Object.entries(place).filter(([name, value]) => pages[name]?.includes(value)));
}
