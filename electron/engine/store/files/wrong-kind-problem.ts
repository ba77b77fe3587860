import { type Problem, problem } from '../../../../shared/error/problem.ts';

/** A file exists where a folder is expected, or the other way round. */
export function wrongKindProblem(path: string, found: string, expected: 'file' | 'folder'): Problem {
  return problem(
    'hub.data_folder_unwritable',
    `${path} is a ${found}, but should be a ${expected}.`,
    `Move the ${found} away, then start Patchbay again; Patchbay creates the ${expected}.`,
    { path },
  );
}
