export { offlineAccess } from './access/offline-access.ts';
export { withCommandNote } from './activity/audit/note-command.ts';
export { openStoredAudit } from './activity/audit/open-stored-audit.ts';
export type { StoredAudit } from './activity/audit/stored-audit.ts';
export { storedActivity } from './activity/stored-activity.ts';
export { readBackupText } from './backup/backup-file.ts';
export type { Backups } from './backup/contract.ts';
export { offlineBackup } from './backup/offline-backup.ts';
export { completeRestore } from './backup/restore-journal.ts';
export type { Logger } from './base/logger.ts';
export { redactProblem } from './base/mask/redact-problem.ts';
export type { Connector } from './clients/contract.ts';
export { createHubConnector } from './clients/hub-connector.ts';
export type { BridgeProgram } from './clients/launcher/launcher.ts';
export { Limits } from './config/limits/limits.ts';
export { type HubChannel, openHubChannel } from './gateway/socket/hub-channel.ts';
export { isFolderTaken, isHubRunning, stopOtherHub } from './hub/admin/other-hub.ts';
export type { EngineConfig, EnginePorts, LaunchCommand } from './hub/contract.ts';
export { startHub } from './hub/hub.ts';
export type { Hub, HubEvents, StateEventName } from './hub/hub-contract.ts';
export { notServing } from './hub/running-hub.ts';
export { hubView } from './hub/view/views.ts';
export type { Importer } from './import/contract.ts';
export { offlineImport, offlineImportPreview } from './import/offline-import.ts';
export { serversStartedByApp } from './import/servers-started-by-app.ts';
export { type ConfigCheck, checkConfig } from './secrets/check-config.ts';
export { type OfflineSecrets, openOfflineSecrets } from './secrets/offline-secrets.ts';
export { openOfflineSignIns } from './secrets/offline-sign-ins.ts';
export { createEnvironmentSource, type EnvironmentSource } from './servers/environment/environment-source.ts';
export { inheritedReading, readLoginEnvironment } from './servers/environment/login-env.ts';
export { absolutePath } from './store/files/absolute-path.ts';
export { writeFileAtomic, writePrivateFile } from './store/files/atomic-file.ts';
export {
  type DataPaths,
  dataPaths,
  defaultDataDir,
  existingDataDir,
  openDataDir,
} from './store/files/data-dir.ts';
export type { SecretBox } from './store/files/key-secret-box.ts';
export { type LogFile, openLogFile } from './store/files/log-file.ts';
export { isWritableFolder } from './store/files/private-folder.ts';
export { readFileOrPipe } from './store/files/regular-file.ts';
export { changeSettingsFile, readSettings } from './store/files/settings-file.ts';
export { clearTurnedOff, isTurnedOff, turnOff } from './store/files/turned-off.ts';
export { unsavedFile } from './store/files/unsaved-file.ts';
export { killTreesNow } from './store/files/windows-processes.ts';
export { offlineSupport, supportBundle } from './support/support-bundle.ts';
