import { type Problem, problem } from '../../../shared/error/problem.ts';

export function unknownServer(key: string): Problem {
  const sentence = `There is no server called ${JSON.stringify(key)}.`;
  return problem(
    'config.unknown_server',
    sentence,
    'It may have been renamed or removed; check the list again.',
    {
      server: key,
    },
  );
}

export function unknownTool(serverKey: string, name: string): Problem {
  const sentence = `${serverKey} has no tool called ${JSON.stringify(name)}.`;
  return problem(
    'call.unknown_tool',
    sentence,
    'The server may have changed its tools; check the list again.',
    {
      server: serverKey,
      tool: name,
    },
  );
}
