import type { Migration } from 'kysely';
import { breaker } from './0001-breaker.ts';
import { activity } from './0002-activity.ts';
import { activityKinds } from './0003-activity-kinds.ts';
import { toolPin } from './0004-tool-pin.ts';
import { toolUse } from './0005-tool-use.ts';
import { access } from './0006-access.ts';
import { registry } from './0007-registry.ts';
import { audit } from './0008-audit.ts';
import { skills } from './0009-skills.ts';
import { toolPassed } from './0010-tool-passed.ts';
import { httpSession } from './0011-http-session.ts';

/**
 * Every step of `state.db` since its first version, by the name it is remembered under. They only go forward. One that
 * has been released is never changed: what it does to a database is what everybody's has had done.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-breaker': breaker,
  '0002-activity': activity,
  '0003-activity-kinds': activityKinds,
  '0004-tool-pin': toolPin,
  '0005-tool-use': toolUse,
  '0006-access': access,
  '0007-registry': registry,
  '0008-audit': audit,
  '0009-skills': skills,
  '0010-tool-passed': toolPassed,
  '0011-http-session': httpSession,
};

/** What a database is at that has had all of them. */
export const version = Object.keys(migrations).length;
