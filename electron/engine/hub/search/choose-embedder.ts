import type { MeaningSource } from '../../../../shared/model/search.ts';
import type { Clock } from '../../base/clock.ts';
import type { EmbeddingProgram } from '../../search/contract.ts';
import type { Embedder } from '../../search/meaning/embedder.ts';
import { type ClassifierSources, keyOf } from './choose-classifier.ts';

type Room = typeof import('../../search/room.ts');

export interface EmbedderSources extends Pick<ClassifierSources, 'secret'> {
  readonly clock: Clock;
  /** Runs local models; without it, none can be used. */
  readonly embedding?: EmbeddingProgram | undefined;
}

/**
 * Creates the embedder that the settings choose. Rejects with `search.model_unusable` if there is no model.
 */
export async function chooseEmbedder(
  room: Room,
  source: Exclude<MeaningSource, { kind: 'off' }>,
  { clock, embedding, secret }: EmbedderSources,
): Promise<Embedder> {
  if (source.kind !== 'folder') {
    const { kind, url, model } = source;
    const endpoint = { url, model, key: keyOf(source.secret, secret) };
    return kind === 'ollama' ? room.ollamaEmbedder(endpoint) : room.openAiEmbedder(endpoint);
  }
  const files = await room.findModel(source.folder);
  if (embedding === undefined)
    throw room.unusable(source.folder, 'this program cannot run models', 'Use the app or `patchbay serve`.');
  return new room.FolderEmbedder(files, embedding, clock);
}
