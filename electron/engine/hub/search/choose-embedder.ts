import type { MeaningSource } from '../../../../shared/model/search.ts';
import type { Embedder } from '../../search/meaning/embedder.ts';
import { type ClassifierSources, keyOf } from './choose-classifier.ts';

type Room = typeof import('../../search/room.ts');

/** Creates the embedder that the settings choose. */
export function chooseEmbedder(
  room: Room,
  { kind, url, model, secret: name }: Exclude<MeaningSource, { kind: 'off' }>,
  { secret }: Pick<ClassifierSources, 'secret'>,
): Embedder {
  const endpoint = { url, model, key: keyOf(name, secret) };
  return kind === 'ollama' ? room.ollamaEmbedder(endpoint) : room.openAiEmbedder(endpoint);
}
