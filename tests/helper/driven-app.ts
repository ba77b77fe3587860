import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Browser, type BrowserContext, chromium, errors, type Page } from 'playwright-core';
import { WebSocket } from 'undici';
import { eventually } from './eventually.ts';

type Electron = typeof import('electron');

/** An app that was started, with its windows and its main process within reach. */
export interface DrivenApp {
  /** Resolves to the first window, as soon as there is one. */
  firstWindow(): Promise<Page>;
  /** Runs a function in the main process; what it is given and what it returns go as JSON. */
  evaluate<T>(task: (electron: Electron) => T): Promise<Awaited<T>>;
  evaluate<T, A>(task: (electron: Electron, argument: A) => T, argument: A): Promise<Awaited<T>>;
  process(): ChildProcess;
  /** Asks it to quit where it still runs; resolves when it has gone. */
  close(): Promise<void>;
}

/**
 * Starts an app and attaches to it. Playwright's own launch attaches to a packaged app while its first window is loading,
 * misses at times that it has loaded, and then waits for ever.
 */
export async function launchApp(
  executable: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<DrivenApp> {
  // Displays of tests have no GPU, and an app that looks for one computes its pictures the slow way.
  const debugging = ['--disable-gpu', '--inspect=0', '--remote-debugging-port=0'];
  const { NODE_OPTIONS: _, ...inherited } = env;
  const child = spawn(executable, [...debugging, ...args], { env: inherited, stdio: 'pipe' });
  const gone = once(child, 'exit');
  let said = '';
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const found = async (line: RegExp) => {
    let address = '';
    await eventually(() => {
      address = line.exec(said)?.[1] ?? '';
      if (address === '') throw new Error(`The app did not say where it is reached: ${said}`);
    }, 120_000);
    return address;
  };
  try {
    const main = await MainProcess.attach(await found(/^Debugger listening on (ws:\S+)$/m));
    child.stderr.on('data', () => {
      if (said.includes('Waiting for the debugger to disconnect')) main.leave();
    });
    const browser = await attach(await found(/^DevTools listening on (ws:\S+)$/m));
    const [context] = browser.contexts();
    if (context === undefined) throw new Error('The app has no context for windows');
    context.setDefaultTimeout(patience);
    return drive({ child, gone, main, browser, context });
  } catch (error) {
    child.kill('SIGKILL');
    await gone;
    throw error;
  }
}

interface Parts {
  readonly child: ChildProcess;
  readonly gone: Promise<unknown>;
  readonly main: MainProcess;
  readonly browser: Browser;
  readonly context: BrowserContext;
}

function drive({ child, gone, main, browser, context }: Parts): DrivenApp {
  return {
    firstWindow: async () => context.pages()[0] ?? context.waitForEvent('page'),
    evaluate: <T, A>(task: (electron: Electron, argument: A) => T, argument?: A) =>
      main.evaluate(`(${String(task)})(require('electron'), ${JSON.stringify(argument)})`) as Promise<
        Awaited<T>
      >,
    process: () => child,
    async close() {
      if (child.exitCode === null && child.signalCode === null)
        await main.evaluate(`require('electron').app.quit()`).catch(() => undefined);
      await gone;
      await browser.close();
    },
  };
}

/** Attaches to the windows there are, which have to be loaded, and to all that come. */
async function attach(endpoint: string): Promise<Browser> {
  const { host } = new URL(endpoint);
  await eventually(async () => {
    const targets = (await (await fetch(`http://${host}/json/list`)).json()) as readonly Target[];
    const isLoading = targets.some(({ type, title }) => type === 'page' && title === '');
    if (isLoading) throw new Error('A window is still loading');
  });
  try {
    return await chromium.connectOverCDP(endpoint, { timeout: attachPatience });
  } catch (error) {
    // A window that came in between; the app runs on, and the next look finds it loaded.
    if (error instanceof errors.TimeoutError) return attach(endpoint);
    throw error;
  }
}

interface Target {
  readonly type: string;
  readonly title: string;
}

/** Answer of Node's inspector. */
interface Answer {
  readonly id?: number;
  readonly result?: {
    readonly result: { readonly value?: unknown };
    readonly exceptionDetails?: { readonly exception?: { readonly description?: string } };
  };
}

/** The main process, by the inspector of Node. */
class MainProcess {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #last = 0;

  static async attach(endpoint: string): Promise<MainProcess> {
    const socket = new WebSocket(endpoint);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', reject);
    });
    return new MainProcess(socket);
  }

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const answer: Answer = JSON.parse(String(data));
      this.#waiting.get(answer.id ?? 0)?.(answer);
    });
    socket.addEventListener('close', () => {
      for (const answer of this.#waiting.values()) answer({});
    });
  }

  async evaluate(expression: string): Promise<unknown> {
    // Nothing is sent over a closed socket, and nothing said.
    if (this.#socket.readyState !== WebSocket.OPEN) throw new Error('The app ended before it was asked');
    this.#last += 1;
    const id = this.#last;
    const params = { expression, includeCommandLineAPI: true, awaitPromise: true, returnByValue: true };
    const { result } = await new Promise<Answer>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params }));
    });
    this.#waiting.delete(id);
    if (result === undefined) throw new Error('The app ended before it answered');
    const { exceptionDetails } = result;
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? 'The app failed');
    return result.result.value;
  }

  /** Detaches from the process, which cannot end before. */
  leave(): void {
    this.#socket.close();
  }
}

/** Milliseconds that a hang is given, on a busy machine too. */
const patience = 120_000;
const attachPatience = 20_000;
