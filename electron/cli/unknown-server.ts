import { type Problem, problem } from '../../shared/error/problem.ts';

/** `known` lists the existing keys. */
export function unknownServer(key: string, knownKeys: readonly string[]): Problem {
  const sentence = `There is no server called ${JSON.stringify(key)}.`;
  const fix = knownKeys.length === 0 ? 'No servers yet.' : `Servers: ${knownKeys.join(', ')}.`;
  return problem('config.unknown_server', sentence, fix, { server: key });
}
