import type { Machine } from '../machine.ts';

/** Returns the minimal environment that clients pass on; a written entry must work with it. */
export function bareEnvironment({ platform, home, env }: Machine): Readonly<Record<string, string>> {
  if (platform !== 'win32') return { HOME: home, PATH: '/usr/bin:/bin:/usr/sbin:/sbin' };
  const kept = windowsNames.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const system = env.SYSTEMROOT ?? 'C:\\Windows';
  return { ...Object.fromEntries(kept), PATH: `${system}\\System32;${system}` };
}

/** Windows programs do not even start without these. */
const windowsNames = ['SYSTEMROOT', 'SYSTEMDRIVE', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'TEMP'] as const;
