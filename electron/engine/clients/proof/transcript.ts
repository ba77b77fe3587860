import type { ConnectProof } from '../../../../shared/model/client/connect.ts';
import { maskJson } from '../../base/mask/mask-json.ts';

type TranscriptLine = ConnectProof['transcript'][number];

/** The messages on the wire, safe to show: masked, with long lines cut, and limited in number. */
export interface Transcript {
  readonly lines: readonly TranscriptLine[];
  add(direction: TranscriptLine['direction'], text: string): void;
}

export function createTranscript(since: () => number): Transcript {
  const lines: TranscriptLine[] = [];
  return {
    lines,
    add(direction, text) {
      if (lines.length < maxLines) lines.push({ direction, at: since(), text: maskedText(text) });
    },
  };
}

const maxLines = 200;

function maskedText(text: string): string {
  return maskJson(text.trimEnd(), { maxLength: 2_000, maxStringLength: 500 }).text;
}
