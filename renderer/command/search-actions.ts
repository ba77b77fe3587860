import type { Problem } from '../../shared/error/problem.ts';
import type { SearchHit, SearchSettings, SearchTrial } from '../../shared/model/search.ts';
import type { Model } from '../store/model.ts';
import { openTester, openTool } from './navigate.ts';

/** Opens what was found: a tool on its page, the others where they can be tried. */
export function openHit(
  model: Model,
  { kind, serverKey, name }: Pick<SearchHit, 'kind' | 'serverKey' | 'name'>,
): void {
  const isTemplate = kind === 'resource' && name.includes('{');
  if (kind === 'tool') openTool(model, { serverKey, name });
  else openTester(model, { serverKey, open: { kind: isTemplate ? 'template' : kind, name } });
}

/** Saves who classifies and whether meaning counts; resolves to what stopped it. */
export async function configureSearch(model: Model, settings: SearchSettings): Promise<Problem | undefined> {
  const answer = await model.link.call('search.configure', settings);
  return answer.ok ? undefined : answer.problem;
}

/** What came of asking a provider once. */
export type TrialState =
  | { readonly kind: 'untried' | 'asking' }
  | { readonly kind: 'answered'; readonly milliseconds: number }
  | { readonly kind: 'failed'; readonly problem: Problem };

export async function tryProvider(model: Model, trial: SearchTrial): Promise<TrialState> {
  const answer = await model.link.call('search.test', trial);
  return answer.ok ? { kind: 'answered', ...answer.value } : { kind: 'failed', problem: answer.problem };
}
