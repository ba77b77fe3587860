import { describe, expect, it } from 'vitest';
import { layoutFaults } from '../harness/layout.ts';
import { screens } from '../harness/screens.ts';
import { useStage } from '../harness/use-stage.ts';

/** 1280x800 at 150 %, the smallest window, and the default one. */
const sizes = [
  { width: 853, height: 533 },
  { width: 960, height: 640 },
  { width: 1180, height: 760 },
];

const pages = [
  'servers',
  'servers-many',
  'server-overview',
  'server-tools',
  'server-log',
  'server-config',
  'add-form',
  'add-form-name',
  'add-paste',
  'add-paste-to-fill-in',
  'import-apps',
  'import-to-fill-in',
  'import-move',
  'import-done',
  'tools',
  'tools-search',
  'skills',
  'skill-tool',
  'activity',
  'audit',
  'metrics',
  'clients',
  'profiles',
  'access',
  'settings',
  'limits',
  'secrets',
  'about',
  'backup',
  'restore',
  'restore-wrong-passphrase',
  'restored',
  'tester',
  'tester-history',
  'review',
  'approvals',
  'palette-search',
];

/** Measures every page at common sizes. */
describe('the layout', () => {
  const show = useStage();

  it.each(pages)(
    '[PB-A11Y-1] nothing of %s is cut or out of reach in a small or enlarged window',
    async (name) => {
      const screen = screens.find((one) => one.name === name);
      const page = await show({
        scenario: screen?.scenario ?? 'missing',
        size: { width: 1180, height: 760 },
      });
      await screen?.go?.(page);
      for (const size of sizes) {
        await page.setViewportSize(size);
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
        await expect
          .poll(() => page.evaluate(layoutFaults), { message: `${size.width}x${size.height}` })
          .toEqual([]);
      }
    },
  );

  it('the list beside a page grows with the window', async () => {
    const page = await show({ size: { width: 1180, height: 760 } });
    await screens.find(({ name }) => name === 'server-overview')?.go?.(page);
    const width = () => page.getByRole('table', { name: 'Servers' }).evaluate((table) => table.clientWidth);
    const narrow = await width();
    await page.setViewportSize({ width: 1920, height: 1080 });
    await expect.poll(width).toBeGreaterThan(narrow + 100);
  });
});
