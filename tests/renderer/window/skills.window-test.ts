import { describe, expect, it } from 'vitest';
import { openSkills } from '../harness/search-screens.ts';
import { inputsOf, useStage } from '../harness/use-stage.ts';

/** Tests skills, with a fake hub. */
describe('skills', () => {
  const show = useStage();

  it('[AG-US3-AC8] accepts and dismisses what is suggested, and takes it back', async () => {
    const page = await show();
    await openSkills(page);
    await page.getByRole('button', { name: /^To review/ }).click();
    await page.getByRole('button', { name: 'Accept Releasing software' }).click();
    await page.getByRole('button', { name: /^Releasing software/ }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Accept Releasing software' }).waitFor();
    const dismiss = page.getByRole('button', { name: 'Dismiss Gists' });
    await dismiss.click();
    await dismiss.waitFor({ state: 'detached' });
    expect(await inputsOf(page, 'skill.decide')).toEqual([
      { suggestion: 'suggestion-1', decision: 'accept' },
      { suggestion: 'suggestion-1', decision: 'reopen' },
      { suggestion: 'suggestion-2', decision: 'dismiss' },
    ]);
  });
});
