import { describe, expect, it } from 'vitest';
import {
  classifierChoices,
  semanticSearchChoices,
} from '../../../../renderer/feature/settings/search/provider-choices.ts';
import {
  destinationText,
  draftOf,
  readDraft,
  sendsKeyUnencrypted,
  withKind,
} from '../../../../renderer/feature/settings/search/provider-draft.ts';

describe('a draft of a model provider', () => {
  it('starts with the default address, and keeps a typed one', () => {
    const rules = draftOf({ kind: 'rules' });
    const openAi = withKind(rules, 'openai', classifierChoices);
    expect(openAi.url).toBe('https://api.openai.com/v1');
    expect(withKind(openAi, 'anthropic', classifierChoices).url).toBe('https://api.anthropic.com');
    const own = { ...openAi, url: 'http://127.0.0.1:8080/v1' };
    expect(withKind(own, 'anthropic', classifierChoices).url).toBe('http://127.0.0.1:8080/v1');
  });

  it('is a source once it has an address and a model', () => {
    const draft = withKind(draftOf({ kind: 'off' }), 'ollama', semanticSearchChoices);
    expect(readDraft(draft, semanticSearchChoices)).toMatchObject({
      kind: 'incomplete',
      model: expect.any(String),
    });
    expect(readDraft({ ...draft, model: 'm', url: 'ftp://x' }, semanticSearchChoices)).toMatchObject({
      kind: 'incomplete',
      url: expect.any(String),
    });
    const source = { kind: 'ollama', url: 'http://127.0.0.1:11434', model: 'm', secret: 'KEY' } as const;
    expect(readDraft({ ...draft, model: ' m ', secret: 'KEY' }, semanticSearchChoices)).toEqual({
      kind: 'ready',
      source,
    });
    expect(draftOf(source)).toEqual({ ...draft, model: 'm', secret: 'KEY' });
    expect(readDraft(draftOf({ kind: 'sampling' }), classifierChoices)).toEqual({
      kind: 'ready',
      source: { kind: 'sampling' },
    });
  });

  it('[NFR-SEC3] says where texts are sent, and when a key would be readable in transit', () => {
    expect(destinationText('https://api.example.com/v1')).toBe('api.example.com');
    expect(destinationText('http://127.0.0.1:11434')).toBe('127.0.0.1:11434, a program on this computer');
    const keyed = { kind: 'openai', model: 'm', secret: 'KEY' } as const;
    expect(sendsKeyUnencrypted({ ...keyed, url: 'http://example.com' })).toBe(true);
    expect(sendsKeyUnencrypted({ ...keyed, url: 'https://example.com' })).toBe(false);
    expect(sendsKeyUnencrypted({ ...keyed, url: 'http://localhost:1' })).toBe(false);
    expect(sendsKeyUnencrypted({ ...keyed, secret: null, url: 'http://example.com' })).toBe(false);
  });
});
