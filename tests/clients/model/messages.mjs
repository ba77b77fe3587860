import { eventStream, typedEvents } from './events.mjs';

/** Anthropic's Messages, as a stream. */
export const messages = {
  isTurn: (url, body) => /^\/v1\/messages(\?|$)/.test(url) && Array.isArray(body.messages),
  other: () => ({ input_tokens: 1 }),
  toolsOf: ({ tools = [] }) => tools.map(({ name }) => name),
  resultsOf: ({ messages: all }) =>
    all
      .slice(all.findLastIndex(({ role }) => role === 'assistant') + 1)
      .flatMap(contentOf)
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => JSON.stringify(content)),
  answer({ model }, say, turn) {
    const isCall = say.call !== undefined;
    const [block, delta] = isCall ? callBlock(say, turn) : textBlock(say);
    const message = {
      id: `msg_${turn}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    const text = typedEvents([
      ['message_start', { message }],
      ['content_block_start', { index: 0, content_block: block }],
      ['content_block_delta', { index: 0, delta }],
      ['content_block_stop', { index: 0 }],
      [
        'message_delta',
        {
          delta: { stop_reason: isCall ? 'tool_use' : 'end_turn', stop_sequence: null },
          usage: { output_tokens: 1 },
        },
      ],
      ['message_stop', {}],
    ]);
    return { type: eventStream, text };
  },
};

const contentOf = (message) => (Array.isArray(message?.content) ? message.content : []);

const callBlock = ({ call, args }, turn) => [
  { type: 'tool_use', id: `toolu_${turn}`, name: call, input: {} },
  { type: 'input_json_delta', partial_json: JSON.stringify(args) },
];

const textBlock = ({ text }) => [
  { type: 'text', text: '' },
  { type: 'text_delta', text },
];
