import { isRecord, parseJson } from '../../../shared/json.ts';
import type { RawMessage } from '../jsonrpc/raw-message.ts';

/** Methods whose results may refer to unlisted resources. */
export const linkingMethods: ReadonlySet<string> = new Set([
  'tools/call',
  'tasks/result',
  'prompts/get',
  'resources/read',
]);

/**
 * Collects the URIs of resources that a result links to, embeds or contains. Parses the result only if it
 * mentions a URI.
 */
export function findLinks(answer: RawMessage): readonly string[] {
  const { resultBytes: bytes } = answer;
  if (bytes === undefined) return urisOf(answer.result);
  if (bytes.length > maxScannedBytes) return [];
  return bytes.includes(uriMember) ? urisOf(parseJson(bytes.toString())) : [];
}

/** Results with more bytes are not examined. */
const maxScannedBytes = 1024 * 1024;
const uriMember = '"uri"';

function urisOf(result: unknown): readonly string[] {
  if (!isRecord(result)) return [];
  const blocks = [...listOf(result.content), ...listOf(result.contents), ...listOf(result.messages)];
  return blocks.flatMap((block) => {
    if (!isRecord(block)) return [];
    // The message of a prompt holds one block, or several from some servers.
    const inner = [block, ...listOf(block.content), block.content, block.resource].filter(isRecord);
    return inner
      .flatMap(({ uri, resource }) => [uri, isRecord(resource) ? resource.uri : undefined])
      .filter(isText);
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
