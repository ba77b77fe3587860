import type { ClientView } from '../../../shared/model/client/client.ts';

const now = Date.now();

export const clients: readonly ClientView[] = [
  {
    id: 'c1',
    name: 'claude-ai',
    version: '0.14.10',
    via: 'bridge',
    bridgeVersion: '0.1.0',
    connectedAt: now - 5_400_000,
    nameStyle: 'safe',
    listRevision: 12,
    stale: true,
    listedTools: 118,
    calls: 342,
    lastActiveAt: now - 42_000,
  },
  {
    id: 'c2',
    name: 'cursor-vscode',
    version: '1.7.2',
    via: 'bridge',
    bridgeVersion: '0.1.0',
    connectedAt: now - 1_860_000,
    nameStyle: 'safe',
    listRevision: 15,
    stale: false,
    listedTools: 118,
    calls: 27,
    lastActiveAt: now - 3_000,
  },
  {
    id: 'c3',
    name: 'my-agent',
    version: '3.0.0-rc.2',
    title: 'Nightly research agent',
    via: 'http',
    connectedAt: now - 65_000,
    nameStyle: 'colon',
    stale: false,
    listedTools: 118,
    calls: 0,
    lastActiveAt: now - 65_000,
  },
];
