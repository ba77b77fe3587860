import { Button } from '@mantine/core';
import { Check, CornerDownRight } from 'lucide-react';
import type { CommandExplanation } from '../../../../shared/model/server/command.ts';
import { changeCommand } from '../../../command/server/program-actions.ts';
import { programName } from '../../../lib/server/program-name.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Tag } from '../../../ui/tag.tsx';
import classes from './program-panel.module.css';

type Candidate = CommandExplanation['candidates'][number];

interface CandidateListProps {
  readonly serverKey: string;
  readonly explanation: CommandExplanation;
}

/** Lists the files the command could refer to, marks the one that runs, and lets the user pick another. */
export function CandidateList({ serverKey, explanation }: CandidateListProps) {
  const model = useModel();
  const { pinned, command, candidates } = explanation;
  const change = (to: string) => void changeCommand(model, serverKey, explanation, to);
  return (
    <ul aria-label={`Files that match ${programName(command)}`}>
      {candidates.map((candidate) => (
        <li key={candidate.file} className={classes.candidate} data-chosen={candidate.chosen}>
          <span className={classes.mark}>{candidate.chosen && <Check size={14} aria-hidden />}</span>
          <CandidateFacts candidate={candidate} />
          <CandidateButton candidate={candidate} command={command} pinned={pinned} onChange={change} />
        </li>
      ))}
    </ul>
  );
}

function CandidateFacts({ candidate }: { candidate: Candidate }) {
  const { file, realFile, version, manager, chosen, reason } = candidate;
  return (
    <div className="grow">
      <p className={`row ${classes.file}`}>
        <code>{file}</code>
        {version !== undefined && <Tag title="Reported by the program">{version}</Tag>}
        {manager !== undefined && <Tag title={`Managed by ${manager}`}>{manager}</Tag>}
      </p>
      {realFile !== undefined && realFile !== file && (
        <p className={classes.real}>
          <CornerDownRight size={12} aria-hidden />
          <span className="visually-hidden">Links to </span>
          <code>{realFile}</code>
        </p>
      )}
      <p className={classes.reason}>
        {chosen && <strong>In use. </strong>}
        {reason}
      </p>
    </div>
  );
}

interface ButtonProps {
  readonly candidate: Candidate;
  readonly command: string;
  readonly pinned: boolean;
  readonly onChange: (command: string) => void;
}

function CandidateButton({ candidate, command, pinned, onChange }: ButtonProps) {
  const { file, chosen } = candidate;
  if (chosen && pinned) {
    return (
      <Button variant="default" size="compact-xs" onClick={() => onChange(programName(command))}>
        Unpin this file
      </Button>
    );
  }
  return (
    <Button
      variant="default"
      size="compact-xs"
      onClick={() => onChange(file)}
      aria-label={`${chosen ? 'Pin this file' : 'Use this one'}: ${file}`}
    >
      {chosen ? 'Pin this file' : 'Use this one'}
    </Button>
  );
}
