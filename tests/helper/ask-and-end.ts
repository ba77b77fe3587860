import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface AskedAndEnded {
  readonly code: number | null;
  readonly stderr: string;
  /** Answers by request id. */
  readonly answers: ReadonlyMap<unknown, { readonly result?: unknown; readonly error?: unknown }>;
}

/** Greets a program and asks it all this at once, as `printf … | program` does: its input ends right after it. */
export async function askAndEnd(
  args: readonly string[],
  requests: readonly { readonly id: unknown; readonly method: string; readonly params?: unknown }[],
): Promise<AskedAndEnded> {
  const env = { PATH: process.env.PATH ?? '' };
  const child = spawn(process.execPath, args, { env, stdio: 'pipe', timeout: 60_000 });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const messages = [
    { id: 'hello', method: 'initialize', params },
    { method: 'notifications/initialized' },
    ...requests,
  ];
  child.stdin.end(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
  const [code] = await once(child, 'close');
  const lines = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const answers = lines.filter(({ method }) => method === undefined);
  return { code, stderr, answers: new Map(answers.map((answer) => [answer.id, answer])) };
}
