import { expect, it } from 'vitest';
import { parseRegistry } from '../../../../../electron/engine/store/files/windows-registry.ts';

it('reads what reg query prints', () => {
  const output = [
    '',
    'HKEY_CURRENT_USER\\Environment',
    '    Path    REG_EXPAND_SZ    %USERPROFILE%\\.local\\bin;C:\\Program Files\\nodejs\\',
    '    TEMP    REG_EXPAND_SZ    %USERPROFILE%\\AppData\\Local\\Temp',
    '    Two words    REG_SZ    a    b',
    '    Empty    REG_SZ    ',
    '    Bare    REG_SZ',
    '    Number    REG_DWORD    0x1',
    '',
    'HKEY_CURRENT_USER\\Environment\\Sub',
    '',
  ].join('\r\n');
  expect(parseRegistry(output)).toEqual({
    Path: '%USERPROFILE%\\.local\\bin;C:\\Program Files\\nodejs\\',
    TEMP: '%USERPROFILE%\\AppData\\Local\\Temp',
    'Two words': 'a    b',
    Empty: '',
    Bare: '',
  });
});
