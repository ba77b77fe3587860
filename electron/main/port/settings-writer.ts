import { basename, dirname } from 'node:path';
import Store from 'electron-store';
import type { SettingsWriter } from './settings-store.ts';

/** Writes settings through electron-store: atomic, and unknown keys of the file are kept. */
export function electronSettingsWriter(file: string): SettingsWriter {
  return (settings) => {
    const store = new Store<Record<string, unknown>>({
      cwd: dirname(file),
      name: basename(file, '.json'),
      accessPropertiesByDotNotation: false,
      configFileMode: 0o600,
    });
    store.set({ ...settings });
  };
}
