import type { SecretsView } from '../../../shared/model/hub/secret.ts';
import type { ServerView } from '../../../shared/model/server/server.ts';
import { hourAgo } from './sample-servers.ts';

const day = 24 * 3_600_000;

/** A vault with one of everything; empty if there are no servers. */
export function sampleSecrets(servers: readonly ServerView[]): SecretsView {
  if (servers.length === 0) return { secrets: [], missing: [] };
  const stored = { keeper: 'keychain', readable: true } as const;
  return {
    secrets: [
      {
        ...stored,
        name: 'GITHUB_TOKEN',
        storedAt: hourAgo - 3 * day,
        usedBy: [
          { key: 'github', fields: ['env.GITHUB_PERSONAL_ACCESS_TOKEN'] },
          { key: 'git', fields: ['env.TOKEN', 'args.2'] },
        ],
      },
      { ...stored, name: 'OLD_SLACK_TOKEN', storedAt: hourAgo - 90 * day, usedBy: [] },
      {
        name: 'SENTRY_TOKEN',
        keeper: 'key-env',
        readable: false,
        storedAt: hourAgo - 40 * day,
        usedBy: [{ key: 'sentry', fields: ['headers.Authorization'] }],
      },
    ],
    missing: [{ name: 'POSTGRES_PASSWORD', usedBy: [{ key: 'postgres', fields: ['args.1'] }] }],
  };
}
