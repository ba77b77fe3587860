import { Button, NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core';
import type { ImportInput } from '../../../../shared/model/import/import-session.ts';
import { useModel } from '../../../store/model-context.tsx';
import classes from './import-servers.module.css';

interface InputFieldsProps {
  readonly inputs: readonly ImportInput[];
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (id: string, value: string) => void;
}

/** Asks once for the values that the source leaves open. */
export function InputFields({ inputs, values, onChange }: InputFieldsProps) {
  return (
    <section className="grid gap-8" aria-label="Values needed">
      <h3 className="dim tiny strong">Values needed</h3>
      <p className={classes.note}>You can leave fields empty and fill them in later.</p>
      <div className="grid gap-12">
        {inputs.map((input) => (
          <InputField
            key={input.id}
            input={input}
            value={values[input.id] ?? ''}
            onChange={(value) => onChange(input.id, value)}
          />
        ))}
      </div>
    </section>
  );
}

interface InputFieldProps {
  readonly input: ImportInput;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function InputField({ input, value, onChange }: InputFieldProps) {
  const { title, description, required, kind, options = [], secretName } = input;
  const common = {
    label: required ? title : `${title} (optional)`,
    description: secretName === undefined ? description : vaultText(description, secretName),
  };
  switch (kind) {
    case 'password':
      return (
        <PasswordInput
          {...common}
          size="xs"
          value={value}
          autoComplete="off"
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'choice':
    case 'boolean':
      return (
        <NativeSelect
          {...common}
          size="xs"
          value={value}
          data={['', ...(kind === 'boolean' ? ['true', 'false'] : options)]}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'folder':
    case 'file':
      return <PathField input={input} common={common} kind={kind} value={value} onChange={onChange} />;
    default:
      return (
        <TextInput
          {...common}
          inputMode={kind === 'number' ? 'numeric' : undefined}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          spellCheck={false}
        />
      );
  }
}

interface PathFieldProps extends InputFieldProps {
  readonly kind: 'folder' | 'file';
  readonly common: {
    readonly label: string;
    readonly description: string | undefined;
  };
}

function PathField({ input, common, kind, value, onChange }: PathFieldProps) {
  const { link } = useModel();
  const several = input.multiple === true;
  async function choose(): Promise<void> {
    const answer = await link.call('import.choosePath', { kind, title: input.title.slice(0, 200) });
    const path = answer.ok ? answer.value.path : undefined;
    if (path !== undefined) onChange(several && value.trim() !== '' ? `${value}\n${path}` : path);
  }
  const field = {
    ...common,
    className: classes.grow ?? '',
    value,
    classNames: { input: classes.code ?? '' },
    spellCheck: false,
  };
  return (
    <div className={classes.path}>
      {several ? (
        <Textarea {...field} autosize onChange={(event) => onChange(event.currentTarget.value)} />
      ) : (
        <TextInput {...field} onChange={(event) => onChange(event.currentTarget.value)} />
      )}
      <Button variant="default" onClick={() => void choose()} aria-label={`Choose: ${input.title}`}>
        Choose…
      </Button>
    </div>
  );
}

function vaultText(description: string | undefined, name: string): string {
  const stored = `Stored as secret ${name}.`;
  return description === undefined ? stored : `${description.replace(/(?<![.\s])[.\s]*$/, '.')} ${stored}`;
}
