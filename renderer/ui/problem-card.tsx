import { ChevronRight, OctagonX, TriangleAlert, Wrench } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Evidence, Problem } from '../../shared/error/problem.ts';
import { problemText } from '../lib/text/problem-text.ts';
import classes from './problem-card.module.css';
import { CopyButton } from './text/copy-button.tsx';

interface ProblemCardProps {
  readonly problem: Problem;
  /** Subject, for the copied text. */
  readonly about?: string;
  readonly severity?: 'bad' | 'warning';
  /** A form that fixes the problem. */
  readonly form?: ReactNode;
  /** Buttons that help with this problem. */
  readonly actions?: ReactNode;
  /** Shows the evidence immediately instead of after a click. */
  readonly open?: boolean;
}

/** Shows a failure: what happened, what to do, the evidence, and a button to copy everything. */
export function ProblemCard({
  problem,
  about,
  severity = 'bad',
  form,
  actions,
  open = false,
}: ProblemCardProps) {
  const Icon = severity === 'bad' ? OctagonX : TriangleAlert;
  return (
    <section className={classes.card} data-severity={severity} aria-label={`Problem: ${problem.sentence}`}>
      <Icon className={classes.icon} size={16} aria-hidden />
      <div className="grow">
        <div className={classes.top}>
          <p className="grow strong breaks selectable">{problem.sentence}</p>
          <code className={classes.code}>{problem.code}</code>
          <CopyButton text={() => problemText(problem, about)} label="Copy the problem with its evidence" />
        </div>
        <p className={classes.fix}>
          <Wrench size={13} aria-hidden />
          <span>
            <span className="visually-hidden">What to do: </span>
            {problem.fix}
          </span>
        </p>
        {form}
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
        {problem.evidence.length > 0 && <EvidenceList evidence={problem.evidence} open={open} />}
      </div>
    </section>
  );
}

function EvidenceList({ evidence, open }: { evidence: readonly Evidence[]; open: boolean }) {
  return (
    <details className={classes.details} open={open}>
      <summary>
        <ChevronRight size={13} aria-hidden />
        Evidence
      </summary>
      <dl className={classes.evidence}>
        {evidence.map(({ label, value }) => (
          <div key={label} data-block={value.includes('\n')}>
            <dt>{label}</dt>
            <dd>
              <pre tabIndex={value.includes('\n') ? 0 : undefined}>{value}</pre>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
