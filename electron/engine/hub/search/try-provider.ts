import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { SearchTrial } from '../../../../shared/model/search.ts';
import type { LanguageModel } from '../../search/model/contract.ts';
import { type ClassifierSources, keyOf } from './choose-classifier.ts';
import { chooseEmbedder } from './choose-embedder.ts';

type Room = typeof import('../../search/room.ts');

/** Milliseconds: a local model may have to be loaded first. */
const patience = 30_000;

/** Sends a provider a request that reveals nothing about any tool. Built-in rules need no test. */
export async function tryProvider(room: Room, trial: SearchTrial, sources: ClassifierSources): Promise<void> {
  if (trial.part === 'meaning') {
    if (trial.source.kind === 'off') return;
    await chooseEmbedder(room, trial.source, sources).embed(['a test'], patience);
    return;
  }
  const { source } = trial;
  if (source.kind === 'rules') return;
  if (source.kind === 'sampling') return tryModel(room.samplingModel(sources.askClient));
  const { url, model } = source;
  const endpoint = { url, model, key: keyOf(source.secret, sources.secret) };
  const make = source.kind === 'anthropic' ? room.anthropicModel : room.openAiModel;
  return tryModel(make(endpoint, patience));
}

async function tryModel(model: LanguageModel): Promise<void> {
  const text = await model.ask({
    instructions: 'You are asked whether you can be reached. Answer with the JSON {"ok":true} only.',
    text: '{}',
    // Reasoning models use tokens before they answer.
    longest: 400,
  });
  if (text.trim() !== '') return;
  throw new ProblemError(
    problem('search.provider_failed', 'The model sent an empty answer.', 'Try another model.'),
  );
}
