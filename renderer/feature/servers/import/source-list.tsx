import { Button, Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { ImportSource } from '../../../../shared/model/import-session.ts';
import { useModel } from '../../../store/model-context.tsx';
import { DialogFoot } from '../../../ui/dialog.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { Ago } from '../../../ui/time-text.tsx';
import classes from './import-servers.module.css';

interface SourceListProps {
  readonly problem: Problem | undefined;
  readonly onRead: (source: string) => void;
  readonly onClose: () => void;
}

/** Where servers can come from. The files are known to be there; each is read when it is chosen. */
export function SourceList({ problem, onRead, onClose }: SourceListProps) {
  const sources = useSources();
  return (
    <div className={classes.body}>
      <div className={classes.scroll}>
        {problem !== undefined && <ProblemCard problem={problem} />}
        <section className={classes.part} aria-label="Programs on this computer">
          <h3 className={classes.heading}>From a program on this computer</h3>
          {sources === undefined ? (
            <Skeleton height={52} radius={8} role="status" aria-label="Looking for programs" />
          ) : (
            <Sources sources={sources} onRead={onRead} />
          )}
        </section>
      </div>
      <DialogFoot note="You see what is in it before anything is added.">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </DialogFoot>
    </div>
  );
}

function Sources({
  sources,
  onRead,
}: {
  sources: readonly ImportSource[];
  onRead: (source: string) => void;
}) {
  if (sources.length === 0) {
    return <p className={classes.dim}>No config of a known client was found.</p>;
  }
  return (
    <ul className={classes.list}>
      {sources.map(({ id, title, file, modifiedAt }) => (
        <li key={id} className={classes.source}>
          <div className={classes.words}>
            <p className={classes.name}>{title}</p>
            <p className={classes.file} title={file}>
              {file}
            </p>
          </div>
          <span className={classes.dim}>
            changed <Ago at={modifiedAt} />
          </span>
          <Button variant="default" onClick={() => onRead(id)} aria-label={`Look into ${title}, ${file}`}>
            Look into it
          </Button>
        </li>
      ))}
    </ul>
  );
}

function useSources(): readonly ImportSource[] | undefined {
  const { link } = useModel();
  const [sources, setSources] = useState<readonly ImportSource[]>();
  useEffect(() => {
    let wanted = true;
    void link.call('import.sources', undefined).then((answer) => {
      if (wanted) setSources(answer.ok ? answer.value.sources : []);
    });
    return () => {
      wanted = false;
    };
  }, [link]);
  return sources;
}
