import { type Browser, type ConsoleMessage, chromium, type Page } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';

const config = new URL('harness.config.ts', import.meta.url).pathname;

/** The built harness with a browser. */
export interface Stage {
  /** Opens a page on a scenario, once its first list is rendered; console errors are collected. */
  open(options: OpenOptions): Promise<Shown>;
  close(): Promise<void>;
}

export interface Shown {
  readonly page: Page;
  readonly errors: readonly string[];
  leave(): Promise<void>;
}

export interface OpenOptions {
  readonly scenario: string;
  readonly theme?: 'light' | 'dark';
  readonly size?: { readonly width: number; readonly height: number };
  /** Emulates a system in high contrast mode, which replaces the colours of every page. */
  readonly highContrast?: boolean;
  readonly reducedMotion?: boolean;
}

/** Joins the single window of an Electron that is already running: every page replaces the previous one. */
export async function joinStage(address: string, endpoint: string): Promise<Stage> {
  const browser = await chromium.connectOverCDP(endpoint);
  const page = await windowOf(browser);
  return {
    async open(options) {
      const errors = await fill(page, address, options);
      const leave = async () => {
        page.removeAllListeners();
        await page.goto('about:blank');
      };
      return { page, errors, leave };
    },
    close: () => browser.close(),
  };
}

async function windowOf(browser: Browser): Promise<Page> {
  const [context] = browser.contexts();
  if (context === undefined) throw new Error('The window of the tests has gone.');
  return context.pages()[0] ?? (await context.waitForEvent('page'));
}

export async function serveHarness() {
  await buildHarness();
  const server = await preview({ configFile: config, preview: { port: 0 } });
  return { address: addressOf(server), close: () => server.close() };
}

/** Builds the window as users get it: under the test runner, it would otherwise be built for development. */
async function buildHarness(): Promise<void> {
  const { NODE_ENV = 'production' } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    await build({ configFile: config, logLevel: 'warn' });
  } finally {
    process.env.NODE_ENV = NODE_ENV;
  }
}

async function fill(page: Page, address: string, options: OpenOptions): Promise<readonly string[]> {
  const { scenario, theme = 'light', size = { width: 1280, height: 800 } } = options;
  await page.setViewportSize({ ...size });
  await page.emulateMedia({
    colorScheme: theme,
    forcedColors: options.highContrast === true ? 'active' : 'none',
    reducedMotion: options.reducedMotion === true ? 'reduce' : 'no-preference',
  });
  const errors: string[] = [];
  page.on('console', (message: ConsoleMessage) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(`${address}?scenario=${scenario}&theme=${theme}`);
  await page.locator('h1').first().waitFor();
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(pauseTurning);
  await page.waitForTimeout(150);
  return errors;
}

/** Pauses endless animations: without a GPU, their frames take a tenth of the time of a processor. */
function pauseTurning(): void {
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY) animation.pause();
}

function addressOf(server: PreviewServer): string {
  const address = server.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('The preview server has no port.');
  return `http://127.0.0.1:${address.port}/`;
}
