import { Button, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { setTags } from '../../../command/server/bulk-actions.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { useModel, useServers } from '../../../store/model-context.tsx';
import { titleOf } from '../../../store/server-title.ts';
import { closeDialog } from '../../../store/view-store.ts';
import { Dialog, DialogFoot } from '../../../ui/dialog/dialog.tsx';
import { tagsOf } from './arrange-servers.ts';
import classes from './selection-bar.module.css';

/** Edits the tags of a server or, for several, their common tags. */
export function TagsDialog({ keys }: { keys: readonly string[] }) {
  const model = useModel();
  const { byKey, order } = useServers((state) => state);
  const all = order.flatMap((key) => byKey[key] ?? []);
  const chosen = all.filter(({ key }) => keys.includes(key));
  const [first, ...others] = chosen;
  const shared = (first?.tags ?? []).filter((tag) => others.every(({ tags = [] }) => tags.includes(tag)));
  const [value, setValue] = useState<readonly string[]>(shared);
  const close = () => closeDialog(model.view);
  function save(): void {
    close();
    const removed = shared.filter((tag) => !value.includes(tag));
    const next = chosen.map(({ key, tags = [] }) => {
      const kept = tags.filter((tag) => !removed.includes(tag));
      return [key, [...new Set([...kept, ...value])]] as const;
    });
    void setTags(model, Object.fromEntries(next));
  }
  const title =
    first !== undefined && others.length === 0
      ? `Tags of ${titleOf(model, first.key)}`
      : `Tags of ${formatCount(chosen.length, 'server')}`;
  return (
    <Dialog title={title} onClose={close} size={460}>
      <div className={classes.dialog}>
        <TagsInput
          label="Tags"
          description={
            others.length === 0
              ? 'Type a tag and press Enter.'
              : 'Tags that all of them share. Type a tag and press Enter to add it to each; other tags stay.'
          }
          data={[...tagsOf(all)]}
          value={[...value]}
          onChange={(tags) =>
            setValue(tags.map((tag) => tag.trim().slice(0, 40)).filter((tag) => tag !== ''))
          }
          maxTags={20}
          maxDropdownHeight={120}
          data-autofocus
        />
      </div>
      <DialogFoot>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button onClick={save}>Save tags</Button>
      </DialogFoot>
    </Dialog>
  );
}
