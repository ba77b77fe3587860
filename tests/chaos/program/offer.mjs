const inputSchema = { type: 'object' };

/** Annotations that say whether a tool may be run again without asking. */
const annotations = {
  safe: { readOnlyHint: true },
  idempotent: { idempotentHint: true, destructiveHint: false },
};

const tools = [
  { name: 'here', description: 'Shows that it is there', inputSchema, annotations: annotations.safe },
  { name: 'echo', description: 'Gives back who called', inputSchema, annotations: annotations.safe },
  {
    name: 'slow',
    description: 'Takes its time and tells how far it is',
    inputSchema,
    annotations: annotations.safe,
  },
  {
    name: 'read',
    description: 'Notes that it was run; reads only',
    inputSchema,
    annotations: annotations.safe,
  },
  {
    name: 'put',
    description: 'Notes that it was run; may be repeated',
    inputSchema,
    annotations: annotations.idempotent,
  },
  { name: 'write', description: 'Notes that it was run; must not be repeated', inputSchema },
  { name: 'ask', description: 'Asks its client something first', inputSchema },
  { name: 'fail', description: 'Fails with an error of its own', inputSchema },
  { name: 'crash', description: 'Ends the server instead of answering', inputSchema },
  { name: 'hang', description: 'Stops the whole server for a while', inputSchema },
  { name: 'garbage', description: 'Says what is no message, then answers', inputSchema },
  { name: 'log', description: 'Writes a log message that names its client', inputSchema },
  { name: 'change', description: 'Adds or removes a tool', inputSchema },
];

export function toolsOf({ extra }) {
  return extra ? [...tools, { name: 'extra', description: 'Comes and goes', inputSchema }] : tools;
}

export const resourcesOf = (key) =>
  ['a', 'b'].map((name) => ({ uri: `chaos://${key}/${name}`, name: `${key} ${name}` }));

export const prompts = [{ name: 'greet', arguments: [{ name: 'client' }, { name: 'call' }] }];
