import { findNodeAtLocation, parseTree } from 'jsonc-parser';

/** A member of a JSON object as it is written; `value` as JSON where it is not found. */
export function memberText(text: string, name: string, value: unknown): string {
  const root = parseTree(text);
  const node = root && findNodeAtLocation(root, [name]);
  return node === undefined ? JSON.stringify(value) : text.slice(node.offset, node.offset + node.length);
}
