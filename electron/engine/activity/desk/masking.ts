import { type MaskedJson, maskJson } from '../../base/mask-json.ts';
import { maskText } from '../../base/mask-text.ts';
import { isSecretName } from '../../base/secret-name.ts';
import { createRedactor, type Redact } from '../../supervise/redact.ts';

/** Takes secrets out of the parts of one record. */
export interface RecordMasking {
  json(bytes: Buffer, isBeginning: boolean): MaskedJson;
  /** As {@link json}, with nothing cut. */
  whole(bytes: Buffer, isBeginning: boolean): string;
  text(text: string): string;
}

/** Takes secrets out of what is recorded: what looks like one, and what is known to be one. */
export class Masking {
  readonly #known = new Set<string>();
  /** By name: the same ones come again and again. */
  readonly #names = new Map<string, boolean>();
  #redact: Redact = createRedactor([]);

  /** Those of before stay secret. */
  learn(secrets: readonly string[]): void {
    for (const secret of secrets) this.#known.add(secret);
    this.#redact = createRedactor(this.#known);
  }

  /** For what belongs together: what turned out to be secret in one part is so in those after it. */
  one(): RecordMasking {
    const found: string[] = [];
    let redactFound: Redact = same;
    const redact: Redact = (text) => redactFound(this.#redact(text));
    const options = {
      redact,
      isSecret: (name: string) => this.#isSecret(name),
      onSecret: (text: string) => void found.push(text),
    };
    return {
      json(bytes, isBeginning) {
        const shown = maskJson(bytes.toString('utf8'), { ...options, isBeginning });
        if (found.length > 0) redactFound = createRedactor(found);
        return shown;
      },
      whole(bytes, isBeginning) {
        const longest = Number.POSITIVE_INFINITY;
        return maskJson(bytes.toString('utf8'), { ...options, isBeginning, longest, longestString: longest })
          .text;
      },
      text: (text) => maskText(redact(text)),
    };
  }

  #isSecret(name: string): boolean {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const isSecret = isSecretName(name);
    if (this.#names.size < mostNames) this.#names.set(name, isSecret);
    return isSecret;
  }
}

function same(text: string): string {
  return text;
}

const mostNames = 2_000;
