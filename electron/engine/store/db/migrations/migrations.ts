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
import { activityProtocol } from './0012-activity-protocol.ts';

/**
 * All migrations of `state.db` since its first version, by the name that is stored for them. There is no way
 * back. A released migration is never changed: everybody's database has already gone through it.
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
  '0012-activity-protocol': activityProtocol,
};

/** Version of a database that has had all migrations. */
export const version = Object.keys(migrations).length;
