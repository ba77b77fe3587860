import { z } from 'zod';
import type { PatchbayBridge } from '../../../shared/ipc/contract.ts';
import { FakeHub } from './fake-hub.ts';
import { scenarioNamed } from './scenarios.ts';

/** Access to the fake hub for tests. */
declare global {
  interface Window {
    harness?: FakeHub;
  }
}

// The page's policy forbids eval, which zod would otherwise try.
z.config({ jitless: true });

const options = new URLSearchParams(location.search);
const hub = new FakeHub(scenarioNamed(options.get('scenario') ?? 'rich', options.get('theme') ?? 'system'));
window.harness = hub;
Object.defineProperty(window, 'patchbay', { value: hub.bridge satisfies PatchbayBridge });
// Starts at the first page, not at the previous test's last one.
localStorage.clear();
await import('../../../renderer/app/main.tsx');
