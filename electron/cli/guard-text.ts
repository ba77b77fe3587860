import type {
  DefinitionPart,
  DifferenceLine,
  QuarantinedTool,
  ToolReview,
} from '../../shared/model/guard.ts';
import { printableWord } from '../engine/base/printable.ts';
import { toolReference } from './choose-held.ts';

/** Formats a quarantined tool for a terminal: the changes since the approved version, and the findings. */
export function quarantinedText({ blocked }: QuarantinedTool, review: ToolReview): string {
  const { serverKey, flags, parts, isBeforeLost } = review;
  const state = blocked ? 'denied' : review.state;
  const changed = parts.filter(({ isChanged }) => isChanged);
  return [
    `${printableWord(serverKey)}  ${printableWord(toolReference(review))}  (${state})`,
    ...flags.map(
      ({ sentence, place, excerpt }) =>
        `  ! ${printableWord(sentence)} (${printableWord(place)}: ${printableWord(excerpt)})`,
    ),
    ...(isBeforeLost ? ['  The approved version is no longer known; this is the full definition.'] : []),
    ...changed.flatMap(partLines),
  ].join('\n');
}

/** The same on one line, without the definition. */
export function quarantinedLine({ serverKey, blocked, ...tool }: QuarantinedTool): string {
  return `${printableWord(serverKey)}  ${printableWord(toolReference(tool))}  (${blocked ? 'denied' : tool.kind})`;
}

function partLines({ part, lines }: DefinitionPart): readonly string[] {
  return [`  ${printableWord(part)}:`, ...lines.map((line) => `    ${lineText(line)}`)];
}

function lineText(line: DifferenceLine): string {
  if (line.kind === 'gap') return `… ${line.lines} unchanged lines`;
  const sign = { same: ' ', added: '+', removed: '-' }[line.kind];
  return `${sign} ${printableWord(line.pieces.map(({ text }) => text).join(''))}`;
}
