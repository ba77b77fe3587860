import { type Problem, problem } from '../../../../shared/error/problem.ts';

/** A file that a person chose, but that could not be written. */
export function unsavedFile(file: string, reason: string): Problem {
  const sentence = `${file} could not be written.`;
  return problem('app.save_failed', sentence, 'Choose another folder, or free some space.', { file, reason });
}
