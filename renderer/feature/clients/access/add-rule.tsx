import { Button, Checkbox, Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Effect, GrantScope } from '../../../../shared/model/access.ts';
import { makeGrant } from '../../../command/access-actions.ts';
import { useModel } from '../../../store/model-context.tsx';
import classes from './access-dialog.module.css';
import { ExpiryChoice, expiryOf } from './end-choice.tsx';

const effects = [
  { value: 'allow', label: 'Allow' },
  { value: 'ask', label: 'Ask first' },
  { value: 'deny', label: 'Deny' },
];

const scopes = [
  { value: 'all', label: 'everything' },
  { value: 'high', label: 'high-risk tools' },
  { value: 'low', label: 'low-risk tools' },
  { value: 'pattern', label: 'tools named…' },
];

/** Adds a general rule, optionally with an expiry. Rules for servers and tools are made in the matrix. */
export function AddRule({ identityId }: { identityId: string }) {
  const model = useModel();
  const [effect, setEffect] = useState<Effect>('allow');
  const [kind, setKind] = useState('all');
  const [pattern, setPattern] = useState('');
  const [expiry, setEnd] = useState('never');
  const [needsToken, setNeedsToken] = useState(false);
  const scope = scopeFor(kind, pattern.trim());
  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (scope === undefined) return;
    const expiresAt = expiryOf(expiry, model.now());
    const made = await makeGrant(model, {
      identityId,
      effect,
      scope,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(needsToken && effect === 'allow' ? { needsToken } : {}),
    });
    if (made) setPattern('');
  }
  return (
    <form className={classes.form} aria-label="Add a rule" onSubmit={(event) => void add(event)}>
      <Select
        size="xs"
        w={110}
        label="Rule"
        data={effects}
        value={effect}
        allowDeselect={false}
        onChange={(next) => next !== null && setEffect(next as Effect)}
      />
      <Select
        size="xs"
        w={170}
        label="Applies to"
        data={scopes}
        value={kind}
        allowDeselect={false}
        onChange={(next) => next !== null && setKind(next)}
      />
      {kind === 'pattern' && (
        <TextInput
          w={180}
          label="Pattern"
          placeholder="github:list_*"
          title="Matches server:tool. * matches any characters, ? matches one."
          spellCheck={false}
          value={pattern}
          onChange={(event) => setPattern(event.currentTarget.value)}
        />
      )}
      <ExpiryChoice value={expiry} onChange={setEnd} />
      <Button type="submit" variant="default" size="xs" h={30} disabled={scope === undefined}>
        Add rule
      </Button>
      {effect === 'allow' && (
        <Checkbox
          label="Only while a tool is allowed temporarily"
          checked={needsToken}
          onChange={(event) => setNeedsToken(event.currentTarget.checked)}
        />
      )}
    </form>
  );
}

function scopeFor(kind: string, pattern: string): GrantScope | undefined {
  switch (kind) {
    case 'high':
    case 'low':
      return { kind: 'risk', risk: kind };
    case 'pattern':
      return pattern === '' ? undefined : { kind: 'pattern', pattern };
    default:
      return { kind: 'all' };
  }
}
