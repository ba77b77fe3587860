import { ProblemError, problem } from '../../../shared/error/problem.ts';

/** Error for one client more than the server may have processes for. */
export function tooManyInstances(key: string, limit: number): ProblemError {
  const sentence = `${key} runs a process for each client, and the limit of ${limit} is reached.`;
  const fix = `Close a client that uses ${key}, or raise "maxInstances" of the server in the config.`;
  return new ProblemError(problem('server.too_many_instances', sentence, fix, { server: key, limit }));
}

/** Error for a session that has ended, along with its processes. */
export function sessionGone(key: string): ProblemError {
  const sentence = `${key} runs a process for each client, and the client of this call has disconnected.`;
  return new ProblemError(problem('client.gone', sentence, 'Reconnect, then try again.', { server: key }));
}
