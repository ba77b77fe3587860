import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';

/** Where servers without a folder of their own run: at home, or where there is none (in a container, say) elsewhere. */
export function defaultFolder(): string {
  const home = homedir();
  return existsSync(home) ? home : tmpdir();
}
