import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../release/unpacked/', import.meta.url));

/** Paths of the app that `npm run pack` builds for this system. */
export const packagedApp = {
  /** The app's binary; as root on Linux it needs `--no-sandbox`. */
  executable: inApp({
    linux: 'linux-unpacked/patchbay',
    darwin: macApp('Contents/MacOS/Patchbay'),
    win32: 'win-unpacked/Patchbay.exe',
  }),
  /** The launchers that clients start: `patchbay-bridge`, `patchbay`, `mcp-simple-aggregator`. */
  launcher: (name: 'patchbay-bridge' | 'patchbay' | 'mcp-simple-aggregator'): string =>
    inApp({
      linux: `linux-unpacked/resources/bin/${name}`,
      darwin: macApp(`Contents/Resources/bin/${name}`),
      win32: `win-unpacked/resources/bin/${name}.cmd`,
    }),
} as const;

function inApp(places: Readonly<Record<'linux' | 'darwin' | 'win32', string>>): string {
  const platform = process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux';
  return join(folder, places[platform]);
}

function macApp(inside: string): string {
  return `${process.arch === 'arm64' ? 'mac-arm64' : 'mac'}/Patchbay.app/${inside}`;
}
