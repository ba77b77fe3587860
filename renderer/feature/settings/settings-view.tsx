import { Button, SegmentedControl, Switch } from '@mantine/core';
import { FileCog, FolderOpen, Trash2 } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useStore } from 'zustand/react';
import { activityBounds } from '../../../shared/model/activity.ts';
import type { SecretKeeper } from '../../../shared/model/hub.ts';
import type { Settings } from '../../../shared/schema/settings.ts';
import { clearActivity } from '../../command/activity-actions.ts';
import { runAppCall } from '../../command/app-actions.ts';
import { useModel, useView } from '../../store/model-context.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { ViewHeader } from '../../ui/view-header.tsx';
import { AboutPage } from './about/about-page.tsx';
import { LimitsPage } from './limits/limits-page.tsx';
import { PortRow } from './port-row.tsx';
import { SearchPage } from './search/search-page.tsx';
import { SecretsPage } from './secrets/secrets-page.tsx';
import { SettingRow } from './setting-row.tsx';
import { SettingsHeader } from './settings-header.tsx';
import classes from './settings-view.module.css';
import { useSavedSetting } from './use-saved-setting.ts';

/** The app's own settings; each is saved the moment it is changed. */
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
      <SettingsHeader page="general" note="Changes are saved at once" />
      <ScrollRegion label="Settings list" className={classes.scroll}>
        <Group title="General">
          <SwitchRow
            name="startAtLogin"
            settings={settings}
            label="Start at login"
            hint="Starts hidden with your session, so that clients find it ready."
          />
          <SwitchRow
            name="closeToTray"
            settings={settings}
            label="Keep serving when the window is closed"
            hint="The window goes to the tray. Quit from there, or from the command palette."
          />
          <ThemeRow settings={settings} />
        </Group>
        <Group title="Notifications">
          {noticeRows.map((row) => (
            <SwitchRow key={row.name} settings={settings} {...row} />
          ))}
        </Group>
        <Group title="Connection">
          <PortRow settings={settings} />
        </Group>
        <Group title="Activity">
          <ActivityRows settings={settings} />
        </Group>
        <Group title="Files">
          <FileRows />
        </Group>
      </ScrollRegion>
    </>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.group} aria-label={title}>
      <h2 className={classes.title}>{title}</h2>
      <div className={classes.rows}>{children}</div>
    </section>
  );
}

interface SwitchRowProps {
  readonly name: 'startAtLogin' | 'closeToTray' | 'recordActivity' | 'audit' | NoticeSetting;
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

type NoticeSetting = 'notifyServers' | 'notifySignIn' | 'notifyTools' | 'notifyClients';

const noticeRows: readonly {
  readonly name: NoticeSetting;
  readonly label: string;
  readonly hint: string;
}[] = [
  {
    name: 'notifyServers',
    label: 'A server fails',
    hint: 'Once for each trouble that lasts, many at a time in one. Nothing while you have this window before you.',
  },
  { name: 'notifySignIn', label: 'A sign-in is needed', hint: 'A click opens the browser.' },
  {
    name: 'notifyTools',
    label: 'A call or tools wait for you',
    hint: 'A client asks before it runs a tool, or a server offers new or changed tools, which are held until you have seen them.',
  },
  {
    name: 'notifyClients',
    label: 'A client lost its connection',
    hint: 'Something took the entry of Patchbay out of the client’s config. A click shows what restores it.',
  },
];

const { days, rows, megabytes } = activityBounds;

function ActivityRows({ settings }: { settings: Settings }) {
  const model = useModel();
  return (
    <>
      <SwitchRow
        name="recordActivity"
        settings={settings}
        label="Record activity"
        hint={`Keeps every call with its arguments and result on this computer, with secrets masked, for ${days} days: at most ${rows.toLocaleString('en')} entries and ${megabytes} MB. Switched off, nothing more is kept.`}
      />
      <SettingRow label="Recorded activity" hint="Forgets everything that was recorded so far.">
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
        hint="Writes down who did what: calls with the hash of their arguments, changes of servers, grants and tokens. How long it is kept is set under Limits. Metrics over time are counted from it."
      />
    </>
  );
}

function ThemeRow({ settings }: { settings: Settings }) {
  const [state, save] = useSavedSetting();
  return (
    <SettingRow label="Theme" hint="Light, dark, or whatever your system uses." save={state}>
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
  keychain: 'Encrypted by your system’s keychain.',
  'key-file': 'Encrypted by a key file in the data folder, because this system offers no keychain.',
  'key-env': 'Encrypted by the key in PATCHBAY_KEY, because this system offers no keychain.',
};

function PathText({ path }: { path: string }) {
  return (
    <span className={classes.path}>
      <code className="selectable">{path}</code>
      <CopyButton text={() => path} label="Copy the path" />
    </span>
  );
}
