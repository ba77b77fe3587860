import { expect, it } from 'vitest';
import { shellFolders } from '../../../../../electron/engine/import/source/user-folders.ts';

it('reads where OneDrive has moved Windows folders, and skips invalid values', () => {
  const values = {
    Desktop: '%OneDrive%\\Desktop',
    Personal: 'C:\\Users\\ann\\OneDrive - Kite\\Documents',
    '{374DE290-123F-4565-9164-39C4925E467B}': '%Nowhere%\\Downloads',
    'My Music': '%USERPROFILE%\\Music',
  };
  const env = { ONEDRIVE: 'C:\\Users\\ann\\OneDrive' };
  const machine = { platform: 'win32' as const, home: 'C:\\Users\\ann', env };
  expect(shellFolders(values, machine)).toEqual({
    DESKTOP: 'C:\\Users\\ann\\OneDrive\\Desktop',
    DOCUMENTS: 'C:\\Users\\ann\\OneDrive - Kite\\Documents',
  });
  expect(shellFolders({ Personal: 'C:\\Users\\J\uFFFDrg\\Documents' }, machine)).toEqual({});
});
