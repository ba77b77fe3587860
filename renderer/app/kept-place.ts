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

/** Opens the last page, without the details that were open on it. */
export function restorePlace(view: ViewStore, storage: Pick<Storage, 'getItem'>): void {
  const { place } = view.getState();
  view.setState({ place: { ...place, ...readPages(storage.getItem(storageKey)) } });
}

/** Saves the current page until the returned function is called. */
export function savePlace(view: ViewStore, storage: Pick<Storage, 'setItem'>): () => void {
  return view.subscribe(({ place }, before) => {
    if (place !== before.place) storage.setItem(storageKey, JSON.stringify(pagesOf(place)));
  });
}

const storageKey = 'place';

/** Saved members of a place, with their allowed values. */
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
