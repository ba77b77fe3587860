import type { Expectation, TestAnswer, TestOutcome } from '../../../shared/model/tool/tester.ts';
import { type Shape, shapeDifferences } from './shape.ts';

/** Returns how an answer differs from what a check expects, one sentence each; empty if it is right. */
export function compareWithCheck(
  { outcome, shape, contains }: Expectation,
  answer: Pick<TestAnswer, 'outcome'> & { readonly text: string },
): readonly string[] {
  const differences = [
    ...(outcome === answer.outcome
      ? []
      : [`It ended with ${outcomeTexts[answer.outcome]}, not with ${outcomeTexts[outcome]}.`]),
    ...(contains === undefined || answer.text.includes(contains)
      ? []
      : [`The answer does not contain ${JSON.stringify(contains.slice(0, 100))}.`]),
    ...(shape === undefined ? [] : compareShape(shape, answer.text)),
  ];
  return differences.length <= maxDifferences
    ? differences
    : [...differences.slice(0, maxDifferences), `And ${differences.length - maxDifferences} more.`];
}

const maxDifferences = 20;

const outcomeTexts: Readonly<Record<TestOutcome, string>> = {
  ok: 'a result',
  'tool-error': 'a result that says the tool failed',
  error: 'a server error',
  timeout: 'no answer in time',
  cancelled: 'a cancellation',
  lost: 'a lost connection',
  refused: 'a refusal: no server got it',
};

function compareShape(shape: string, text: string): readonly string[] {
  try {
    return shapeDifferences(JSON.parse(shape) as Shape, JSON.parse(text));
  } catch {
    return ['The answer is not JSON.'];
  }
}
