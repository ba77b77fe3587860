import { Button, PasswordInput, TextInput } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import {
  defaultRedirectUri,
  type MissingValue,
  type ValuePlace,
} from '../../../../shared/model/server/missing-value.ts';
import { oauthOptionsSchema } from '../../../../shared/schema/server-entry.ts';
import {
  enterValue,
  type FormOutcome,
  setSignInClient,
} from '../../../command/server/enter-value-actions.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Disclosure } from '../../../ui/dialog/disclosure.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { CopyButton } from '../../../ui/text/copy-button.tsx';
import classes from './value-form.module.css';

interface FormProps {
  readonly name: string;
  readonly submit: string;
  readonly ready: boolean;
  readonly note: string;
  readonly onSubmit: () => Promise<FormOutcome>;
  readonly children: ReactNode;
}

/** A small form on the server page that returns the focus to the page once submitted. */
function ValueForm({ name, submit, ready, note, onSubmit, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!ready || busy) return;
    const page = form.current?.closest<HTMLElement>('[data-server-page]');
    setBusy(true);
    const entered = await onSubmit();
    setBusy(false);
    setProblem(entered.problem);
    if (entered.problem === undefined) page?.focus({ preventScroll: true });
  }
  return (
    <form
      ref={form}
      className={classes.form}
      aria-label={`Enter ${name}`}
      onSubmit={(event) => void send(event)}
      noValidate
    >
      {children}
      <div className={`row ${classes.foot}`}>
        <Button type="submit" disabled={!ready} loading={busy}>
          {submit}
        </Button>
        <span className="soft tiny">{note}</span>
      </div>
      {problem !== undefined && <ProblemCard problem={problem} />}
    </form>
  );
}

const storedNote = 'Stored encrypted as a secret.';

interface SecretFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly focused?: boolean;
}

function SecretField({ label, value, onValue, focused = false }: SecretFieldProps) {
  return (
    <PasswordInput
      size="xs"
      label={label}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      classNames={{ root: classes.field ?? '', innerInput: classes.code ?? '' }}
      autoComplete="off"
      spellCheck={false}
      autoFocus={focused}
    />
  );
}

interface KeyFormProps {
  readonly serverKey: string;
  /** The header the server asks for, or the default one. */
  readonly place?: ValuePlace | undefined;
  /** True if the user has just opened the form. */
  readonly focused?: boolean;
}

/** Asks for a remote server's API key and, under "More", the header to send it in. */
export function KeyForm({ serverKey, place, focused = false }: KeyFormProps) {
  const model = useModel();
  const asked = place?.kind === 'header' ? place : defaultPlace;
  const [value, setValue] = useState('');
  const [header, setHeader] = useState(asked.header);
  const [scheme, setScheme] = useState(asked.scheme);
  const [more, setMore] = useState(false);
  async function enter(): Promise<FormOutcome> {
    const entered = await enterValue(
      model,
      serverKey,
      { ...asked, header: header.trim(), scheme: scheme.trim() },
      value,
    );
    if (entered.problem === undefined) setValue('');
    return entered;
  }
  return (
    <ValueForm
      name="API key"
      submit="Save and connect"
      ready={value.trim() !== '' && header.trim() !== ''}
      note={storedNote}
      onSubmit={enter}
    >
      <SecretField label="API key" value={value} onValue={setValue} focused={focused} />
      <Disclosure
        title="More"
        summary={`${header}: ${scheme === '' ? '' : `${scheme} `}key`}
        open={more}
        onOpen={setMore}
      >
        <div className={classes.pair}>
          <TextInput
            size="xs"
            label="Header"
            value={header}
            onChange={(event) => setHeader(event.currentTarget.value)}
            classNames={{ input: classes.code ?? '' }}
            spellCheck={false}
          />
          <TextInput
            size="xs"
            label="Prefix"
            placeholder="none"
            value={scheme}
            onChange={(event) => setScheme(event.currentTarget.value)}
            classNames={{ input: classes.code ?? '' }}
            spellCheck={false}
          />
        </div>
      </Disclosure>
    </ValueForm>
  );
}

const defaultPlace = { kind: 'header', header: 'Authorization', scheme: 'Bearer' } as const;

interface EnterValueProps {
  readonly serverKey: string;
  readonly missing: MissingValue;
  /** Names the value on the button when there are several. */
  readonly named: boolean;
}

/** Shows the "Enter the value" button, which opens the field in its place. */
export function EnterValue({ serverKey, missing: { place, label }, named }: EnterValueProps) {
  const model = useModel();
  const [open, setOpen] = useState(false);
  const [value, setValue] = useState('');
  if (!open) {
    return (
      <Button leftSection={<KeyRound size={13} aria-hidden />} onClick={() => setOpen(true)}>
        {named ? `Enter ${label}` : 'Enter the value'}
      </Button>
    );
  }
  return (
    <ValueForm
      name={label}
      submit="Save and start"
      ready={value.trim() !== ''}
      note={storedNote}
      onSubmit={() => enterValue(model, serverKey, place, value)}
    >
      <SecretField label={label} value={value} onValue={setValue} focused />
    </ValueForm>
  );
}

/** Asks for the client registered with the service, and shows the redirect URL to register. */
export function ClientForm({ serverKey }: { serverKey: string }) {
  const model = useModel();
  const [clientId, setClientId] = useState('');
  const [clientSecret, setClientSecret] = useState('');
  const [redirectUri, setRedirectUri] = useState(defaultRedirectUri);
  const isAddress = oauthOptionsSchema.shape.redirectUri.safeParse(redirectUri).success;
  return (
    <ValueForm
      name="Client ID"
      submit="Save and sign in"
      ready={clientId.trim() !== '' && isAddress}
      note="A client secret is stored encrypted."
      onSubmit={() =>
        setSignInClient(model, serverKey, {
          clientId,
          redirectUri,
          ...(clientSecret.trim() === '' ? {} : { clientSecret }),
        })
      }
    >
      <div className={classes.address}>
        <TextInput
          size="xs"
          label="Redirect URL"
          description="Enter this URL when you register Patchbay with the service."
          value={redirectUri}
          onChange={(event) => setRedirectUri(event.currentTarget.value)}
          error={
            isAddress ? undefined : 'Enter a URL on this computer, such as http://localhost:7421/callback.'
          }
          classNames={{ root: classes.field ?? '', input: classes.code ?? '' }}
          spellCheck={false}
        />
        <CopyButton text={() => redirectUri} label="Copy the redirect URL" words="Copy" />
      </div>
      <TextInput
        size="xs"
        label="Client ID"
        value={clientId}
        onChange={(event) => setClientId(event.currentTarget.value)}
        classNames={{ root: classes.field ?? '', input: classes.code ?? '' }}
        spellCheck={false}
      />
      <SecretField
        label="Client secret, if the service gave you one"
        value={clientSecret}
        onValue={setClientSecret}
      />
    </ValueForm>
  );
}
