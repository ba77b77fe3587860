import { z } from 'zod';
import { isRecord, scalarText } from '../../json.ts';

/** Name of a variable or header of a server; never its value. */
export const entryVariableSchema = z.object({
  name: z.string(),
  /** True if the value is a placeholder from instructions, to be filled in. */
  isPlaceholder: z.boolean(),
});
export type EntryVariable = Readonly<z.infer<typeof entryVariableSchema>>;

/** Returns the variables and headers of an entry, in file order. */
export function entryVariables({
  env,
  headers,
}: Readonly<Record<string, unknown>>): readonly EntryVariable[] {
  return [env, headers].flatMap((group) =>
    isRecord(group)
      ? Object.entries(group).map(([name, value]) => ({
          name,
          isPlaceholder: isPlaceholder(scalarText(value)),
        }))
      : [],
  );
}

/**
 * Recognises `<YOUR_TOKEN>`, `your-api-key-here`, `xoxb-your-bot-token`, `ghp_xxxx`, `...` and empty text,
 * also after `Bearer `.
 */
export function isPlaceholder(text: string): boolean {
  return text.length <= maxLength && placeholder.test(withoutScheme(text));
}

/**
 * True for a secret that is not filled in: a key that is cut short or masked, or `YOUR_KEY` after a key's
 * prefix.
 */
export function isUnfilledSecret(text: string): boolean {
  return text.length <= maxLength && unfilled.test(withoutScheme(text));
}

function withoutScheme(text: string): string {
  return text.replace(/^(?:bearer|basic|token)\s+/i, '').trim();
}

/** Longer texts are documents, not values. */
const maxLength = 200;
const placeholder =
  /^(?:|<{1,3}[^<>]+>{1,3}|\[[^[\]]+\]|…|@{1,2}[a-z]\w*@{1,2}|[!@]\{[a-z]\w*\}|(?:[a-z0-9]+[-_])*[x*.…•]{3,}|(?:(?:xox[a-z]|gh[a-z]|gl[a-z]{1,4}|github_pat|sk|pk|key|api|pat|token|secret)[-_])?your[a-z]*\d{0,3}(?:[-_ ].*)?|(?:my|insert|enter|put|add|replace|change|paste)[-_ ]?\w*[-_ ].*|(?:change|replace|fill)[-_ ]?(?:me|it)|fill[-_ ](?:me|this|it)[-_ ]in|.*[-_ ]here|todo|placeholder|redacted|removed|masked|censored)$/i;
const unfilled =
  /^(?:[\w+=.-]{1,60}(?:\.{3}|…|[*•]{3})[\w+=.*…•-]{0,60}|(?:[A-Za-z0-9]{1,12}[-_.]){1,4}(?:your|YOUR)[-_].*|[A-Za-z0-9]{2,12}YOUR_[A-Z0-9_]+|[A-Za-z0-9]{1,12}\.x{3,}(?:\.x{3,}){0,6})$/;
