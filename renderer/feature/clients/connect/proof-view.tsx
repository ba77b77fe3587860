import { CircleCheck, CircleX } from 'lucide-react';
import { useState } from 'react';
import type { ConnectProof } from '../../../../shared/model/client/connect.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { Disclosure } from '../../../ui/dialog/disclosure.tsx';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import classes from './connect.module.css';

interface ProofViewProps {
  readonly proof: ConnectProof;
  readonly title: string;
  /** Remaining step in the client. */
  readonly pickup: string;
}

/** Shows how the written entry worked when it was started the way the client will start it. */
export function ProofView({ proof, title, pickup }: ProofViewProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <p className={`row ${classes.verdict}`}>
        {proof.ok ? (
          <CircleCheck className={classes.good} size={18} aria-hidden />
        ) : (
          <CircleX className={classes.bad} size={18} aria-hidden />
        )}
        <span>{verdict(proof, pickup)}</span>
      </p>
      {proof.problem !== undefined && <ProblemCard problem={proof.problem} about={title} open />}
      <ol className={classes.steps}>
        {proof.steps.map(({ step, ok, text, milliseconds }) => (
          <li key={step}>
            {ok ? (
              <CircleCheck className={classes.stepIcon} data-ok size={14} aria-label="Passed" />
            ) : (
              <CircleX className={classes.stepIcon} data-ok={false} size={14} aria-label="Failed" />
            )}
            <span>{text}</span>
            <span className={`numeric ${classes.hint}`}>{Math.round(milliseconds)} ms</span>
          </li>
        ))}
      </ol>
      <Disclosure
        title="Transcript"
        summary={`${formatCount(proof.transcript.length, 'line')} between client and Patchbay`}
        open={open}
        onOpen={setOpen}
      >
        <ScrollRegion label="Transcript" className={classes.transcript}>
          <pre className="selectable">
            {proof.transcript.map(
              ({ direction, at, text }) => `${arrows[direction]} ${Math.round(at)} ms  ${text}\n`,
            )}
          </pre>
        </ScrollRegion>
      </Disclosure>
    </>
  );
}

const arrows = { sent: '→', got: '←', stderr: '!' } as const;

function verdict({ ok, tools }: ConnectProof, pickup: string): string {
  if (!ok) return 'Connected, but the test failed.';
  return tools === 0 ? 'Connected, but there are no tools yet.' : `Connected. ${pickup}`;
}
