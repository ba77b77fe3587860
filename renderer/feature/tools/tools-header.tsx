import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { openSkills, openToolsByServer } from '../../command/tool/skill-actions.ts';
import { useModel } from '../../store/model-context.tsx';
import type { ToolsPage } from '../../store/view-store.ts';
import { ViewHeader } from '../../ui/view-header.tsx';

interface ToolsHeaderProps {
  readonly page: ToolsPage;
  readonly note?: ReactNode;
  readonly children?: ReactNode;
}

/** Renders the header of the tools pages and switches between them. */
export function ToolsHeader({ page, note, children }: ToolsHeaderProps) {
  const model = useModel();
  return (
    <ViewHeader title="Tools" note={note}>
      {children}
      <SegmentedControl
        size="xs"
        aria-label="Group tools"
        value={page}
        onChange={(next) => (next === 'skills' ? openSkills(model) : openToolsByServer(model))}
        data={[
          { value: 'servers', label: 'By server' },
          { value: 'skills', label: 'By skill' },
        ]}
      />
    </ViewHeader>
  );
}
