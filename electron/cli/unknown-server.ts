import { type Problem, problem } from '../../shared/error/problem.ts';

/** `known` lists the existing keys. */
export function unknownServer(key: string, known: readonly string[]): Problem {
  const sentence = `There is no server called ${JSON.stringify(key)}.`;
  const fix = known.length === 0 ? 'No servers yet.' : `Servers: ${known.join(', ')}.`;
  return problem('config.unknown_server', sentence, fix, { server: key });
}
