import { useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { AuditVerdict } from '../../../../shared/model/activity/audit.ts';
import { useModel } from '../../../store/model-context.tsx';

export type VerificationState =
  | { readonly kind: 'none' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'done'; readonly verdict: AuditVerdict; readonly at: number }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** Verifies the whole hash chain on request. */
export interface Verification {
  readonly state: VerificationState;
  run(): void;
  dismiss(): void;
}

export function useVerification(): Verification {
  const { link, now } = useModel();
  const [state, setState] = useState<VerificationState>({ kind: 'none' });
  async function run(): Promise<void> {
    setState({ kind: 'busy' });
    const answer = await link.call('audit.verify', undefined);
    setState(
      answer.ok
        ? { kind: 'done', verdict: answer.value, at: now() }
        : { kind: 'failed', problem: answer.problem },
    );
  }
  return { state, run: () => void run(), dismiss: () => setState({ kind: 'none' }) };
}
