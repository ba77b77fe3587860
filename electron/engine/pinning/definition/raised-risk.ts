import { isRecord, scalarText } from '../../../../shared/json.ts';
import type { ToolFlag } from '../../../../shared/model/tool/guard.ts';
import { wordsOf } from '../../base/mask/secret-name.ts';
import type { RawItem } from '../../catalogue/contract.ts';
import { originalText } from '../../catalogue/item-text.ts';
import { flagsOf } from './flags.ts';
import { hiddenRuns, showHidden } from './hidden-characters.ts';
import type { Lookalikes } from './lookalike.ts';
import { walkTexts } from './walk-texts.ts';

export interface ComparedTool {
  readonly serverKey: string;
  readonly name: string;
  /** The definition that clients have had so far; undefined for a new tool. */
  readonly before: RawItem | undefined;
  readonly item: RawItem;
}

/**
 * Returns the reasons why a definition is riskier than the one before it. Without any it needs no approval
 * (PB-SAFE-1).
 */
export function raisedRisk(tool: ComparedTool, lookalikes: Lookalikes): readonly ToolFlag[] {
  const { serverKey, name, before, item } = tool;
  const known = new Set(
    before === undefined ? [] : flagsOf({ serverKey, name, item: before }, lookalikes).map(idOf),
  );
  const added = flagsOf({ serverKey, name, item }, lookalikes).filter((flag) => !known.has(idOf(flag)));
  return [
    ...added.filter(({ kind }) => kind !== 'lookalike' || lookalikes.isImitation(tool)),
    ...lostHints(before, item),
    ...suspiciousArguments(before, item),
  ];
}

/**
 * Returns whether a definition contains letters that models read and people do not see. They are never
 * legitimate, even in a new server.
 */
export function hidesLetters(item: RawItem): boolean {
  const text = originalText(item) ?? JSON.stringify(item);
  if (!/\udb40|\\udb40/i.test(text)) return false;
  return walkTexts(item).some((placed) =>
    hiddenRuns(placed.text).some(({ what }) => what === 'hidden letters'),
  );
}

function idOf({ kind, place, sentence }: ToolFlag): string {
  return `${kind} ${place} ${sentence}`;
}

/** Each hint with the value that promises safety. */
const safeHints = [
  { hint: 'readOnlyHint', safe: true, sentence: 'It no longer claims to be read-only.' },
  { hint: 'destructiveHint', safe: false, sentence: 'It no longer claims to be non-destructive.' },
  { hint: 'idempotentHint', safe: true, sentence: 'It no longer claims that repeating it is harmless.' },
  { hint: 'openWorldHint', safe: false, sentence: 'It no longer claims to stay within a closed world.' },
] as const;

function lostHints(before: RawItem | undefined, after: RawItem): readonly ToolFlag[] {
  const older = hintsOf(before);
  const newer = hintsOf(after);
  return safeHints.flatMap(({ hint, safe, sentence }) => {
    if (older[hint] !== safe || newer[hint] === safe) return [];
    // Two of the hints mean nothing for a tool that only reads.
    const isMoot = newer.readOnlyHint === true && (hint === 'destructiveHint' || hint === 'idempotentHint');
    if (isMoot) return [];
    const place = `annotations.${hint}`;
    return [{ kind: 'annotation', place, sentence, excerpt: `${hint}: ${scalarText(newer[hint])}` }];
  });
}

function hintsOf(item: RawItem | undefined): Readonly<Record<string, unknown>> {
  return isRecord(item?.annotations) ? item.annotations : {};
}

/** A new tool may have good reasons to ask for a password; a tool that has worked without one does not. */
function suspiciousArguments(before: RawItem | undefined, after: RawItem): readonly ToolFlag[] {
  const older = new Set(argumentsOf(before));
  return argumentsOf(after).flatMap((name) => {
    if (older.has(name)) return [];
    const words = wordsOf(name.slice(0, maxName)).join('_');
    const sentence = conversationArgument.test(words)
      ? conversationSentence
      : before !== undefined && secretArgument.test(words)
        ? secretSentence
        : undefined;
    if (sentence === undefined) return [];
    const place = `inputSchema.properties.${name}`;
    return [{ kind: 'argument', place, sentence: sentence, excerpt: showHidden(name) }];
  });
}

const conversationSentence = 'It has a new argument for your conversation with the model.';
const secretSentence = 'It has a new argument for a secret.';
const conversationArgument =
  /^(?:SIDE_?NOTES?|SYSTEM_?PROMPT|CONVERSATION(?:_\w+)?|CHAT_?(?:HISTORY|LOG)|PREVIOUS_MESSAGES|MESSAGE_HISTORY)$/;
const secretArgument =
  /(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|CREDENTIALS?|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY|SSH_?KEY|(?:ACCESS|AUTH|BEARER|REFRESH|ID)_?TOKEN|COOKIES?|MNEMONIC|SEED_PHRASE)$/;
const maxName = 200;

function argumentsOf(item: RawItem | undefined): readonly string[] {
  const schema = isRecord(item?.inputSchema) ? item.inputSchema : {};
  return isRecord(schema.properties) ? Object.keys(schema.properties) : [];
}
