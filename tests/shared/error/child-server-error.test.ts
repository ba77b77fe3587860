import { describe, expect, it } from 'vitest';
import { toChildServerError } from '../../../shared/error/child-server-error.ts';
import { type ProblemCode, problem } from '../../../shared/error/problem.ts';

describe('the error of a child server', () => {
  it.each<[ProblemCode, string]>([
    ['server.command_not_found', 'startup'],
    ['server.exited_before_handshake', 'startup'],
    ['server.handshake_timeout', 'initialization'],
    ['server.handshake_failed', 'initialization'],
    ['server.crashed', 'runtime'],
    ['server.keeps_failing', 'runtime'],
  ])('[ERR-1] names the phase and carries the data of the child: %s is %s', (code, phase) => {
    const cause = problem(code, 'It failed.', 'Mend it.', { 'exit code': 3 });
    const error = toChildServerError('db', cause);
    expect(error).toMatchObject({ name: 'ChildServerError', serverKey: 'db', phase, problem: cause });
    expect(error.message).toBe('It failed.');
  });
});
