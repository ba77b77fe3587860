import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import type { Stage } from './browser.ts';
import type { Screen } from './screen.ts';
import { screens } from './screens.ts';
import { openStage } from './window-stage.ts';

/** Takes screenshots of every screen and reports axe's and the console's findings. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: '.cache/look' },
    widths: { type: 'string', default: '900,1280' },
    themes: { type: 'string', default: 'light,dark' },
    'high-contrast': { type: 'boolean', default: false },
    'reduced-motion': { type: 'boolean', default: false },
    'pictures-only': { type: 'boolean', default: false },
  },
});
const heights: Readonly<Record<number, number>> = {
  900: 600,
  960: 640,
  1280: 800,
  1440: 900,
  2560: 1440,
  3840: 2160,
};
const themes = (['light', 'dark'] as const).filter((theme) => values.themes.split(',').includes(theme));
const looks = values.widths.split(',').flatMap((text) => {
  const size = { width: Number(text), height: heights[Number(text)] ?? 800 };
  return themes.map((theme) => ({ theme, ...size }));
});

await mkdir(values.out, { recursive: true });
const stage = await openStage();
const wanted = screens.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
for (const screen of wanted) for (const look of looks) await shoot(stage, screen, look);
await stage.close();

async function shoot(on: Stage, screen: Screen, look: (typeof looks)[number]): Promise<void> {
  const name = `${screen.name}-${look.theme}-${look.width}`;
  const { page, errors, leave } = await on.open({
    scenario: screen.scenario,
    theme: look.theme,
    size: look,
    highContrast: values['high-contrast'],
    reducedMotion: values['reduced-motion'],
  });
  try {
    await screen.go?.(page);
    await page.waitForTimeout(250);
    await page.screenshot({ path: path.join(values.out, `${name}.png`) });
    if (!values['pictures-only']) await tellViolations(page, name);
  } catch (error) {
    console.log(name, 'FAILED', error instanceof Error ? error.message.slice(0, 400) : error);
    await page.screenshot({ path: path.join(values.out, `${name}-failed.png`) });
  }
  for (const error of errors) console.log(name, 'console:', error.slice(0, 300));
  await leave();
}

async function tellViolations(page: Page, name: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .exclude('[data-portal]:has([role="tooltip"])')
    .analyze();
  for (const { id, nodes } of violations)
    console.log(
      name,
      id,
      nodes.slice(0, 3).map((node) => `${node.target} ${node.failureSummary?.split('\n')[1] ?? ''}`),
    );
}
