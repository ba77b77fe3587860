import type { Problem } from '../../../shared/error/problem.ts';
import type { SearchHit, SearchSettings, SearchTrial } from '../../../shared/model/tool/search.ts';
import type { Model } from '../../store/model.ts';
import { openTester, openTool } from '../navigate.ts';

/** Opens a search hit: a tool on its page, others in the tester. */
export function openHit(
  model: Model,
  { kind, serverKey, name }: Pick<SearchHit, 'kind' | 'serverKey' | 'name'>,
): void {
  const isTemplate = kind === 'resource' && name.includes('{');
  if (kind === 'tool') openTool(model, { serverKey, name });
  else openTester(model, { serverKey, open: { kind: isTemplate ? 'template' : kind, name } });
}

/** Saves the classifier and the semantic search provider; resolves to the problem, if any. */
export async function configureSearch(model: Model, settings: SearchSettings): Promise<Problem | undefined> {
  const answer = await model.link.call('search.configure', settings);
  return answer.ok ? undefined : answer.problem;
}

/** Result of a test request to a provider. */
export type TrialState =
  | { readonly kind: 'untried' | 'asking' }
  | { readonly kind: 'answered'; readonly milliseconds: number }
  | { readonly kind: 'failed'; readonly problem: Problem };

export async function tryProvider(model: Model, trial: SearchTrial): Promise<TrialState> {
  const answer = await model.link.call('search.test', trial);
  return answer.ok ? { kind: 'answered', ...answer.value } : { kind: 'failed', problem: answer.problem };
}
