import { expect, it } from 'vitest';
import { openClientDetail } from '../../../../renderer/command/client/client-actions.ts';
import { testModel } from '../../helper/test-model.ts';

it('[PB-SMART-1] what compact mode saves is opened from a client’s card, its tools otherwise', () => {
  const { model } = testModel();
  openClientDetail(model, 'c1', 'compact');
  expect(model.view.getState().dialog).toEqual({ kind: 'client-detail', id: 'c1', page: 'compact' });
  openClientDetail(model, 'c1');
  expect(model.view.getState().dialog).toEqual({ kind: 'client-detail', id: 'c1' });
});
