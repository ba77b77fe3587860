import type { TestTarget } from '../../shared/model/tester.ts';
import type { Model } from '../store/model.ts';

/** What is to be tried; `arguments` is JSON text. */
export interface TesterWish extends TestTarget {
  readonly arguments?: string;
}

/** Opens the tester on something, with its arguments filled in; undefined where there is no tester. */
export const openTester: ((model: Model, wish: TesterWish) => void) | undefined = undefined;
