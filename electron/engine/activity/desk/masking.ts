import { digestOfText } from '../../base/digest.ts';
import { type MaskedJson, type MaskOptions, maskJson } from '../../base/mask-json.ts';
import { maskText } from '../../base/mask-text.ts';
import { isSecretMember } from '../../base/secret-member.ts';
import { toldParts } from '../../base/secret-parts.ts';
import { createRedactor, type Redact } from '../../supervise/redact.ts';
import { canonicalJson } from './canonical-json.ts';
import { RecentTexts } from './recent-texts.ts';

/** JSON without its secrets. */
export interface MaskedBody extends MaskedJson {
  /** What turned out to be secret in it, and is so in whatever belongs to it. */
  readonly found: readonly string[];
}

/** What a call was made with. */
export interface MaskedArguments extends MaskedBody {
  /** SHA-256 of the canonical text of all of it. */
  readonly hash: () => string;
}

/** Takes secrets out of what is recorded: what looks like one, and what is known to be one. */
export class Masking {
  readonly #known = new Set<string>();
  /** By name: the same ones come again and again. */
  readonly #names = new Map<string, boolean>();
  #redact: Redact = createRedactor([]);
  readonly #arguments = new RecentTexts<MaskedArguments>();
  readonly #summaries = new RecentTexts<MaskedBody>();

  /** Those of before stay secret. */
  learn(secrets: readonly string[]): void {
    for (const secret of secrets) this.#known.add(secret);
    this.#redact = createRedactor(this.#known);
    this.#arguments.forget();
    this.#summaries.forget();
  }

  arguments(bytes: Buffer, isBeginning: boolean): MaskedArguments {
    const text = bytes.toString('utf8');
    // One that is cut says less than all.
    const recent = isBeginning ? undefined : this.#arguments.get(text);
    if (recent !== undefined) return recent;
    const masked = this.#maskArguments(text, isBeginning);
    if (!isBeginning) this.#arguments.set(text, masked);
    return masked;
  }

  /** `found`: in what it belongs to. */
  result(bytes: Buffer, isBeginning: boolean, found: readonly string[]): MaskedBody {
    return this.#mask(bytes.toString('utf8'), { isBeginning }, found);
  }

  /** Its first characters, so many at least, and whether it says that the tool failed. */
  summary(bytes: Buffer, isBeginning: boolean, found: readonly string[], longest: number): MaskedBody {
    if (bytes.includes(errorMember)) return this.result(bytes, isBeginning, found);
    const text = bytes.toString('utf8');
    if (isBeginning || found.length > 0) return this.#mask(text, { isBeginning, longest }, found);
    const recent = this.#summaries.get(text);
    if (recent !== undefined) return recent;
    const masked = this.#mask(text, { longest }, found);
    this.#summaries.set(text, masked);
    return masked;
  }

  text(text: string, found: readonly string[] = none): string {
    return maskText(this.#redactorWith(found)(text));
  }

  #maskArguments(text: string, isBeginning: boolean): MaskedArguments {
    const first = this.#mask(text, { isBeginning }, none);
    // Arguments may hold, in the part cut off, secrets that the answer repeats.
    const found = first.isCut ? this.#mask(text, { isBeginning, ...unbounded }, none).found : first.found;
    const masked = first.isCut && found.length > 0 ? this.#mask(text, { isBeginning }, found) : first;
    let hash: string | undefined;
    const makeHash = () => {
      const whole = masked.isCut ? this.#mask(text, { isBeginning, ...unbounded }, none) : masked;
      return digestOfText(canonicalJson(whole.text));
    };
    return {
      ...masked,
      hash: () => {
        hash ??= makeHash();
        return hash;
      },
    };
  }

  /** Twice where it holds secrets: one that stands under its name may stand somewhere else too. */
  #mask(text: string, options: Partial<MaskOptions>, known: readonly string[]): MaskedBody {
    const found = new Set(known);
    const first = this.#maskOnce(text, options, known, found);
    if (found.size === known.length) return { ...first, found: known };
    const all = [...found];
    return { ...this.#maskOnce(text, options, all, found), found: all };
  }

  #maskOnce(
    text: string,
    options: Partial<MaskOptions>,
    known: readonly string[],
    found: Set<string>,
  ): MaskedJson {
    return maskJson(text, {
      ...options,
      redact: this.#redactorWith(known),
      isSecret: this.#isSecret,
      onSecret: (secret) => {
        if (found.size < mostFound) for (const part of toldParts(secret)) found.add(part);
      },
    });
  }

  #redactorWith(found: readonly string[]): Redact {
    if (found.length === 0) return this.#redact;
    const redactFound = createRedactor(found);
    return (text) => redactFound(this.#redact(text));
  }

  readonly #isSecret = (name: string): boolean => {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const isSecret = isSecretMember(name);
    if (this.#names.size < mostNames) this.#names.set(name, isSecret);
    return isSecret;
  };
}

const none: readonly string[] = [];
const unbounded = { longest: Number.POSITIVE_INFINITY, longestString: Number.POSITIVE_INFINITY };
const mostNames = 2_000;
/** Secrets of one call; each costs a look at all it carried. */
const mostFound = 2_000;
/** As maskJson looks for it. */
const errorMember = '"isError"';
