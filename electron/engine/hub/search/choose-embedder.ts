import type { EmbeddingSource } from '../../../../shared/model/search.ts';
import type { Clock } from '../../base/clock.ts';
import type { EmbeddingProgram } from '../../search/contract.ts';
import type { Embedder } from '../../search/meaning/embedder.ts';
import { type ClassifierSources, keyOf } from './choose-classifier.ts';

type SearchModule = typeof import('../../search/room.ts');

export interface EmbedderSources extends Pick<ClassifierSources, 'secret'> {
  readonly clock: Clock;
  /** Runs local models; without it, none can be used. */
  readonly embedding?: EmbeddingProgram | undefined;
}

/**
 * Creates the embedder that the settings choose. Rejects with `search.model_unusable` if there is no model.
 */
export async function chooseEmbedder(
  search: SearchModule,
  source: Exclude<EmbeddingSource, { kind: 'off' }>,
  { clock, embedding, secret }: EmbedderSources,
): Promise<Embedder> {
  if (source.kind !== 'folder') {
    const { kind, url, model } = source;
    const endpoint = { url, model, key: keyOf(source.secret, secret) };
    return kind === 'ollama' ? search.ollamaEmbedder(endpoint) : search.openAiEmbedder(endpoint);
  }
  const files = await search.findModel(source.folder);
  if (embedding === undefined)
    throw search.unusableModel(
      source.folder,
      'this program cannot run models',
      'Use the app or `patchbay serve`.',
    );
  return new search.FolderEmbedder(files, embedding, clock);
}
