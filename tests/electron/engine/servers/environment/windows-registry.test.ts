import { describe, expect, it } from 'vitest';
import { mergeRegistry } from '../../../../../electron/engine/servers/environment/windows-registry.ts';

describe('the environment in the registry of Windows', () => {
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

  it('ignores values in another character set', () => {
    const inherited = { Path: 'C:\\Users\\Jörg\\bin', NAME: 'Jörg' };
    const user = { Path: 'C:\\Users\\J\uFFFDrg\\bin;C:\\new', NAME: 'J\uFFFDrg' };
    expect(mergeRegistry(inherited, {}, user, ';')).toEqual({
      Path: 'C:\\new;C:\\Users\\Jörg\\bin',
      NAME: 'Jörg',
    });
  });
});
