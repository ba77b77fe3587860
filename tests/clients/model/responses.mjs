import { eventStream, typedEvents } from './events.mjs';

/** OpenAI's Responses, as a stream. Tools of a server may stand in a namespace: `server|tool` is what they are called here. */
export const responses = {
  isTurn: (url, body) => url.includes('/responses') && Array.isArray(body.input),
  other: () => ({ data: [], models: [] }),
  toolsOf: ({ tools = [] }) => tools.flatMap(namesOf),
  resultsOf: ({ input }) => {
    const last = input.findLastIndex(({ type }) => type === 'function_call');
    return input
      .slice(last + 1)
      .filter(({ type }) => type === 'function_call_output')
      .map(({ output }) => (typeof output === 'string' ? output : JSON.stringify(output)));
  },
  answer(_body, say, turn) {
    const usage = {
      input_tokens: 1,
      input_tokens_details: null,
      output_tokens: 1,
      output_tokens_details: null,
    };
    const id = `resp_${turn}`;
    const text = typedEvents([
      ['response.created', { response: { id } }],
      ['response.output_item.done', { output_index: 0, item: itemOf(say, turn) }],
      ['response.completed', { response: { id, usage: { ...usage, total_tokens: 2 } } }],
    ]);
    return { type: eventStream, text };
  },
};

const namesOf = ({ type, name, tools = [] }) =>
  type === 'namespace' ? tools.map((tool) => `${name}|${tool.name}`) : [name ?? type];

function itemOf({ call, args, text }, turn) {
  if (call === undefined)
    return {
      type: 'message',
      role: 'assistant',
      id: `msg_${turn}`,
      content: [{ type: 'output_text', text }],
    };
  const [name, namespace] = call.split('|').reverse();
  return {
    type: 'function_call',
    id: `fc_${turn}`,
    call_id: `call_${turn}`,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    arguments: JSON.stringify(args),
  };
}
