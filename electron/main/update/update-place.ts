import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { UpdateOffReason } from '../../../shared/model/app-update.ts';

export interface UpdatePlace {
  readonly resources: string;
  readonly unpackaged: boolean;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Why this app has no updates of its own, if so. The address stands in a file that the build puts beside it; on Linux an
 * AppImage replaces itself and an installed package says what it is, and anything else is just a folder.
 */
export function whyNoUpdates({
  resources,
  unpackaged,
  platform,
  env,
}: UpdatePlace): UpdateOffReason | undefined {
  if (unpackaged || !existsSync(join(resources, 'app-update.yml'))) return 'no-feed';
  if (platform !== 'linux' || env.APPIMAGE !== undefined) return undefined;
  return existsSync(join(resources, 'package-type')) ? undefined : 'not-installed';
}
