import type { Machine } from '../machine.ts';

/** The least that a client hands on: with this a written entry must work. */
export function bareEnvironment({ platform, home, env }: Machine): Readonly<Record<string, string>> {
  if (platform !== 'win32') return { HOME: home, PATH: '/usr/bin:/bin:/usr/sbin:/sbin' };
  const kept = windowsNames.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const system = env.SYSTEMROOT ?? 'C:\\Windows';
  return { ...Object.fromEntries(kept), PATH: `${system}\\System32;${system}` };
}

/** Without these, programs of Windows do not even start. */
const windowsNames = ['SYSTEMROOT', 'SYSTEMDRIVE', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'TEMP'] as const;
