import { describe, expect, it } from 'vitest';
import { mergeRegistry, parseRegistry } from '../../../../electron/engine/supervise/windows-registry.ts';

describe('the environment in the registry of Windows', () => {
  it('is read from what reg query prints', () => {
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

  it('is that of the machine and of the user, with both their paths before what was inherited', () => {
    const inherited = {
      Path: 'C:\\Windows\\system32;C:\\tools\\;C:\\old',
      SystemRoot: 'C:\\Windows',
      USERPROFILE: 'C:\\Users\\j',
      USERNAME: 'j',
      ONLY: 'here',
    };
    const machine = {
      Path: '%SystemRoot%\\system32;c:\\Tools',
      PATHEXT: '.COM;.EXE;.CMD',
      USERNAME: 'SYSTEM',
      TEMP: '%SystemRoot%\\TEMP',
    };
    const user = { PATH: '%USERPROFILE%\\bin;%NOBODY%\\x', TEMP: '%USERPROFILE%\\Temp' };
    expect(mergeRegistry(inherited, machine, user, ';')).toEqual({
      Path: 'C:\\Windows\\system32;c:\\Tools;C:\\Users\\j\\bin;%NOBODY%\\x;C:\\old',
      SystemRoot: 'C:\\Windows',
      USERPROFILE: 'C:\\Users\\j',
      USERNAME: 'j',
      ONLY: 'here',
      PATHEXT: '.COM;.EXE;.CMD',
      TEMP: 'C:\\Users\\j\\Temp',
    });
  });

  it('does not take over what came in another character set', () => {
    const inherited = { Path: 'C:\\Users\\Jörg\\bin', NAME: 'Jörg' };
    const user = { Path: 'C:\\Users\\J\uFFFDrg\\bin;C:\\new', NAME: 'J\uFFFDrg' };
    expect(mergeRegistry(inherited, {}, user, ';')).toEqual({
      Path: 'C:\\new;C:\\Users\\Jörg\\bin',
      NAME: 'Jörg',
    });
  });
});
