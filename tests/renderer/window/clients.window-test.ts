import { describe, expect, it } from 'vitest';
import { openView } from '../harness/screen.ts';
import { inputsOf, useStage } from '../harness/use-stage.ts';

/** Tests client cards, with a fake hub. */
describe('the card of a client', () => {
  const show = useStage();

  it('[PB-NAMES-1] tells a client again whose list is outdated', async () => {
    const page = await show();
    await page.evaluate(() => {
      const clients = window.harness?.state.clients ?? [];
      const changed = clients.map((client) => ({ ...client, stale: client.name === 'cursor-vscode' }));
      window.harness?.push('clients.changed', { clients: changed });
    });
    await openView(page, 'Clients');
    const card = page.getByRole('listitem').filter({ hasText: 'Cursor' });
    await card.getByRole('button', { name: 'Notify again' }).click();
    const id = await page.evaluate(
      () => window.harness?.state.clients.find(({ name }) => name === 'cursor-vscode')?.id,
    );
    await expect.poll(() => inputsOf(page, 'client.notify')).toEqual([{ id }]);
  });
});
