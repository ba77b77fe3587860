import type { ConnectProof } from '../../../../shared/model/connect.ts';
import { maskText, maskValue } from '../edit/mask-line.ts';

type TranscriptLine = ConnectProof['transcript'][number];

/** What goes over the wire, as people may see it: masked, long lines cut, not without end. */
export interface Transcript {
  readonly lines: readonly TranscriptLine[];
  add(direction: TranscriptLine['direction'], text: string): void;
}

export function createTranscript(since: () => number): Transcript {
  const lines: TranscriptLine[] = [];
  return {
    lines,
    add(direction, text) {
      if (lines.length < mostLines) lines.push({ direction, at: since(), text: shown(text) });
    },
  };
}

const mostLines = 200;
const longest = 2_000;

function shown(text: string): string {
  const masked = maskLine(text);
  return masked.length <= longest ? masked : `${masked.slice(0, longest)}… (${text.length} characters)`;
}

function maskLine(text: string): string {
  try {
    return JSON.stringify(maskValue(JSON.parse(text)));
  } catch {
    return maskText(text.trimEnd());
  }
}
