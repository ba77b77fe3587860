import type { Folders } from '../machine.ts';
import type { ConfigLocation } from './client-row.ts';

type LocationsOf = (folders: Folders) => readonly ConfigLocation[];

/** The same locations on every system, relative to the folders of each. */
export const everywhere = (places: LocationsOf) => ({ win32: places, darwin: places, linux: places });
export const inHome = (...parts: readonly string[]) =>
  everywhere(({ home, join }) => [{ file: join(home, ...parts) }]);
export const inAppData = (...parts: readonly string[]) =>
  everywhere(({ appData, join }) => [{ file: join(appData, ...parts) }]);

/** Settings that an extension stores inside VS Code and its variants. */
export const inEditors = (
  { appData, join }: Folders,
  extension: string,
  ...parts: readonly string[]
): readonly ConfigLocation[] =>
  ['Code', 'Code - Insiders'].map((editor) => {
    const sign = join(appData, editor, 'User', 'globalStorage', extension);
    return { file: join(sign, ...parts), sign };
  });

/** Matches the program file on each system, in any folder. */
export const programNames = (mac: string, windows: string, linux: string) => ({
  darwin: new RegExp(`/${mac}\\.app/Contents/MacOS/[^/]+$`),
  win32: new RegExp(`\\\\${windows}\\.exe$`, 'i'),
  linux: new RegExp(`/${linux}$`),
});
