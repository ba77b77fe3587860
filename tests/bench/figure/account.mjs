import { child } from '../lib/places.mjs';
import { openSession } from '../lib/session.mjs';
import { measureEcho } from './echo.mjs';

/** Nothing is kept of a call, or all that is kept by default: activity and the audit log. */
const kinds = {
  'nothing kept': { recordActivity: false, audit: false },
  'activity and audit': { recordActivity: true, audit: true },
};

/** Measures the cost of recording a call: two hubs over HTTP, block by block. Both count metrics. */
export async function measureAccount({ target, size, log, onFailure }) {
  const sessions = [];
  try {
    for (const [name, settings] of Object.entries(kinds)) {
      log(`starting a hub: ${name}`);
      const hub = {
        ...target,
        name,
        start: (servers, options) => target.start(servers, { ...options, settings }),
      };
      sessions.push(await openSession(hub, { a: child('sdk') }));
    }
    return await measureEcho({ sessions, size, log, onFailure });
  } finally {
    await Promise.all(sessions.map((session) => session.close()));
  }
}
