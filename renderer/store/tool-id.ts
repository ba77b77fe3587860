/** Returns the canonical id of a tool, unique among all tools. */
export function toolId(tool: { readonly serverKey: string; readonly name: string }): string {
  return `${tool.serverKey}:${tool.name}`;
}
