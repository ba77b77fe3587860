import { Switch } from '@mantine/core';
import { defaultCompactSettings } from '../../../../shared/model/compact.ts';
import type { Profile } from '../../../../shared/model/profile.ts';
import { saveCompact, setCompact } from '../../../command/compact-actions.ts';
import { useModel } from '../../../store/model-context.tsx';
import classes from './compact.module.css';
import { CompactForm } from './compact-form.tsx';

/** Turns compact mode on or off for clients with the profile, unless a client's own setting overrides it. */
export function ProfileCompact({ profile: { name, compact } }: { profile: Profile }) {
  const model = useModel();
  const owner = { of: 'profile', name } as const;
  return (
    <div className={classes.profile}>
      <Switch
        size="xs"
        label="Compact mode for clients with this profile"
        checked={compact !== undefined}
        onChange={(event) =>
          void setCompact(model, {
            ...owner,
            compact: event.currentTarget.checked ? defaultCompactSettings : 'off',
          })
        }
      />
      {compact !== undefined && (
        <CompactForm settings={compact} onChange={(next) => void saveCompact(model, owner, next)} />
      )}
    </div>
  );
}
