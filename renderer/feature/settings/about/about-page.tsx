import { Button } from '@mantine/core';
import { ExternalLink, FolderOpen, LifeBuoy, Save, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand/react';
import type { Problem } from '../../../../shared/error/problem.ts';
import { runAppCall } from '../../../command/app/app-actions.ts';
import { knownValue, useEngine } from '../../../store/hook/use-engine.ts';
import { useModel } from '../../../store/model-context.tsx';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { CopyButton } from '../../../ui/text/copy-button.tsx';
import { SettingGroup } from '../setting-group.tsx';
import { SettingRow } from '../setting-row.tsx';
import { SettingsHeader } from '../settings-header.tsx';
import classes from '../settings-view.module.css';
import { TextDialog } from './text-dialog.tsx';
import { UpdateRows } from './update-rows.tsx';

/** Shows the version, updates, licenses and ways to get help. */
export function AboutPage() {
  const { link } = useModel();
  const [open, setOpen] = useState<'support' | 'licences'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <SettingsHeader page="about" />
      <ScrollRegion label="About Patchbay" className={classes.scroll}>
        <SettingGroup title="Patchbay">
          <VersionRows />
          <SettingRow label="Licenses" hint="For Patchbay and everything built into it.">
            <Button
              variant="default"
              leftSection={<ScrollText size={14} aria-hidden />}
              onClick={() => setOpen('licences')}
            >
              Show
            </Button>
          </SettingRow>
        </SettingGroup>
        <SettingGroup title="Updates">
          <UpdateRows />
        </SettingGroup>
        <SettingGroup title="Help">
          <SettingRow
            label="Support bundle"
            hint="Versions, states, problems, the config and the last log lines, with secrets masked. You see every line before it is saved."
          >
            <Button leftSection={<LifeBuoy size={14} aria-hidden />} onClick={() => setOpen('support')}>
              Create support bundle
            </Button>
          </SettingRow>
          <LinkRow label="The Model Context Protocol" url="https://modelcontextprotocol.io/" />
        </SettingGroup>
      </ScrollRegion>
      {open === 'support' && <SupportDialog onClose={close} />}
      {open === 'licences' && (
        <TextDialog
          title="Licenses"
          note="Patchbay is free software, built on free software."
          fetch={() => link.call('about.licences', undefined)}
          onClose={close}
        />
      )}
    </>
  );
}

function VersionRows() {
  const model = useModel();
  const hub = useStore(model.mirrors.hub, (state) => state);
  const versions = knownValue(useEngine('about.versions', undefined))?.versions ?? {};
  const all = Object.entries({ Patchbay: hub?.version ?? '', ...versions });
  const text = all.map(([name, version]) => `${name} ${version}`).join('\n');
  return (
    <>
      <SettingRow
        label={`Version ${hub?.version ?? ''}`}
        hint={
          <span className="numeric selectable">
            {Object.entries(versions)
              .map(([name, version]) => `${name} ${version}`)
              .join(' · ')}
          </span>
        }
      >
        <CopyButton text={() => text} label="Copy the versions" />
      </SettingRow>
      {hub !== undefined && (
        <SettingRow label="Data folder" hint={<code className="selectable">{hub.dataDir}</code>}>
          <Button
            variant="default"
            aria-label="Open the data folder"
            leftSection={<FolderOpen size={14} aria-hidden />}
            onClick={() => void runAppCall(model, 'app.openDataFolder')}
          >
            Open
          </Button>
        </SettingRow>
      )}
    </>
  );
}

function LinkRow({ label, url }: { label: string; url: string }) {
  const { link, notify } = useModel();
  async function open(): Promise<void> {
    const answer = await link.call('app.openExternal', { url });
    if (!answer.ok) notify.problem(answer.problem);
  }
  return (
    <SettingRow label={label} hint={url}>
      <Button
        variant="default"
        aria-label={`Open ${url} in the browser`}
        leftSection={<ExternalLink size={14} aria-hidden />}
        onClick={() => void open()}
      >
        Open
      </Button>
    </SettingRow>
  );
}

/** Shows every line of a support bundle, to be read before it is saved. */
function SupportDialog({ onClose }: { onClose: () => void }) {
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
