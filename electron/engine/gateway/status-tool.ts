import type { CatalogueView } from '../catalogue/contract.ts';
import { statusTool } from '../catalogue/status-tool.ts';

export function statusAnswer(text: string): unknown {
  return { content: [{ type: 'text', text }] };
}

/**
 * Returns the answer for a client with an outdated list once tools are available; undefined while they are
 * not.
 */
export function toolsNowListed({ tools, isComplete: isWhole }: CatalogueView): string | undefined {
  if (!isWhole) return undefined;
  const count = tools.filter(({ name }) => name !== statusTool.name).length;
  if (count === 0) return undefined;
  return `Patchbay has ${count === 1 ? '1 tool' : `${count} tools`} for this client now. List the tools again.`;
}
