import type { RawItem } from '../contract.ts';

type HubTool = RawItem & { readonly name: string };

/**
 * The tools through which a client with a short list reaches all others. Their texts do not depend on the
 * servers, so the list never changes.
 */
export const searchTool: HubTool = {
  name: 'search_tools',
  title: 'Search tools',
  description:
    'Finds tools by what they do. Most tools are not in your list: search before you say that something cannot be done. Answers with names and short descriptions, best first.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What you want to do, in a few words' },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 50,
        description: 'Maximum number of results (default 10)',
      },
    },
    required: ['query'],
  },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
};

export const describeTool: HubTool = {
  name: 'describe_tool',
  title: 'Describe a tool',
  description:
    'Returns the full definition of a tool, with the schema of its arguments. Read it before the first call.',
  inputSchema: {
    type: 'object',
    properties: { name: { type: 'string', description: 'Name as returned by search_tools' } },
    required: ['name'],
  },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
};

/** The annotations promise nothing, because the effect depends on the called tool. */
export const callTool: HubTool = {
  name: 'call_tool',
  title: 'Call a tool',
  description: 'Calls a tool that search_tools found, and returns its result unchanged.',
  inputSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Name as returned by search_tools' },
      arguments: {
        type: 'object',
        description: 'Arguments of that tool, as its definition requires',
        additionalProperties: true,
      },
    },
    required: ['name'],
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
};

export const compactTools: readonly HubTool[] = [searchTool, describeTool, callTool];
