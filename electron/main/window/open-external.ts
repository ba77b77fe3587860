import { ProblemError, problem } from '../../../shared/error/problem.ts';
import type { SystemPort } from '../ipc/handlers.ts';
import { externalLink } from './link-policy.ts';

/** Hands a link to the system if its scheme is harmless; throws ProblemError otherwise. */
export async function openExternal(url: string, system: Pick<SystemPort, 'openLink'>): Promise<void> {
  const link = externalLink(url);
  if (link === undefined) {
    const fix = 'Copy it and look at it first, if you trust where it comes from.';
    throw new ProblemError(
      problem('app.refused_link', 'Only web and mail links are opened.', fix, { link: url }),
    );
  }
  await system.openLink(link);
}
