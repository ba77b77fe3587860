import { ProblemError, problem } from '../../../../shared/error/problem.ts';

const another =
  'Choose a model for sentence embeddings in ONNX form, with its tokenizer.json, as it is found on Hugging Face.';

/** Why a model in a folder cannot be used, and what to do. `reason` is what a library said of it. */
export function unusable(folder: string, why: string, fix = another, reason?: unknown): ProblemError {
  const said = reason === undefined ? undefined : textOf(reason).slice(0, longestReason);
  return new ProblemError(
    problem('search.model_unusable', `The model in ${folder} cannot be used: ${why}.`, fix, {
      folder,
      reason: said,
    }),
  );
}

/** Characters. */
const longestReason = 300;

function textOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
