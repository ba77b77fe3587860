import { z } from 'zod';
import { ProblemError, problem } from '../../../shared/error/problem.ts';
import { parseJson } from '../../../shared/json.ts';
import { checkInputSchema, checkResultSchema } from '../../../shared/model/tool/tester.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { readTextIfExists, writePrivateFile } from '../store/files/atomic-file.ts';

const storedCheckSchema = checkInputSchema.extend({
  id: z.string(),
  createdAt: z.number(),
  last: checkResultSchema.optional(),
  /** Digest of the server and the definition at the last run. */
  seen: z.string().optional(),
});
export type StoredCheck = Readonly<z.infer<typeof storedCheckSchema>>;

const fileSchema = z.object({ version: z.literal(1), checks: z.array(storedCheckSchema) });

/** The checks on disk. Loads them on first use; each change is written before it takes effect. */
export class CheckFile {
  readonly #file: string;
  readonly #queue = new SerialQueue();
  #known: readonly StoredCheck[] | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Rejects with `tester.checks_unreadable` or `hub.newer_data`, and then leaves the file alone. */
  read(): Promise<readonly StoredCheck[]> {
    return this.#queue.run(() => this.#load());
  }

  /**
   * Applies changes one after the other. Rejects like {@link read}, with the error that `edit` throws, or if
   * the file cannot be written.
   */
  change(edit: (checks: readonly StoredCheck[]) => readonly StoredCheck[]): Promise<void> {
    return this.#queue.run(async () => {
      const before = await this.#load();
      const checks = edit(before);
      if (checks === before) return;
      const text = `${JSON.stringify({ version: 1, checks }, undefined, 2)}\n`;
      await writePrivateFile(this.#file, text);
      this.#known = checks;
    });
  }

  /** Makes the next access read the file again. */
  forget(): void {
    this.#known = undefined;
  }

  async #load(): Promise<readonly StoredCheck[]> {
    this.#known ??= parseChecks(this.#file, await readTextIfExists(this.#file));
    return this.#known;
  }
}

export function parseChecks(file: string, text: string | undefined): readonly StoredCheck[] {
  if (text === undefined) return [];
  const value = parseJson(text);
  const read = fileSchema.safeParse(value);
  if (read.success) return read.data.checks;
  const version = z.object({ version: z.number() }).safeParse(value).data?.version ?? 0;
  if (version > 1) {
    const sentence = `${file} was written by a newer Patchbay.`;
    throw new ProblemError(
      problem('hub.newer_data', sentence, 'Update Patchbay. The file is left unchanged.', { file }),
    );
  }
  const sentence = `${file} does not contain valid checks and is left unchanged.`;
  throw new ProblemError(problem('tester.checks_unreadable', sentence, 'Fix or move the file.', { file }));
}
