import type { Cause } from '../../../../shared/error/cause.ts';
import type { Problem } from '../../../../shared/error/problem.ts';
import { redactText } from './redact-log.ts';

/** Redacts the secrets in a problem before it leaves this program. */
export function redactProblem({ code, sentence, fix, evidence, cause }: Problem): Problem {
  return {
    code,
    sentence: redactText(sentence),
    fix: redactText(fix),
    evidence: evidence.map(({ label, value }) => ({ label, value: redactText(value) })),
    ...(cause === undefined ? {} : { cause: redactCause(cause) }),
  };
}

function redactCause({ code, subject }: Cause): Cause {
  return { code, ...(subject === undefined ? {} : { subject: redactText(subject) }) };
}
