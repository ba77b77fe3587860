import { accessCommands } from './access/access-commands.ts';
import { guardCommands } from './access/guard-commands.ts';
import { activityCommands } from './activity/activity-commands.ts';
import { governCommands } from './activity/govern-commands.ts';
import { appCommands } from './app/app-commands.ts';
import { settingCommands } from './app/setting-commands.ts';
import { profileCommands } from './client/profile-commands.ts';
import type { Command } from './command.ts';
import { serverCommands } from './server/server-commands.ts';
import { skillCommands } from './tool/skill-commands.ts';
import { viewCommands } from './view-commands.ts';

/** All commands that do not depend on listed items; the palette creates those of single servers. */
export const commands: readonly Command[] = [
  ...viewCommands,
  ...serverCommands,
  ...guardCommands,
  ...governCommands,
  ...profileCommands,
  ...accessCommands,
  ...skillCommands,
  ...activityCommands,
  ...settingCommands,
  ...appCommands,
];
