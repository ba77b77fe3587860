import type { CatalogueView } from '../catalogue/contract.ts';
import { statusTool } from '../catalogue/status-tool.ts';

export function statusAnswer(text: string): unknown {
  return { content: [{ type: 'text', text }] };
}

/** For a client that goes by the list of before: there is nothing wrong any more. Undefined where something still is. */
export function listedMeanwhile({ tools, isWhole }: CatalogueView): string | undefined {
  if (!isWhole) return undefined;
  const count = tools.filter(({ name }) => name !== statusTool.name).length;
  if (count === 0) return undefined;
  return `Patchbay has ${count === 1 ? '1 tool' : `${count} tools`} for this client now. List the tools again.`;
}
