import type { ProviderChoice } from './provider-draft.ts';

const openAi = {
  kind: 'openai',
  label: 'OpenAI-compatible API',
  url: 'https://api.openai.com/v1',
} as const;

export const classifierChoices: readonly ProviderChoice[] = [
  { kind: 'rules', label: 'Rules on this computer' },
  openAi,
  { kind: 'anthropic', label: 'Anthropic', url: 'https://api.anthropic.com' },
  { kind: 'sampling', label: 'A connected client’s model' },
];

export const semanticSearchChoices: readonly ProviderChoice[] = [
  { kind: 'off', label: 'Off (words only)' },
  { kind: 'ollama', label: 'Ollama', url: 'http://127.0.0.1:11434' },
  openAi,
];
