import type { Problem } from '../../../shared/error/problem.ts';
import { readLoginEnvironment } from '../../engine/engine.ts';

export interface ServerEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly problem?: Problem;
}

/** What servers inherit: the login shell's environment, without what only this program was started with. */
export async function readServerEnvironment(): Promise<ServerEnvironment> {
  const { env, problem } = await readLoginEnvironment({ inherited: process.env });
  const own = Object.entries(env).filter(([name]) => !ownVariables.has(name));
  return { env: Object.fromEntries(own), ...(problem === undefined ? {} : { problem }) };
}

/** Electron's and AppImage's own variables would change how servers written in Electron or Python run. */
const ownVariables: ReadonlySet<string> = new Set([
  'ELECTRON_RUN_AS_NODE',
  'ELECTRON_NO_ATTACH_CONSOLE',
  'CHROME_DESKTOP',
  'ORIGINAL_XDG_CURRENT_DESKTOP',
  'APPDIR',
  'APPIMAGE',
  'ARGV0',
  'OWD',
]);
