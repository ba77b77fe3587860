import { ProblemError, problem } from '../../../../shared/error/problem.ts';

const defaultFix =
  'Choose a sentence embedding model in ONNX format with its tokenizer.json, for example from Hugging Face.';

/** Creates the problem of an unusable model, with a fix. `reason` is the library's error. */
export function unusableModel(folder: string, why: string, fix = defaultFix, reason?: unknown): ProblemError {
  const said = reason === undefined ? undefined : textOf(reason).slice(0, maxReasonLength);
  return new ProblemError(
    problem('search.model_unusable', `The model in ${folder} cannot be used: ${why}.`, fix, {
      folder,
      reason: said,
    }),
  );
}

/** Characters. */
const maxReasonLength = 300;

function textOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
