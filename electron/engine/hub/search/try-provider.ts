import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { SearchTrial } from '../../../../shared/model/search.ts';
import type { LanguageModel } from '../../search/model/contract.ts';
import { type ClassifierSources, keyOf } from './choose-classifier.ts';

type Room = typeof import('../../search/room.ts');

/** Milliseconds: a model on a person's own machine may have to be loaded first. */
const patience = 30_000;

/** Asks a provider something that tells nothing of any tool. What is ours needs no asking. */
export async function tryProvider(
  room: Room,
  { part, source }: SearchTrial,
  sources: ClassifierSources,
): Promise<void> {
  if (source.kind === 'rules' || source.kind === 'off') return;
  if (source.kind === 'sampling') return tryModel(room.samplingModel(sources.askClient));
  const { url, model } = source;
  const endpoint = { url, model, key: keyOf(source.secret, sources.secret) };
  if (part === 'classifier') {
    const make = source.kind === 'anthropic' ? room.anthropicModel : room.openAiModel;
    return tryModel(make(endpoint, patience));
  }
  const embedder = source.kind === 'ollama' ? room.ollamaEmbedder(endpoint) : room.openAiEmbedder(endpoint);
  await embedder.embed(['a test'], patience);
}

async function tryModel(model: LanguageModel): Promise<void> {
  const text = await model.ask({
    instructions: 'You are asked whether you can be reached. Answer with the JSON {"ok":true} only.',
    text: '{}',
    // Some think before they answer.
    longest: 400,
  });
  if (text.trim() !== '') return;
  throw new ProblemError(
    problem('search.provider_failed', 'The model answered, and said nothing.', 'Try another model.'),
  );
}
