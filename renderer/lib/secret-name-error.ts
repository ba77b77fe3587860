import { secretNameSchema } from '../../shared/model/secret.ts';

/** Why a secret cannot be called so; undefined when it can. */
export function secretNameError(name: string, taken: readonly string[]): string | undefined {
  if (!secretNameSchema.safeParse(name).success) {
    return 'Up to 64 letters, digits and _ - . and no digit at the start.';
  }
  return taken.includes(name) ? 'There is a secret of this name already.' : undefined;
}
