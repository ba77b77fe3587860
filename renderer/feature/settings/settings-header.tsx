import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { openSettings } from '../../command/navigate.ts';
import { useModel } from '../../store/model-context.tsx';
import type { SettingsPage } from '../../store/view-store.ts';
import { ViewHeader } from '../../ui/view-header.tsx';

interface SettingsHeaderProps {
  readonly page: SettingsPage;
  readonly note?: ReactNode;
  readonly children?: ReactNode;
}

/** Renders the header of the settings pages and switches between them. */
export function SettingsHeader({ page, note, children }: SettingsHeaderProps) {
  const model = useModel();
  return (
    <ViewHeader title="Settings" note={note}>
      {children}
      <SegmentedControl
        size="xs"
        aria-label="Settings page"
        value={page}
        onChange={(next) => openSettings(model, next)}
        data={[
          { value: 'general', label: 'General' },
          { value: 'secrets', label: 'Secrets' },
          { value: 'search', label: 'Search' },
          { value: 'limits', label: 'Limits' },
          { value: 'about', label: 'About' },
        ]}
      />
    </ViewHeader>
  );
}
