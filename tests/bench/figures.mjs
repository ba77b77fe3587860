import { measureAccount } from './figure/account.mjs';
import { measureAuthorize } from './figure/authorize.mjs';
import { measureEcho } from './figure/echo.mjs';
import { measureEras } from './figure/eras.mjs';
import { measureGrowth } from './figure/growth.mjs';
import { measureList } from './figure/list.mjs';
import { measureMemory } from './figure/memory.mjs';
import { measurePayload } from './figure/payload.mjs';
import { measureProfile } from './figure/profile.mjs';
import { measureStartup } from './figure/startup.mjs';
import { child } from './lib/places.mjs';
import { openSession } from './lib/session.mjs';

/**
 * Every figure by name, each measured on targets that all run at once where their calls are compared: a function of
 * `{ targets, size, log, onFailure }`. Servers are on the SDK, as people have them, and goals are judged on those; what
 * ends in `-raw` runs on one that costs next to nothing, so that nothing hides what is between.
 */
export const figures = {
  echo: (run) => onSessions(run, 'sdk', measureEcho),
  'echo-raw': (run) => onSessions({ ...run, targets: run.targets.filter(isHouse) }, 'raw', measureEcho),
  payload: (run) => onSessions(run, 'sdk', measurePayload),
  'payload-raw': (run) => onSessions({ ...run, targets: run.targets.filter(isHouse) }, 'raw', measurePayload),
  list: (run) => measureList({ ...run, targets: run.targets.filter(hasTools) }),
  startup: (run) =>
    measureStartup({ ...run, targets: named(run, 'aggregator', 'http'), direct: named(run, 'direct')[0] }),
  growth: (run) => measureGrowth({ ...run, targets: run.targets.filter(isOurs) }),
  eras: (run) => measureEras(run),
  authorize: (run) => measureAuthorize(run),
  account: (run) => measureAccountOf(run),
  memory: (run) => measureMemoryOf(run),
  profile: (run) => measureProfile({ ...run, targets: run.targets.filter(isOurs) }),
};

const isOurs = ({ role }) => role === 'ours';
const isHouse = ({ role }) => role !== 'peer';
/** One peer lists its own few tools in place of the server's, another never sees that server. */
const hasTools = ({ remark }) => remark === undefined;

const named = ({ targets }, ...names) => targets.filter(({ name }) => names.includes(name));

async function measureAccountOf(run) {
  const [target] = named(run, 'http');
  return target === undefined ? undefined : measureAccount({ ...run, target });
}

async function measureMemoryOf(run) {
  const [target] = named(run, 'bridge');
  return target === undefined ? undefined : measureMemory({ ...run, target });
}

/** All targets at once, each with a server of its own. */
async function onSessions(run, kind, measure) {
  const sessions = [];
  for (const target of run.targets) {
    run.log(`starting ${target.name}`);
    try {
      sessions.push(await openSession(target, { a: child(kind) }));
    } catch (error) {
      run.onFailure(target, error);
    }
  }
  try {
    return await measure({ ...run, sessions });
  } finally {
    await Promise.all(sessions.map((session) => session.close()));
  }
}
