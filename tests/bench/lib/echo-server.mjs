/**
 * Returns the tools of the bench's servers: `echo` and as many more as asked for, each about as long as real
 * ones.
 */
export function listOf(count) {
  return Array.from({ length: count }, (_, index) => (index === 0 ? echoTool : numberedTool(index)));
}

/** The answer of a server that was written for nothing but this; undefined for a notification. */
export function answerTo({ id, method, params }) {
  if (id === undefined) return undefined;
  const answer = (result) => ({ jsonrpc: '2.0', id, result });
  switch (method) {
    case 'initialize':
      return answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo });
    case 'ping':
      return answer({});
    default:
      return { jsonrpc: '2.0', id, error: { code: -32601, message: `Method not found: ${method}` } };
  }
}

/** The answer of one without sessions to `server/discover`. */
export const discovered = ({ id }) => ({
  jsonrpc: '2.0',
  id,
  result: {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
  },
});

export const serverInfo = { name: 'bench', version: '1.0.0' };

const echoTool = {
  name: 'echo',
  description: 'Gives its text back',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};

function numberedTool(number) {
  return {
    name: `tool_${number}`,
    title: `Tool number ${number}`,
    description: `Looks something up in collection ${number} and gives back what it found there, the newest first.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What to look for' },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['query'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}
