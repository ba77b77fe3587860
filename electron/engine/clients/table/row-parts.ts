import type { Folders } from '../machine.ts';
import type { Place } from './client-row.ts';

type Places = (folders: Folders) => readonly Place[];

/** At the same place below the home folder, or wherever `places` says, on every system. */
export const everywhere = (places: Places) => ({ win32: places, darwin: places, linux: places });
export const inHome = (...parts: readonly string[]) =>
  everywhere(({ home, join }) => [{ file: join(home, ...parts) }]);
export const inAppData = (...parts: readonly string[]) =>
  everywhere(({ appData, join }) => [{ file: join(appData, ...parts) }]);

/** Settings that an extension keeps inside VS Code and its relatives. */
export const inEditors = (
  { appData, join }: Folders,
  extension: string,
  ...parts: readonly string[]
): readonly Place[] =>
  ['Code', 'Code - Insiders'].map((editor) => {
    const sign = join(appData, editor, 'User', 'globalStorage', extension);
    return { file: join(sign, ...parts), sign };
  });

/** Whatever folder it is in: what the program file is called on each system. */
export const program = (mac: string, windows: string, linux: string) => ({
  darwin: new RegExp(`/${mac}\\.app/Contents/MacOS/[^/]+$`),
  win32: new RegExp(`\\\\${windows}\\.exe$`, 'i'),
  linux: new RegExp(`/${linux}$`),
});
