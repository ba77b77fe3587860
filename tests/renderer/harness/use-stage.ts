import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import type { IpcCallName } from '../../../shared/ipc/contract.ts';
import { joinStage, type OpenOptions, type Shown, type Stage } from './browser.ts';

/** Provides the run's window to the tests of a file; anything a test has opened is closed when it ends. */
export function useStage() {
  let stage: Stage | undefined;
  const shown: Shown[] = [];
  beforeAll(async () => {
    const { address, endpoint } = inject('windowStage');
    stage = await joinStage(address, endpoint);
  });
  afterEach(async () => {
    for (const one of shown.splice(0)) await one.leave();
  });
  afterAll(() => stage?.close());
  return async (options: Partial<OpenOptions> = {}): Promise<Page> => {
    if (stage === undefined) throw new Error('There is no window before the tests begin.');
    const opened = await stage.open({ scenario: 'rich', ...options });
    shown.push(opened);
    return opened.page;
  };
}

/** Returns the inputs of this call that the window has sent to the fake hub. */
export function inputsOf(page: Page, call: IpcCallName): Promise<readonly unknown[]> {
  return page.evaluate(
    (wanted) => (window.harness?.calls ?? []).filter(({ name }) => name === wanted).map(({ input }) => input),
    call,
  );
}

/** True if this element has the focus. */
export function hasFocus(element: Element): boolean {
  return element === document.activeElement;
}
