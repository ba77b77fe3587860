import { type Browser, chromium, type Page } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';

const config = new URL('harness.config.ts', import.meta.url).pathname;

/** The built harness, served; and a browser to look at it with. */
export interface Stage {
  readonly browser: Browser;
  /** A page on a scenario, once its first list stands; anything it writes to the console as an error is kept. */
  open(options: OpenOptions): Promise<{ readonly page: Page; readonly errors: readonly string[] }>;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly scenario: string;
  readonly theme?: 'light' | 'dark';
  readonly size?: { readonly width: number; readonly height: number };
  /** As a system in high contrast has it, which replaces the colours of every page. */
  readonly highContrast?: boolean;
  readonly reducedMotion?: boolean;
}

export async function openStage(executablePath: string): Promise<Stage> {
  await build({ configFile: config, logLevel: 'warn' });
  const server = await preview({ configFile: config, preview: { port: 0 } });
  const browser = await chromium.launch({ executablePath, args: flags });
  return {
    browser,
    open: (options) => openPage(browser, addressOf(server), options),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

async function openPage(browser: Browser, address: string, options: OpenOptions) {
  const { scenario, theme = 'light', size = { width: 1280, height: 800 } } = options;
  const context = await browser.newContext({
    viewport: { ...size },
    colorScheme: theme,
    forcedColors: options.highContrast === true ? 'active' : 'none',
    reducedMotion: options.reducedMotion === true ? 'reduce' : 'no-preference',
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(`${address}?scenario=${scenario}&theme=${theme}`);
  await page.locator('h1').first().waitFor();
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(150);
  return { page, errors };
}

function addressOf(server: PreviewServer): string {
  const address = server.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('The preview server has no port.');
  return `http://127.0.0.1:${address.port}/`;
}

/** A browser that looks nothing up on its own. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
