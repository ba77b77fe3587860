import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { linkScheme } from '../../electron/main/link/add-link.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFile(join(root, file), 'utf8');

it('[PB-APP-1] the uninstaller removes what the app writes into the registry of Windows, under the same names', async () => {
  const [builder, main, uninstaller] = await Promise.all(
    ['electron-builder.yml', 'electron/main/main.ts', 'build/installer.nsh'].map(read),
  );
  // Electron names the entry of the start at login by this id.
  const [, id] = /setAppUserModelId\('(.+)'\)/.exec(main ?? '') ?? [];
  expect(builder).toContain(`appId: ${id}\n`);
  expect(builder).toContain(`schemes: [${linkScheme}]`);
  expect(uninstaller).toMatch(/CurrentVersion\\Run" "\$\{APP_ID\}"/);
  expect(uninstaller).toContain(`DeleteRegKey HKCU "Software\\Classes\\${linkScheme}"`);
});
