import { z } from 'zod';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { LanguageModel } from './contract.ts';

export type AskClient = (params: Readonly<Record<string, unknown>>) => Promise<unknown>;

const resultSchema = z.object({ content: z.object({ type: z.literal('text'), text: z.string() }) });

/** The model of a client that supports sampling. The client may ask its user first, who may decline. */
export function samplingModel(askClient: AskClient): LanguageModel {
  return {
    tag: 'sampling',
    ask: async ({ instructions, text, maxTokens: longest }) => {
      const answer = resultSchema.safeParse(
        await askClient({
          systemPrompt: instructions,
          messages: [{ role: 'user', content: { type: 'text', text } }],
          maxTokens: longest,
          temperature: 0,
          includeContext: 'none',
        }),
      );
      if (answer.success) return answer.data.content.text;
      throw new ProblemError(
        problem(
          'search.provider_failed',
          'The model of the client returned no text.',
          'Choose the built-in rules or another model.',
        ),
      );
    },
  };
}
