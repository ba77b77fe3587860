import { Button, Progress, Switch } from '@mantine/core';
import { Download, RefreshCw, RotateCw } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useStore } from 'zustand/react';
import type { AppUpdate, UpdateOffer, UpdateOffReason } from '../../../../shared/model/hub/app-update.ts';
import {
  askToInstall,
  cancelDownload,
  checkForUpdates,
  downloadUpdate,
} from '../../../command/app/update-actions.ts';
import { formatBytes } from '../../../lib/text/format-amount.ts';
import { formatMoment } from '../../../lib/text/format-time.ts';
import { useEngine, useReported } from '../../../store/hook/use-engine.ts';
import { useModel } from '../../../store/model-context.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { SettingRow } from '../setting-row.tsx';
import { useSavedSetting } from '../use-saved-setting.ts';
import classes from './about.module.css';

/** Shows whether a newer version exists and leads through the update. */
export function UpdateRows() {
  const update = useReported(useEngine('update.get', undefined, { event: 'update.changed' }));
  if (update === undefined)
    return (
      <SettingRow label="Updates" hint="…">
        {null}
      </SettingRow>
    );
  if (update.kind === 'off')
    return (
      <SettingRow label="Updates are off" hint={offHints[update.reason]}>
        {null}
      </SettingRow>
    );
  return (
    <>
      <StepRow update={update} />
      <DailyRow />
    </>
  );
}

const offHints: Readonly<Record<UpdateOffReason, string>> = {
  'no-feed': 'This build can’t check for updates. Get new versions where you downloaded it.',
  'not-installed':
    'This copy runs from a folder and can’t update itself. Get new versions where you downloaded it.',
};

function StepRow({ update }: { update: Exclude<AppUpdate, { kind: 'off' }> }) {
  const model = useModel();
  switch (update.kind) {
    case 'current':
      return (
        <SettingRow label="Patchbay is up to date" hint={<Checked at={update.checkedAt} />}>
          <Step icon={RefreshCw} run={() => checkForUpdates(model)}>
            Check now
          </Step>
        </SettingRow>
      );
    case 'checking':
      return (
        <SettingRow label="Checking for updates…" hint="Asking the update server.">
          <Button variant="default" loading aria-label="Checking for updates" />
        </SettingRow>
      );
    case 'available':
      return (
        <SettingRow
          label={`Version ${update.offer.version} is available`}
          hint={<Offer offer={update.offer} />}
        >
          <Step icon={Download} main run={() => downloadUpdate(model)}>
            Download
          </Step>
        </SettingRow>
      );
    case 'downloading':
      return (
        <SettingRow
          label={`Downloading version ${update.offer.version}`}
          hint={
            <Progress size={4} aria-label="Downloaded" value={update.percent} className={classes.progress} />
          }
        >
          <Step run={() => cancelDownload(model)}>Cancel</Step>
        </SettingRow>
      );
    case 'ready':
      return (
        <SettingRow
          label={`Version ${update.offer.version} is downloaded`}
          hint="Patchbay stops its servers, updates and restarts. Clients reconnect."
        >
          <Step icon={RotateCw} main run={() => askToInstall(model, update.offer.version)}>
            Restart and update
          </Step>
        </SettingRow>
      );
    case 'installing':
      return (
        <SettingRow
          label={`Updating to version ${update.offer.version}…`}
          hint="The servers are being stopped."
        >
          <Button variant="default" loading aria-label="Updating" />
        </SettingRow>
      );
    case 'failed':
      return <FailedRow update={update} />;
  }
}

function FailedRow({ update }: { update: Extract<AppUpdate, { kind: 'failed' }> }) {
  const model = useModel();
  const { problem, offer } = update;
  return (
    <>
      <ProblemCard problem={problem} about="Updates" />
      <SettingRow
        label={offer === undefined ? 'Updates' : `Version ${offer.version}`}
        hint={offer === undefined ? <Checked at={undefined} /> : <Offer offer={offer} />}
      >
        <Step icon={RefreshCw} run={() => checkForUpdates(model)}>
          Check again
        </Step>
        {offer !== undefined && (
          <Step icon={Download} run={() => downloadUpdate(model)}>
            Download again
          </Step>
        )}
      </SettingRow>
    </>
  );
}

interface StepProps {
  readonly icon?: typeof Download;
  /** True for the main action. */
  readonly main?: boolean;
  readonly run: () => Promise<void>;
  readonly children: ReactNode;
}

function Step({ icon: Icon, main = false, run, children }: StepProps) {
  return (
    <Button
      variant={main ? 'filled' : 'default'}
      leftSection={Icon === undefined ? undefined : <Icon size={14} aria-hidden />}
      onClick={() => void run()}
    >
      {children}
    </Button>
  );
}

function Checked({ at }: { at: number | undefined }) {
  const look =
    at === undefined ? 'Not checked since Patchbay started.' : `Last checked: ${formatMoment(at)}.`;
  return <span role="status">{look}</span>;
}

function Offer({ offer: { size, publishedAt, notes } }: { offer: UpdateOffer }) {
  const facts = [
    ...(publishedAt === undefined ? [] : [`Published ${formatMoment(publishedAt)}`]),
    ...(size === undefined ? [] : [`${formatBytes(size)} to download`]),
  ];
  return (
    <>
      <span role="status">{[...facts, 'nothing is installed until you choose to'].join(', ')}.</span>
      {notes !== undefined && <p className={classes.notes}>{notes}</p>}
    </>
  );
}

function DailyRow() {
  const id = useId();
  const settings = useStore(useModel().mirrors.settings, (state) => state);
  const [state, save] = useSavedSetting();
  if (settings === undefined) return null;
  return (
    <SettingRow
      control={id}
      label="Check for updates daily"
      hint="Only the latest version number is requested. The tray and a notification tell you."
      save={state}
    >
      <Switch
        id={id}
        checked={settings.checkUpdates}
        onChange={(event) => void save({ checkUpdates: event.currentTarget.checked })}
      />
    </SettingRow>
  );
}
