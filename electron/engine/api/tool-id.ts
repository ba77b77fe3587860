import { createHash } from 'node:crypto';

/** Returns a stable tool id that does not depend on the server's current name (UUID version 8). */
export function toolId(serverId: string, name: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([serverId, name]))
    .digest();
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const hex = digest.toString('hex', 0, 16);
  return [8, 12, 16, 20, 32].map((end, index, ends) => hex.slice(ends[index - 1] ?? 0, end)).join('-');
}
