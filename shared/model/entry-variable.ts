import { z } from 'zod';
import { isRecord } from '../json.ts';

/** A variable or header that a server is given; never its value. */
export const entryVariableSchema = z.object({
  name: z.string(),
  /** Its value is nobody's: instructions have it filled in. */
  isPlaceholder: z.boolean(),
});
export type EntryVariable = Readonly<z.infer<typeof entryVariableSchema>>;

/** Those of an entry, in the order in which they stand there. */
export function entryVariables({
  env,
  headers,
}: Readonly<Record<string, unknown>>): readonly EntryVariable[] {
  return [env, headers].flatMap((group) =>
    isRecord(group)
      ? Object.entries(group).map(([name, value]) => ({ name, isPlaceholder: isPlaceholder(String(value)) }))
      : [],
  );
}

/** `<YOUR_TOKEN>`, `your-api-key-here`, `xoxb-your-bot-token`, `ghp_xxxx`, `...`, nothing; after `Bearer ` too. */
export function isPlaceholder(text: string): boolean {
  return text.length <= longest && placeholder.test(text.replace(/^(?:bearer|basic|token)\s+/i, '').trim());
}

/** Longer texts are documents. */
const longest = 200;
const placeholder =
  /^(?:|<[^<>]+>|\[[^[\]]+\]|…|@{1,2}[a-z]\w*@{1,2}|[!@]\{[a-z]\w*\}|(?:[a-z0-9]+[-_])*[x*.…•]{3,}|(?:(?:xox[a-z]|gh[a-z]|gl[a-z]{1,4}|github_pat|sk|pk|key|api|pat|token|secret)[-_])?your[a-z]*\d{0,3}(?:[-_ ].*)?|(?:my|insert|enter|put|add|replace|change|paste)[-_ ]?\w*[-_ ].*|(?:change|replace)[-_ ]?(?:me|it)|.*[-_ ]here|todo|placeholder|redacted|removed|masked|censored)$/i;
