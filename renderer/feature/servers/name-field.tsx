import { Button, TextInput } from '@mantine/core';
import { plainKey, toolPrefix } from '../../lib/plain-key.ts';
import classes from './name-field.module.css';

interface NameFieldProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (key: string) => void;
  /** Takes the plainer key; what was typed may become the display name. */
  readonly onPlain: (key: string) => void;
}

/** The key of a server, with the names that clients will see, and a plainer key where those would be mangled. */
export function NameField({ value, error, onChange, onPlain }: NameFieldProps) {
  return (
    <div>
      <TextInput
        label="Name"
        description={
          value === '' ? (
            'Starts the names of its tools.'
          ) : (
            <>
              Clients will see its tools as <code>{toolPrefix(value)}…</code>
            </>
          )
        }
        placeholder="github"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        spellCheck={false}
      />
      <PlainOffer value={value} onUse={onPlain} />
    </div>
  );
}

/** Spaces and other signs cost every tool a part of its name. */
export function PlainOffer({ value, onUse }: { value: string; onUse: (key: string) => void }) {
  const plain = plainKey(value);
  if (plain === value || plain === '') return null;
  return (
    <p className={classes.offer}>
      Only letters, digits, - and _ reach clients unchanged.
      <Button variant="light" size="compact-xs" onClick={() => onUse(plain)}>
        Use {plain}
      </Button>
    </p>
  );
}
