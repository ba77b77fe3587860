import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { UpdateOffReason } from '../../../shared/model/app-update.ts';

export interface UpdateEnvironment {
  readonly resources: string;
  readonly unpackaged: boolean;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the reason why this app cannot update itself, if any. The build writes the update address to a
 * file; on Linux an AppImage replaces itself, an installed package has a `package-type` file, and anything
 * else is just a folder.
 */
export function updateOffReason({
  resources,
  unpackaged,
  platform,
  env,
}: UpdateEnvironment): UpdateOffReason | undefined {
  if (unpackaged || !existsSync(join(resources, 'app-update.yml'))) return 'no-feed';
  if (platform !== 'linux' || env.APPIMAGE !== undefined) return undefined;
  return existsSync(join(resources, 'package-type')) ? undefined : 'not-installed';
}
