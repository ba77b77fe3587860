import { printJson } from '../../../../shared/json.ts';
import { logLevelIndex, logLevels, type McpLogLevel } from '../../../../shared/model/server/log-levels.ts';
import type { Caller } from './contract.ts';

/** The minimum log level that each session has requested. */
export class LogLevels {
  readonly #levels = new Map<Caller, McpLogLevel>();

  set(caller: Caller, level: McpLogLevel): void {
    this.#levels.set(caller, level);
  }

  delete(caller: Caller): void {
    this.#levels.delete(caller);
  }

  /**
   * Returns the level to request from a server: the most verbose level of the sessions that see it; undefined
   * if no session set one.
   */
  levelFor(serverKey: string): McpLogLevel | undefined {
    let lowest: number | undefined;
    for (const [caller, level] of this.#levels) {
      if (!sees(caller, serverKey)) continue;
      lowest = Math.min(lowest ?? Number.POSITIVE_INFINITY, logLevelIndex(level));
    }
    return lowest === undefined ? undefined : logLevels[lowest];
  }

  /**
   * Returns the sessions that requested this level. An unknown level passes, because the reader may know it.
   */
  sessionsFor(serverKey: string, level: unknown): readonly Caller[] {
    return [...this.#levels.keys()].filter((caller) => this.admits(caller, serverKey, level));
  }

  /**
   * Checks whether a session gets a message that its own call caused. A session that never set a level gets
   * what the server sends by default; that other sessions made the server more verbose must not show.
   */
  admits(caller: Caller, serverKey: string, level: unknown): boolean {
    if (!sees(caller, serverKey)) return false;
    const requested = this.#levels.get(caller) ?? (this.levelFor(serverKey) === undefined ? 'debug' : 'info');
    const known = logLevelIndex(level);
    return known === -1 || known >= logLevelIndex(requested);
  }
}

function sees({ only }: Caller, serverKey: string): boolean {
  return only === undefined || only === serverKey;
}

/** Formats a server's MCP log message as one line for its log. */
export function formatLogMessage(params: Readonly<Record<string, unknown>> = {}): string {
  const { level, logger, data } = params;
  const source = typeof logger === 'string' && logger !== '' ? `${logger}: ` : '';
  return `[${typeof level === 'string' ? level : 'info'}] ${source}${textOf(data)}`;
}

/** Maximum length of a message; the log stores less of it, with secrets removed. */
const maxLength = 64 * 1024;

function textOf(data: unknown): string {
  const text = typeof data === 'string' ? data : (printJson(data) ?? '');
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}
