import type { TestTarget } from '../../shared/model/tool/tester.ts';
import type { Model } from '../store/model.ts';
import { changeDraft } from '../store/tester-store.ts';
import { openTester } from './navigate.ts';

/** Item to open in the tester; `arguments` is JSON text. */
export interface TesterWish extends TestTarget {
  readonly arguments?: string;
}

/** Opens the tester on an item, with its arguments filled in. */
export function tryInTester(model: Model, wish: TesterWish): void {
  const { kind, serverKey, name, arguments: text } = wish;
  if (text !== undefined) changeDraft(model.tester, { kind, serverKey, name }, { text, editor: 'json' });
  openTester(model, { serverKey, open: { kind, name } });
}
