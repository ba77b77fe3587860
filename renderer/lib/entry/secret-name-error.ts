import { secretNameSchema } from '../../../shared/model/hub/secret.ts';

/** Returns why a secret cannot have this name; undefined if it can. */
export function secretNameError(name: string, taken: readonly string[]): string | undefined {
  if (!secretNameSchema.safeParse(name).success) {
    return 'Use up to 64 letters, digits, _ - or . and start with a letter or _.';
  }
  return taken.includes(name) ? 'A secret with this name already exists.' : undefined;
}
