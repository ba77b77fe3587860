import { isDeeperThan, parseJson } from '../../../../../shared/json.ts';

/** Maximum depth of what is read, since parsers and printers are recursive. */
export const maxDepth = 200;

/** Returns undefined if the text is not JSON, or is nested too deeply. */
export function parsePastedJson(text: string): unknown {
  const value = parseJson(text);
  return isDeeperThan(value, maxDepth) ? undefined : value;
}
