import { z } from 'zod';
import { isRecord } from '../../../shared/json.ts';

/** A server entry from a link, reduced to how the server is reached. */
export type LinkedEntry =
  | { readonly ok: true; readonly entry: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly reason: string };

/**
 * Checks a server entry from a link. Everything else in it (what is enabled or approved, when it starts) is
 * the user's decision and is left out.
 */
export function linkedEntry(value: unknown): LinkedEntry {
  const checked = entrySchema.safeParse(unwrapped(value));
  if (!checked.success) return { ok: false, reason: reasonOf(checked.error) };
  const entry = checked.data;
  const reason = dangerIn(entry);
  return reason === undefined ? { ok: true, entry } : { ok: false, reason };
}

/**
 * Unwraps other programs' links, which put the server's name around its entry or contain a whole config with
 * one server.
 */
function unwrapped(value: unknown, depth = 0): unknown {
  if (!isRecord(value) || depth > 1 || 'command' in value || 'url' in value) return value;
  const [only, ...more] = Object.values(value);
  return more.length === 0 && isRecord(only) ? unwrapped(only, depth + 1) : value;
}

/**
 * Text shown in the preview must not contain anything invisible: control characters, and those that reorder
 * or hide text.
 */
const visibleText = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text), 'The link contains invisible characters.');

const texts = z
  .record(visibleText(200), z.union([z.string().max(8_000), z.number(), z.boolean()]).transform(String))
  .refine((all) => Object.keys(all).length <= 50);

const entrySchema = z
  .object({
    type: z.enum(['stdio', 'http', 'sse', 'streamable-http', 'streamableHttp']).optional(),
    command: visibleText(1_000).min(1).optional(),
    args: z.array(visibleText(4_000)).max(100).optional(),
    env: texts.optional(),
    cwd: visibleText(1_000).optional(),
    url: visibleText(2_000)
      .refine(isWebAddress, 'The URL in the link is not a web address, or contains a password.')
      .optional(),
    headers: texts.optional(),
  })
  .refine(
    ({ command, url }) => (command === undefined) !== (url === undefined),
    'The config in the link must have either a command or a URL.',
  );

function isWebAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return (
    url !== undefined &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === ''
  );
}

type Entry = z.infer<typeof entrySchema>;

/** Rejects a link that would send local data to an address chosen by its author. */
function dangerIn({ url, headers = {}, command, args = [], env = {}, cwd = '' }: Entry): string | undefined {
  const sent = [url ?? '', ...Object.keys(headers), ...Object.values(headers)];
  const run = [command ?? '', ...args, ...Object.keys(env), ...Object.values(env), cwd];
  if ([...sent, ...run].some((text) => storedSecret.test(text)))
    return 'The link refers to one of your stored secrets, which only you may do.';
  if (url !== undefined && sent.some((text) => variable.test(text)))
    return 'The link would send environment variables of this computer to its URL.';
  return undefined;
}

const storedSecret = /\$\{\s*secret\s*:/i;
/** Matches `$X`, `${X}`, `${env:X}` and `%X%`, but not inputs or percent-encoded characters. */
const variable = /\$(?!\{input:[^{}$]*\})(?=[A-Za-z_{])|%(?![0-9a-f]{2}%)[A-Za-z_]\w*(?:\(X86\))?%/i;

function reasonOf({ issues }: z.ZodError): string {
  const own = issues.find(({ code, message }) => code === 'custom' && message !== 'Invalid input')?.message;
  const place = issues[0]?.path.join('.') ?? '';
  return (
    own ?? `The config in the link is not a server’s config${place === '' ? '' : `: ${shortened(place)}`}.`
  );
}

function shortened(place: string): string {
  return place.length > 40 ? `${place.slice(0, 40)}…` : place;
}
