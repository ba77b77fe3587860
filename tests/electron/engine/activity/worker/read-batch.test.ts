import { expect, it } from 'vitest';
import { readRecords } from '../../../../../electron/engine/activity/read-records.ts';
import { RecordBatch } from '../../../../../electron/engine/activity/record-batch.ts';
import { Masking } from '../../../../../electron/engine/activity/worker/masking.ts';
import { readBatch } from '../../../../../electron/engine/activity/worker/read-batch.ts';

it('a batch is read in portions, in order, and what is due happens in between', async () => {
  const batch = new RecordBatch({ client: () => ({}), server: () => ({}) });
  const texts = Array.from({ length: 120 }, (_, index) => `event ${index}`);
  for (const text of texts) batch.add({ at: 1, kind: 'hub', outcome: 'note', text });
  let turns = 0;
  const counting = () => {
    turns += 1;
    due = setImmediate(counting);
  };
  let due = setImmediate(counting);
  const { records, contents, isPartial } = batch.take();
  const options = { masking: new Masking(), first: 7, contents, isPartial };
  const { activities } = await readBatch(readRecords(records), options);
  clearImmediate(due);
  expect(turns).toBe(3);
  expect(activities.map(({ row }) => row.text)).toEqual(texts);
  expect(activities.map(({ row }) => row.id)).toEqual(texts.map((_, index) => index + 7));
});
