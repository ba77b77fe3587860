import { type Edit, visit } from 'jsonc-parser';
import { redactText } from '../../base/redact-log.ts';
import { isSecretName } from '../../base/secret-name.ts';
import type { ConfiguredServer } from '../../config/contract.ts';
import { createRedactor, type Redact } from '../../supervise/redact.ts';
import { secretsOf } from '../../supervise/secret-values.ts';
import type { ConfiguredLookup } from '../configured.ts';
import type { MaskText } from './history.ts';

/**
 * Takes out what the config gave a server to keep: it may say it again, and the window must not have it. What it was given
 * counts for as long as it may be at work on a run, whatever the config says by then.
 */
export class GivenSecrets {
  readonly #configured: ConfiguredLookup;
  readonly #known = new Map<string, { readonly server: ConfiguredServer; readonly redact: Redact }>();

  constructor(configured: ConfiguredLookup) {
    this.#configured = configured;
  }

  /** A run begins. */
  learn(serverKey: string): void {
    const server = this.#configured(serverKey);
    if (server === undefined || this.#known.get(serverKey)?.server === server) return;
    this.#known.set(serverKey, { server, redact: createRedactor(secretsOf(server)) });
  }

  readonly mask: MaskText = (serverKey, text) => this.#known.get(serverKey)?.redact(text) ?? text;
}

/** Takes out of JSON that is kept what its members' names call secret, and credentials by their form. */
export function maskNamed(text: string): string {
  const edits: Edit[] = [];
  let name = '';
  const forget = () => {
    name = '';
  };
  visit(text, {
    onObjectProperty: (property) => {
      name = property;
    },
    onLiteralValue: (value, offset, length) => {
      if (typeof value === 'string' && isSecretName(name)) edits.push({ offset, length, content: hidden });
      forget();
    },
    onObjectBegin: forget,
    onArrayBegin: forget,
  });
  return redactText(edits.reduceRight(applied, text));
}

const hidden = '"•••"';

function applied(text: string, { offset, length, content }: Edit): string {
  return text.slice(0, offset) + content + text.slice(offset + length);
}
