import { eventStream } from './events.mjs';

/** Google's generateContent, as a stream; asked for as a whole it is the client's own business. */
export const generateContent = {
  isTurn: (url, body) => url.includes(':streamGenerateContent') && Array.isArray(body.contents),
  other: () => ({ ...answerWith({ text: '{}' }), totalTokens: 1 }),
  toolsOf: ({ tools = [] }) =>
    tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
  resultsOf: ({ contents }) => {
    const { parts = [] } = contents.at(-1) ?? {};
    const isResult = parts.some(({ functionResponse }) => functionResponse !== undefined);
    // Results that are not text are separate parts beside the answering one.
    return isResult ? [parts.map((part) => JSON.stringify(part)).join('\n')] : [];
  },
  answer(_body, say) {
    const part =
      say.call === undefined ? { text: say.text } : { functionCall: { name: say.call, args: say.args } };
    return { type: eventStream, text: `data: ${JSON.stringify(answerWith(part))}\n\n` };
  },
};

const answerWith = (part) => ({
  candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
});
