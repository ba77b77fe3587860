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

/** Returns the position of a level in {@link logLevels}; -1 for anything else. */
export function logLevelIndex(level: unknown): number {
  return (logLevels as readonly unknown[]).indexOf(level);
}
