/** The severities of log messages in MCP, most verbose first. */
export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

export type McpLogLevel = (typeof logLevels)[number];

/**
 * Returns the position of a level in {@link logLevels}, in any case and by its name in other programs; -1 for
 * anything else.
 */
export function logLevelIndex(level: unknown): number {
  const known = (logLevels as readonly unknown[]).indexOf(level);
  if (known !== -1 || typeof level !== 'string' || level.length > 20) return known;
  const name = level.trim().toLowerCase();
  return logLevels.indexOf((aliases.get(name) ?? name) as McpLogLevel);
}

/** Returns the level that is meant, see {@link logLevelIndex}. */
export function logLevelOf(level: unknown): McpLogLevel | undefined {
  return logLevels[logLevelIndex(level)];
}

/** Names of levels in other programs. */
const aliases: ReadonlyMap<string, McpLogLevel> = new Map([
  ['all', 'debug'],
  ['silly', 'debug'],
  ['trace', 'debug'],
  ['verbose', 'debug'],
  ['information', 'info'],
  ['warn', 'warning'],
  ['err', 'error'],
  ['crit', 'critical'],
  ['fatal', 'critical'],
  ['emerg', 'emergency'],
  ['panic', 'emergency'],
]);
