import { findNodeAtLocation, parseTree } from 'jsonc-parser';

/** Returns the text of a property as written in the JSON; falls back to serializing `value`. */
export function memberText(text: string, name: string, value: unknown): string {
  const root = parseTree(text);
  const node = root && findNodeAtLocation(root, [name]);
  return node === undefined ? JSON.stringify(value) : text.slice(node.offset, node.offset + node.length);
}
