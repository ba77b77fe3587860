import { printJson } from '../../../shared/json.ts';
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
