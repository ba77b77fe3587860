import type { EmbeddingSource } from '../../../../shared/model/search.ts';
import type { Embedder } from '../../search/meaning/embedder.ts';
import { type ClassifierSources, keyOf } from './choose-classifier.ts';

type SearchModule = typeof import('../../search/room.ts');

/** Creates the embedder that the settings choose. */
export function chooseEmbedder(
  search: SearchModule,
  { kind, url, model, secret: name }: Exclude<EmbeddingSource, { kind: 'off' }>,
  { secret }: Pick<ClassifierSources, 'secret'>,
): Embedder {
  const endpoint = { url, model, key: keyOf(name, secret) };
  return kind === 'ollama' ? search.ollamaEmbedder(endpoint) : search.openAiEmbedder(endpoint);
}
