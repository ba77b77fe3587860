import { Ban, CircleCheck, ClockAlert, type LucideIcon, OctagonX, Unplug } from 'lucide-react';
import type { TestOutcome } from '../../../shared/model/tester.ts';

/** How runs end, in words. */
export const outcomes: Readonly<
  Record<TestOutcome, { readonly words: string; readonly icon: LucideIcon; readonly tone: string }>
> = {
  ok: { words: 'Answered', icon: CircleCheck, tone: 'good' },
  'tool-error': { words: 'The tool failed', icon: OctagonX, tone: 'bad' },
  error: { words: 'Error of the server', icon: OctagonX, tone: 'bad' },
  timeout: { words: 'No answer in time', icon: ClockAlert, tone: 'warning' },
  cancelled: { words: 'Cancelled', icon: Ban, tone: 'quiet' },
  lost: { words: 'Connection lost', icon: Unplug, tone: 'bad' },
  refused: { words: 'Not run', icon: Ban, tone: 'warning' },
};
