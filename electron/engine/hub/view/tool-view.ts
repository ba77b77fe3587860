import { isRecord } from '../../../../shared/json.ts';
import type { AutoApproved } from '../../../../shared/model/tool/guard.ts';
import type { ToolSummary } from '../../../../shared/model/tool/tool.ts';
import type { CatalogueServer, RawItem } from '../../catalogue/contract.ts';

/** Returns how a tool's definition was recently approved automatically. */
type PassedOf = (name: string) => AutoApproved | undefined;

/** Summarises the tools of one server for lists; descriptions are cut, the detail view has the whole text. */
export function toolSummaries(
  server: CatalogueServer,
  disabled: ReadonlySet<string>,
  passedOf: PassedOf,
): readonly ToolSummary[] {
  return server.offer.tools.flatMap((tool) => {
    const name = text(tool.name);
    return name === undefined ? [] : [toolSummary(server, name, tool, !disabled.has(name), passedOf)];
  });
}

/** Summarises one tool for lists. */
export function toolSummary(
  server: Pick<CatalogueServer, 'key' | 'strict' | 'heldTools'>,
  name: string,
  tool: RawItem,
  enabled: boolean,
  passedOf: PassedOf,
): ToolSummary {
  const annotations = isRecord(tool.annotations) ? tool.annotations : {};
  const title = text(tool.title) ?? text(annotations.title);
  const description = text(tool.description)?.slice(0, maxDescription);
  const passed = passedOf(name);
  return {
    serverKey: server.key,
    name,
    enabled,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(typeof annotations.readOnlyHint === 'boolean' ? { readOnly: annotations.readOnlyHint } : {}),
    ...(typeof annotations.destructiveHint === 'boolean' ? { destructive: annotations.destructiveHint } : {}),
    ...(server.heldTools.has(name) ? { held: true as const } : {}),
    ...(passed === undefined ? {} : { passed }),
    ...(server.strict.has(tool) ? { unfit: true as const } : {}),
  };
}

/** Characters of a description in a list row; 10,000 tools are sent to the window at once. */
const maxDescription = 400;

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
