import { Button, SegmentedControl } from '@mantine/core';
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { useEngine } from '../../../store/hook/use-engine.ts';
import { useModel } from '../../../store/model-context.tsx';
import { closeDialog } from '../../../store/view-store.ts';
import { Dialog, DialogFoot } from '../../../ui/dialog/dialog.tsx';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import classes from './connect.module.css';

interface SnippetDialogProps {
  readonly id: string;
  readonly title: string;
}

type Transport = 'stdio' | 'http';

/** Shows the entry to add to a client by hand. The HTTP token is never shown, only copied. */
export function SnippetDialog({ id, title }: SnippetDialogProps) {
  const { link, notify, view } = useModel();
  const onClose = () => closeDialog(view);
  const [transport, setTransport] = useState<Transport>('stdio');
  const state = useEngine('connect.snippet', { id, transport });
  async function copy(): Promise<void> {
    const answer = await link.call('connect.copySnippet', { id, transport });
    if (answer.ok) notify.done(`The entry for ${title} is on the clipboard.`);
    else notify.problem(answer.problem);
  }
  return (
    <Dialog title={`Entry for ${title}`} onClose={onClose} size={600}>
      <div className={classes.body}>
        <SegmentedControl
          aria-label="How it connects"
          value={transport}
          onChange={(value) => setTransport(value as Transport)}
          data={[
            { value: 'stdio', label: 'Starts a program' },
            { value: 'http', label: 'Over HTTP' },
          ]}
        />
        {state.kind === 'failed' && <ProblemCard problem={state.problem} about={title} />}
        {state.kind === 'known' && (
          <ScrollRegion label="Entry" className={classes.transcript}>
            <pre className="selectable">{state.value.text}</pre>
          </ScrollRegion>
        )}
      </div>
      <DialogFoot
        note={
          transport === 'http'
            ? 'The copied entry includes your access token: treat it like a password.'
            : undefined
        }
      >
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button leftSection={<Copy size={14} aria-hidden />} onClick={() => void copy()} data-autofocus>
          Copy
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
