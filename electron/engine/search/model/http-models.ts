import { z } from 'zod';
import type { LanguageModel, ModelEndpoint } from './contract.ts';
import { postJson, providerFailed } from './post-json.ts';

/** Milliseconds for a batch of tools: small local models are slow. */
const defaultTimeoutMs = 60_000;

const openAiAnswer = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

/** A model behind an OpenAI-compatible endpoint, as most are, including local ones. */
export function openAiModel({ url, model, key }: ModelEndpoint, timeoutMs = defaultTimeoutMs): LanguageModel {
  return {
    tag: `openai ${url} ${model}`,
    ask: async ({ instructions, text, maxTokens: longest }) => {
      const secret = key();
      const answer = await postJson({
        url: joinUrl(url, 'chat/completions'),
        headers: secret === undefined ? {} : { authorization: `Bearer ${secret}` },
        body: {
          model,
          temperature: 0,
          max_tokens: longest,
          response_format: { type: 'json_object' },
          messages: [
            { role: 'system', content: instructions },
            { role: 'user', content: text },
          ],
        },
        timeoutMs: timeoutMs,
      });
      return read(url, openAiAnswer, answer).choices[0]?.message.content ?? '';
    },
  };
}

const anthropicAnswer = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })).min(1),
});

/** A model behind Anthropic's API. */
export function anthropicModel(
  { url, model, key }: ModelEndpoint,
  timeoutMs = defaultTimeoutMs,
): LanguageModel {
  return {
    tag: `anthropic ${url} ${model}`,
    ask: async ({ instructions, text, maxTokens: longest }) => {
      const secret = key();
      const answer = await postJson({
        url: joinUrl(url, 'v1/messages'),
        headers: {
          'anthropic-version': '2023-06-01',
          ...(secret === undefined ? {} : { 'x-api-key': secret }),
        },
        body: {
          model,
          max_tokens: longest,
          system: instructions,
          messages: [{ role: 'user', content: text }],
        },
        timeoutMs: timeoutMs,
      });
      const { content } = read(url, anthropicAnswer, answer);
      return content.map((part) => part.text ?? '').join('');
    },
  };
}

/** Joins the path to a base URL that may already contain its first part. */
export function joinUrl(url: string, path: string): string {
  const base = url.replace(/(?<!\/)\/+$/, '');
  const [first = ''] = path.split('/');
  return base.endsWith(`/${first}`) ? `${base.slice(0, -first.length - 1)}/${path}` : `${base}/${path}`;
}

function read<T>(url: string, schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw providerFailed(url, 'its answer has an unexpected format');
  return parsed.data;
}
