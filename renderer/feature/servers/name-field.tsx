import { Button, TextInput } from '@mantine/core';
import { plainKey, toolPrefix } from '../../lib/entry/plain-key.ts';
import classes from './name-field.module.css';

interface NameFieldProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (key: string) => void;
  /** Uses the suggested key; the typed name may become the display name. */
  readonly onSuggestion: (key: string) => void;
}

/**
 * Edits a server's key, shows the tool names clients will see, and suggests a simpler key where those would
 * be altered.
 */
export function NameField({ value, error, onChange, onSuggestion }: NameFieldProps) {
  return (
    <div>
      <TextInput
        label="Name"
        description={
          value === '' ? (
            'Used as a prefix for its tool names.'
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
      <KeySuggestion value={value} onUse={onSuggestion} />
    </div>
  );
}

/** Suggests a key without the characters that clients cannot use in tool names. */
export function KeySuggestion({ value, onUse }: { value: string; onUse: (key: string) => void }) {
  const plain = plainKey(value);
  if (plain === value || plain === '') return null;
  return (
    <p className={`row ${classes.offer}`}>
      Only letters, digits, - and _ reach clients unchanged.
      <Button variant="light" size="compact-xs" onClick={() => onUse(plain)}>
        Use {plain}
      </Button>
    </p>
  );
}
