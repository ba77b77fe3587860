import type { DefinitionPart, DifferenceLine, HeldTool, ToolReview } from '../../shared/model/guard.ts';
import { heldWord } from './choose-held.ts';

/** One held tool for a terminal: what it is now against what was approved, and what in it is worth a look. */
export function heldText({ blocked }: HeldTool, review: ToolReview): string {
  const { serverKey, flags, parts, isBeforeLost } = review;
  const state = blocked ? 'denied' : review.state;
  const changed = parts.filter(({ isChanged }) => isChanged);
  return [
    `${serverKey}  ${safe(heldWord(review))}  (${state})`,
    ...flags.map(
      ({ sentence, place, excerpt }) => `  ! ${safe(sentence)} (${safe(place)}: ${safe(excerpt)})`,
    ),
    ...(isBeforeLost ? ['  What was approved is not known any more; this is the whole definition.'] : []),
    ...changed.flatMap(partLines),
  ].join('\n');
}

/** The same in one line, without the definition. */
export function shortText({ serverKey, blocked, ...tool }: HeldTool): string {
  return `${serverKey}  ${safe(heldWord(tool))}  (${blocked ? 'denied' : tool.kind})`;
}

function partLines({ part, lines }: DefinitionPart): readonly string[] {
  return [`  ${safe(part)}:`, ...lines.map((line) => `    ${lineText(line)}`)];
}

function lineText(line: DifferenceLine): string {
  if (line.kind === 'gap') return `… ${line.lines} lines that are the same`;
  const sign = { same: ' ', added: '+', removed: '-' }[line.kind];
  return `${sign} ${safe(line.pieces.map(({ text }) => text).join(''))}`;
}

/** A definition must not move the cursor or change the colours of whoever reads it. */
function safe(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => JSON.stringify(character).slice(1, -1));
}
