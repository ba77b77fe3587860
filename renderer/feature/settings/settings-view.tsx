import { Button, SegmentedControl, Switch } from '@mantine/core';
import { Archive, ArchiveRestore, FileCog, FolderOpen, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { useStore } from 'zustand/react';
import { activityLimits } from '../../../shared/model/activity/activity.ts';
import type { SecretKeeper } from '../../../shared/model/hub/hub.ts';
import type { Settings } from '../../../shared/schema/settings.ts';
import { clearActivity } from '../../command/activity/activity-actions.ts';
import { runAppCall } from '../../command/app/app-actions.ts';
import { chooseBackup } from '../../command/app/backup-actions.ts';
import { useModel, useView } from '../../store/model-context.tsx';
import { openDialog } from '../../store/view-store.ts';
import { ScrollRegion } from '../../ui/list/scroll-region.tsx';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import { ViewHeader } from '../../ui/view-header.tsx';
import { AboutPage } from './about/about-page.tsx';
import { LimitsPage } from './limits/limits-page.tsx';
import { PortRow } from './port-row.tsx';
import { SearchPage } from './search/search-page.tsx';
import { SecretsPage } from './secrets/secrets-page.tsx';
import { SettingGroup } from './setting-group.tsx';
import { SettingRow } from './setting-row.tsx';
import { SettingsHeader } from './settings-header.tsx';
import classes from './settings-view.module.css';
import { useSavedSetting } from './use-saved-setting.ts';

/** Shows the app's settings; each is saved as soon as it changes. */
export function SettingsView() {
  const page = useView(({ place }) => place.settingsPage) ?? 'general';
  if (page === 'about') return <AboutPage />;
  if (page === 'search') return <SearchPage />;
  if (page === 'limits') return <LimitsPage />;
  return page === 'secrets' ? <SecretsPage /> : <GeneralPage />;
}

function GeneralPage() {
  const settings = useStore(useModel().mirrors.settings, (state) => state);
  if (settings === undefined) return <ViewHeader title="Settings" />;
  return (
    <>
      <SettingsHeader page="general" note="Changes are saved automatically" />
      <ScrollRegion label="Settings list" className={classes.scroll}>
        <SettingGroup title="General">
          <SwitchRow
            name="startAtLogin"
            settings={settings}
            label="Start at login"
            hint="Starts in the background, so that Patchbay is ready for your clients."
          />
          <SwitchRow
            name="closeToTray"
            settings={settings}
            label="Keep running when the window is closed"
            hint="Patchbay stays in the tray. Quit from there or from the command palette."
          />
          <ThemeRow settings={settings} />
        </SettingGroup>
        <SettingGroup title="Notifications">
          {notificationRows.map((row) => (
            <SwitchRow key={row.name} settings={settings} {...row} />
          ))}
        </SettingGroup>
        <SettingGroup title="Safety">
          <SwitchRow
            name="askDestructive"
            settings={settings}
            label="Ask before destructive tools"
            hint="Applies to all clients: you are asked before a tool writes, changes or deletes anything. Rules for a client’s servers and tools take precedence."
          />
        </SettingGroup>
        <SettingGroup title="Connection">
          <PortRow settings={settings} />
        </SettingGroup>
        <SettingGroup title="Activity">
          <ActivityRows settings={settings} />
        </SettingGroup>
        <SettingGroup title="Backup">
          <BackupRows />
        </SettingGroup>
        <SettingGroup title="Files">
          <FileRows />
        </SettingGroup>
      </ScrollRegion>
    </>
  );
}

interface SwitchRowProps {
  readonly name:
    | 'startAtLogin'
    | 'closeToTray'
    | 'recordActivity'
    | 'audit'
    | 'askDestructive'
    | NotificationSetting;
  readonly settings: Settings;
  readonly label: string;
  readonly hint: string;
}

function SwitchRow({ name, settings, label, hint }: SwitchRowProps) {
  const id = useId();
  const [state, save] = useSavedSetting();
  return (
    <SettingRow control={id} label={label} hint={hint} save={state}>
      <Switch
        id={id}
        checked={settings[name]}
        onChange={(event) => void save({ [name]: event.currentTarget.checked })}
      />
    </SettingRow>
  );
}

type NotificationSetting = 'notifyServers' | 'notifySignIn' | 'notifyTools' | 'notifyClients';

const notificationRows: readonly {
  readonly name: NotificationSetting;
  readonly label: string;
  readonly hint: string;
}[] = [
  {
    name: 'notifyServers',
    label: 'A server fails',
    hint: 'One notification per problem; several at once are grouped. None while this window is in front.',
  },
  { name: 'notifySignIn', label: 'Sign-in needed', hint: 'Click to open the browser.' },
  {
    name: 'notifyTools',
    label: 'Your approval is needed',
    hint: 'A client wants to run a tool, or a server has new or changed tools to review.',
  },
  {
    name: 'notifyClients',
    label: 'A client was disconnected',
    hint: 'Another program removed Patchbay from the client’s config. Click to repair it.',
  },
];

const { days, rows, megabytes } = activityLimits;

function ActivityRows({ settings }: { settings: Settings }) {
  const model = useModel();
  return (
    <>
      <SwitchRow
        name="recordActivity"
        settings={settings}
        label="Record activity"
        hint={`Keeps calls, with their arguments and results, on this computer for ${days} days, secrets masked (at most ${rows.toLocaleString('en')} entries and ${megabytes} MB).`}
      />
      <SettingRow label="Recorded activity" hint="Deletes all recorded activity.">
        <Button
          variant="default"
          leftSection={<Trash2 size={14} aria-hidden />}
          onClick={() => void clearActivity(model)}
        >
          Clear
        </Button>
      </SettingRow>
      <SwitchRow
        name="audit"
        settings={settings}
        label="Keep the audit log"
        hint="Keeps a tamper-evident record of who did what. Metrics are based on it; Limits sets how long it is kept."
      />
    </>
  );
}

function ThemeRow({ settings }: { settings: Settings }) {
  const [state, save] = useSavedSetting();
  return (
    <SettingRow label="Theme" hint="Light, dark, or the same as your system." save={state}>
      <SegmentedControl
        size="xs"
        aria-label="Theme"
        value={settings.theme}
        onChange={(theme) => void save({ theme })}
        data={[
          { value: 'system', label: 'System' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
      />
    </SettingRow>
  );
}

function BackupRows() {
  const model = useModel();
  return (
    <>
      <SettingRow
        label="Back up the whole setup"
        hint="Servers, settings, profiles and access in one file, to keep or to move to a new computer."
      >
        <Button
          variant="default"
          leftSection={<Archive size={14} aria-hidden />}
          onClick={() => openDialog(model.view, { kind: 'backup' })}
        >
          Back up…
        </Button>
      </SettingRow>
      <SettingRow label="Restore a backup" hint="Shows what is in the file before anything changes.">
        <Button
          variant="default"
          leftSection={<ArchiveRestore size={14} aria-hidden />}
          onClick={() => void chooseBackup(model)}
        >
          Restore…
        </Button>
      </SettingRow>
    </>
  );
}

function FileRows() {
  const model = useModel();
  const hub = useStore(model.mirrors.hub, (state) => state);
  if (hub === undefined) return null;
  return (
    <>
      <SettingRow label="Config file" hint={<PathText path={hub.configFile} />}>
        <Button
          variant="default"
          leftSection={<FileCog size={14} aria-hidden />}
          onClick={() => void runAppCall(model, 'app.openConfigFile')}
        >
          Open
        </Button>
      </SettingRow>
      <SettingRow label="Data folder" hint={<PathText path={hub.dataDir} />}>
        <Button
          variant="default"
          leftSection={<FolderOpen size={14} aria-hidden />}
          onClick={() => void runAppCall(model, 'app.openDataFolder')}
        >
          Open
        </Button>
      </SettingRow>
      {hub.secretsKeptBy !== undefined && (
        <SettingRow label="Sign-ins" hint={keepers[hub.secretsKeptBy]}>
          {null}
        </SettingRow>
      )}
      <SettingRow label="Version" hint={`Process ${hub.pid}`}>
        <span className="numeric selectable">Patchbay {hub.version}</span>
      </SettingRow>
    </>
  );
}

const keepers: Readonly<Record<SecretKeeper, string>> = {
  keychain: 'Encrypted with your system keychain.',
  'key-file': 'Encrypted with a key file in the data folder: no system keychain was found.',
  'key-env': 'Encrypted with the key in PATCHBAY_KEY: no system keychain was found.',
};

function PathText({ path }: { path: string }) {
  return (
    <span className={`row ${classes.path}`}>
      <code className="selectable">{path}</code>
      <CopyButton text={() => path} label="Copy the path" />
    </span>
  );
}
