import type { OfferedItems, TestQuestion } from '../../../shared/model/tool/tester.ts';

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAAKUlEQVR4nGP4z8Dwn4GBgYEBhP///8/AwMDAQA5gYmBgYGBgYBg1YNQAAGnTBhEn0cE2AAAAAElFTkSuQmCC';
const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const markdown = `## Open issues

There are **three** of them, see [the list](https://example.com/issues).

- The window forgets its size
- A link in the log is not opened
- ![not fetched](https://example.com/picture.png)

<script>alert(1)</script>

| number | state |
| --- | --- |
| 12 | open |
`;

/** Answers of tools, by the verb at the start of their name. */
export const sampleAnswers: Readonly<Record<string, unknown>> = {
  list: {
    content: [
      { type: 'text', text: markdown },
      { type: 'text', text: '{"total":3,"ids":[12,14,90071992547409931]}' },
    ],
    structuredContent: { total: 3, next: 'two' },
  },
  get: {
    content: [
      { type: 'text', text: 'Here is what it looks like.' },
      { type: 'image', data: pixel, mimeType: 'image/png' },
      { type: 'audio', data: silence, mimeType: 'audio/wav' },
      {
        type: 'resource_link',
        uri: 'repo://ada/engine/README.md',
        name: 'README.md',
        description: 'The first thing to read.',
        mimeType: 'text/markdown',
        size: 4096,
      },
      {
        type: 'resource',
        resource: { uri: 'repo://ada/engine/log', mimeType: 'text/plain', text: 'line one\nline two' },
      },
    ],
  },
  delete: { content: [{ type: 'text', text: 'It is protected and cannot be deleted.' }], isError: true },
};

export const sampleError = {
  code: -32602,
  message: 'Invalid arguments',
  data: { field: 'repo', given: 12345678 },
};

export const sampleOffer: OfferedItems = {
  prompts: [
    {
      name: 'review',
      title: 'Review a change',
      description: 'What a careful reader would say about a pull request.',
      definition: {
        name: 'review',
        arguments: [
          { name: 'pull', description: 'Its number.', required: true },
          { name: 'tone', description: 'How it is to be said.' },
        ],
      },
    },
  ],
  resources: [
    {
      name: 'repo://ada/engine/README.md',
      title: 'README.md',
      definition: { uri: 'repo://ada/engine/README.md', mimeType: 'text/markdown' },
    },
  ],
  templates: [
    {
      name: 'repo://{owner}/{repo}/contents{/path}',
      title: 'A file of a repository',
      definition: { uriTemplate: 'repo://{owner}/{repo}/contents{/path}' },
    },
  ],
  completes: true,
};

export const sampleQuestion: TestQuestion = {
  questionId: 'question-1',
  serverKey: 'github',
  kind: 'elicitation',
  text: JSON.stringify({
    message: 'Which branch is it to be merged into?',
    requestedSchema: {
      type: 'object',
      properties: {
        branch: { type: 'string', title: 'Branch', description: 'It has to exist already.' },
        squash: { type: 'boolean', title: 'Squash the commits', default: true },
      },
      required: ['branch'],
    },
  }),
};

export const sampleSampling: TestQuestion = {
  questionId: 'question-2',
  serverKey: 'github',
  kind: 'sampling',
  text: JSON.stringify({
    systemPrompt: 'You name branches.',
    messages: [{ role: 'user', content: { type: 'text', text: 'A branch for mending the login.' } }],
    maxTokens: 100,
  }),
};
