import { dirname, join } from 'node:path';
import { readTextIfExists, writePrivateFile } from '../../store/files/atomic-file.ts';
import { readConfigFile, type ValidText, validateConfigText } from './read-config.ts';

/**
 * Stores the last accepted config as written, as a fallback if the file is broken or missing at the next
 * start.
 */
export class LastValidConfig {
  readonly #file: string;
  /** Text of the copy; undefined if unknown. */
  #stored: string | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Returns undefined if nothing was ever accepted, or the copy is unusable. */
  async read(): Promise<ValidText | undefined> {
    const reading = await readConfigFile(this.#file);
    if (reading.kind !== 'text') return undefined;
    const good = validateConfigText(this.#file, reading.text);
    if ('code' in good) return undefined;
    this.#stored = good.text;
    return good;
  }

  /** Stores the text that is being replaced beside the copy; only the newest one. */
  async saveReplaced(text: string): Promise<void> {
    await writePrivateFile(join(dirname(this.#file), 'mcp.bad.json'), text);
  }

  /**
   * Never rejects: the config is still valid if its copy cannot be written, and the next change tries again.
   */
  async store(text: string): Promise<void> {
    try {
      if (text === this.#stored && (await readTextIfExists(this.#file)) === text) return;
      await writePrivateFile(this.#file, text);
      this.#stored = text;
    } catch {
      this.#stored = undefined;
    }
  }
}
