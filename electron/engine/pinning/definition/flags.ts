import type { ToolFlag } from '../../../../shared/model/tool/guard.ts';
import type { RawItem } from '../../catalogue/contract.ts';
import { type HiddenRun, hiddenRuns, showHidden } from './hidden-characters.ts';
import { type Lookalikes, latinLetters } from './lookalike.ts';
import { type PlacedText, walkTexts } from './walk-texts.ts';

/** A phrase that malicious tools have used to address the model behind the user's back. */
interface PhraseFinding {
  readonly start: number;
  readonly end: number;
  readonly what: string;
}

/** Returns the first match of each kind. Expects a text without hidden characters. */
function instructionPhrases(text: string): readonly PhraseFinding[] {
  return phrases.flatMap(({ pattern, what }) => {
    const found = pattern.exec(text);
    return found === null ? [] : [{ start: found.index, end: found.index + found[0].length, what }];
  });
}

const phrases: readonly { readonly pattern: RegExp; readonly what: string }[] = [
  {
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|preceding|other|all|any|system|safety)\b.{0,30}\b(?:instruction|prompt|rule|message|guideline|direction|restriction)s?\b/is,
    what: 'asks to ignore other instructions',
  },
  {
    pattern:
      /\b(?:do not|don['’]?t|never|without|avoid)\b.{0,20}\b(?:tell|telling|inform|informing|mention|mentioning|notify|notifying|show|showing|reveal|revealing|alert|alerting|disclose|disclosing|ask|asking)\b.{0,40}\buser\b/is,
    what: 'asks to keep something from the user',
  },
  {
    pattern: /<\/?\s*(?:system|important|instructions?|assistant|hidden|secret|admin)\b[^>]{0,40}>/i,
    what: 'presents text as if it came from the system',
  },
  {
    pattern: /\[\/?(?:system|inst|important)\]|<\|im_(?:start|end)\|>|^[ \t]*(?:system|assistant)[ \t]*:/im,
    what: 'imitates a message of another role',
  },
  {
    pattern:
      /(?:~|\$HOME|%USERPROFILE%|\/home\/\w+|\/root)?[\\/]?\.ssh\b|\bid_(?:rsa|ed25519|ecdsa)\b|\.aws[\\/]credentials|[\\/]etc[\\/](?:passwd|shadow)|\.(?:netrc|npmrc|pgpass)\b|\bclaude_desktop_config\b|\.cursor[\\/]mcp\.json|\b(?:wallet\.dat|login\.keychain)\b/i,
    what: 'names a file that contains secrets',
  },
  {
    pattern:
      /\b(?:before|instead of|prior to)\b.{0,20}\b(?:using|calling|invoking|running|executing)\b.{0,20}\b(?:any|all|every|other)\b.{0,15}\btools?\b/is,
    what: 'asks to be used before other tools',
  },
  {
    pattern:
      /\b(?:send|post|forward|upload|include|append|pass|attach|provide)\b.{0,60}\b(?:conversation|chat history|system prompt|previous messages?|private keys?|contents? of)\b/is,
    what: 'asks for the conversation, the prompt or a file as an argument',
  },
];

/**
 * Finds what is suspicious in a definition. Honest tools have some of it too, so a finding is no accusation.
 */
export function flagsOf(
  tool: { readonly serverKey: string; readonly name: string; readonly item: RawItem },
  lookalikes: Lookalikes,
): readonly ToolFlag[] {
  const texts = walkTexts(tool.item).filter(({ text }) => text.length <= maxText);
  return [...nameFlags(tool, lookalikes), ...texts.flatMap(hiddenFlags), ...texts.flatMap(phraseFlags)].slice(
    0,
    maxFlags,
  );
}

const maxFlags = 50;
const maxText = 200_000;

function nameFlags(
  tool: { readonly serverKey: string; readonly name: string },
  lookalikes: Lookalikes,
): readonly ToolFlag[] {
  const twin = lookalikes.of(tool);
  const claimed = lookalikes.claimedServer(tool);
  const flag = (sentence: string): ToolFlag => ({
    kind: 'lookalike',
    place: 'name',
    sentence,
    excerpt: showHidden(tool.name),
  });
  return [
    ...(twin === undefined
      ? []
      : [flag(`The name can be mistaken for ${showHidden(twin.name)} of ${twin.serverKey}.`)]),
    ...(claimed === undefined ? [] : [flag(`The name starts like the tools of ${claimed}.`)]),
  ];
}

/** Returns one finding per text: hidden characters often come between all letters. */
function hiddenFlags({ place, text }: PlacedText): readonly ToolFlag[] {
  const runs = hiddenRuns(text);
  const [first] = runs;
  if (first === undefined) return [];
  const worst = runs.find(({ what }) => what === 'hidden letters') ?? first;
  return [{ kind: 'hidden', place, sentence: hiddenSentences[worst.what], excerpt: excerptOf(text, worst) }];
}

const hiddenSentences: Readonly<Record<HiddenRun['what'], string>> = {
  'nothing to see': 'It contains invisible characters.',
  'text direction': 'It contains characters that change the order in which text is displayed.',
  'hidden letters': 'It contains letters that models read and people cannot see.',
  control: 'It contains control characters.',
};

function phraseFlags({ place, text }: PlacedText): readonly ToolFlag[] {
  // Models read the letters without the hidden characters between them.
  const plain = hiddenRuns(text).reduceRight(
    (rest, { start, end }) => rest.slice(0, start) + rest.slice(end),
    text,
  );
  return instructionPhrases(latinLetters(plain)).map((found) => ({
    kind: 'instruction',
    place,
    sentence: `The text ${found.what}.`,
    excerpt: excerptOf(plain, found),
  }));
}

function excerptOf(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  const from = Math.max(0, start - context);
  const to = Math.min(text.length, Math.min(end, start + maxExcerpt) + context);
  const excerpt = showHidden(text.slice(from, to)).replace(/\s+/g, ' ');
  return `${from > 0 ? '…' : ''}${excerpt}${to < text.length ? '…' : ''}`;
}

/** Characters. */
const context = 40;
const maxExcerpt = 200;
