import { Button } from '@mantine/core';
import { Save } from 'lucide-react';
import { useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import { useModel } from '../../../store/model-context.tsx';
import { TextDialog } from './text-dialog.tsx';

/** Shows every line of a support bundle, to be read before it is saved. */
export function SupportDialog({ onClose }: { onClose: () => void }) {
  const { link, notify } = useModel();
  const [problem, setProblem] = useState<Problem>();
  async function save(id: string): Promise<void> {
    const answer = await link.call('support.save', { id });
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok || answer.value.file === undefined) return;
    notify.done(`Saved as ${answer.value.file}.`);
    onClose();
  }
  return (
    <TextDialog
      title="Support bundle"
      note="This is everything in the bundle. Secrets are masked and nothing is sent; save it and share it with whoever helps you."
      fetch={() => link.call('support.make', undefined)}
      problem={problem}
      onClose={onClose}
      actions={({ id }) => (
        <Button leftSection={<Save size={14} aria-hidden />} onClick={() => void save(id)}>
          Save…
        </Button>
      )}
    />
  );
}
