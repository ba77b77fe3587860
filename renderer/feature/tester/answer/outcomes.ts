import { Ban, CircleCheck, ClockAlert, type LucideIcon, OctagonX, Unplug } from 'lucide-react';
import type { TestOutcome } from '../../../../shared/model/tool/tester.ts';

/** Labels, icons and tones of run outcomes. */
export const outcomes: Readonly<
  Record<TestOutcome, { readonly words: string; readonly icon: LucideIcon; readonly tone: string }>
> = {
  ok: { words: 'Succeeded', icon: CircleCheck, tone: 'good' },
  'tool-error': { words: 'The tool failed', icon: OctagonX, tone: 'bad' },
  error: { words: 'Server error', icon: OctagonX, tone: 'bad' },
  timeout: { words: 'Timed out', icon: ClockAlert, tone: 'warning' },
  cancelled: { words: 'Cancelled', icon: Ban, tone: 'quiet' },
  lost: { words: 'Connection lost', icon: Unplug, tone: 'bad' },
  refused: { words: 'Not run', icon: Ban, tone: 'warning' },
};
