import { dirname, join } from 'node:path';
import { writePrivateFile } from '../store/atomic-file.ts';
import { type GoodText, judgeText, readConfigFile } from './reading.ts';

/** The last config that was accepted, as it was written: what a start falls back on that finds the file broken or gone. */
export class LastGoodConfig {
  readonly #file: string;
  /** Text of the copy; undefined while it is unknown. */
  #kept: string | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Undefined where nothing was ever accepted, or the copy itself cannot be used. */
  async read(): Promise<GoodText | undefined> {
    const reading = await readConfigFile(this.#file);
    if (reading.kind !== 'text') return undefined;
    const good = judgeText(this.#file, reading.text);
    if ('code' in good) return undefined;
    this.#kept = good.text;
    return good;
  }

  /** Keeps a text that is being replaced, beside the copy; the newest only. */
  async setAside(text: string): Promise<void> {
    await writePrivateFile(join(dirname(this.#file), 'mcp.bad.json'), text);
  }

  /** Never rejects: a config is no worse for a copy that cannot be written, and the next change tries again. */
  async keep(text: string): Promise<void> {
    if (text === this.#kept) return;
    try {
      await writePrivateFile(this.#file, text);
      this.#kept = text;
    } catch {
      this.#kept = undefined;
    }
  }
}
