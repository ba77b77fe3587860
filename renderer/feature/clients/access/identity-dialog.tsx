import { Button } from '@mantine/core';
import { KeyRound, RotateCcw, ShieldOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Identity, ToolToken } from '../../../../shared/model/access/access.ts';
import {
  copyNewToken,
  removeIdentity,
  restoreIdentity,
  revokeIdentity,
  revokeToolToken,
} from '../../../command/access/access-actions.ts';
import type { IdentityAccess } from '../../../lib/server/access-cell.ts';
import { formatMoment } from '../../../lib/text/format-time.ts';
import { useModel, useServerTitle } from '../../../store/model-context.tsx';
import { DialogFoot } from '../../../ui/dialog/dialog.tsx';
import { Fact, Facts, Section } from '../../../ui/facts.tsx';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { Ago, TimeLeft } from '../../../ui/text/time-text.tsx';
import classes from './access-dialog.module.css';
import { AccessDialog } from './access-dialog.tsx';
import { identityTitle, lastSeenText } from './identity-labels.ts';
import { IdentityRules } from './identity-rules.tsx';

/** Shows one identity with its token and all its grants. */
export function IdentityDialog({ id }: { id: string }) {
  return (
    <AccessDialog id={id} title={({ identity }) => identityTitle(identity)}>
      {(standing) => (
        <>
          <ScrollRegion label="Details" className={`pane ${classes.scroll}`}>
            <IdentityFacts identity={standing.identity} />
            <OwnToken identity={standing.identity} />
            <IdentityRules standing={standing} />
            <TemporaryPermissions standing={standing} />
          </ScrollRegion>
          <IdentityFoot identity={standing.identity} />
        </>
      )}
    </AccessDialog>
  );
}

function IdentityFacts({ identity }: { identity: Identity }) {
  const model = useModel();
  const { kind, name, owner, createdAt, expiresAt, revokedAt, lastSeenAt } = identity;
  return (
    <Facts short>
      <Fact label={kind === 'agent' ? 'Agent' : 'Client'}>{name}</Fact>
      <Fact label="Owner">{owner ?? 'Not set'}</Fact>
      <Fact label="Status">{revokedAt === undefined ? 'Active' : <>Revoked {<Ago at={revokedAt} />}</>}</Fact>
      <Fact label="Last seen">
        {lastSeenAt === undefined ? 'Never' : lastSeenText(lastSeenAt, model.now())}
      </Fact>
      <Fact label="First seen">
        <Ago at={createdAt} />
      </Fact>
      <Fact label="Expires">{expiresAt === undefined ? 'Never' : formatMoment(expiresAt)}</Fact>
    </Facts>
  );
}

/** Creates the identity's token, which is copied to the clipboard once and never shown. */
function OwnToken({ identity }: { identity: Identity }) {
  const model = useModel();
  const { hasToken } = identity;
  const [isConfirming, setAsks] = useState(false);
  const copy = () => {
    setAsks(false);
    void copyNewToken(model, identity);
  };
  return (
    <Section title="Access token">
      <p className="soft small">
        {hasToken
          ? 'A token exists but cannot be shown again. A new token replaces it immediately and ends its sessions.'
          : 'A token identifies this client over HTTP. It is copied once and never stored in readable form.'}
      </p>
      <div className={`row ${classes.buttons}`}>
        {isConfirming ? (
          <>
            <Button onClick={copy}>Replace and copy token</Button>
            <Button variant="default" onClick={() => setAsks(false)}>
              Keep the current token
            </Button>
          </>
        ) : (
          <Button
            variant="default"
            leftSection={<KeyRound size={13} aria-hidden />}
            onClick={() => (hasToken ? setAsks(true) : copy())}
          >
            Copy a new token
          </Button>
        )}
      </div>
    </Section>
  );
}

function TemporaryPermissions({ standing }: { standing: IdentityAccess }) {
  const model = useModel();
  const now = model.now();
  const active = standing.tokens.filter(({ expiresAt }) => expiresAt > now);
  if (active.length === 0) return null;
  return (
    <Section title="Allowed temporarily">
      <ul aria-label="Allowed temporarily">
        {active.map((token) => (
          <TemporaryPermission key={token.tokenId} token={token} />
        ))}
      </ul>
    </Section>
  );
}

function TemporaryPermission({ token }: { token: ToolToken }) {
  const model = useModel();
  const what = `${useServerTitle(token.serverKey)}:${token.tool}`;
  return (
    <li className={`row ${classes.rule}`}>
      <span className="grow breaks">
        {what}{' '}
        <span className="soft tiny">
          <TimeLeft until={token.expiresAt} />
        </span>
      </span>
      <Button
        variant="subtle"
        aria-label={`Stop allowing ${what}`}
        onClick={() => void revokeToolToken(model, token)}
      >
        Stop allowing
      </Button>
    </li>
  );
}

function IdentityFoot({ identity }: { identity: Identity }) {
  const model = useModel();
  const [isConfirming, setAsks] = useState(false);
  if (isConfirming) {
    return (
      <DialogFoot note="The token stops working and all rules are deleted. This cannot be undone.">
        <Button variant="default" onClick={() => setAsks(false)}>
          Cancel
        </Button>
        <Button variant="light" color="red" onClick={() => void removeIdentity(model, identity)}>
          Remove permanently
        </Button>
      </DialogFoot>
    );
  }
  return (
    <DialogFoot>
      <Button
        variant="subtle"
        color="red"
        leftSection={<Trash2 size={13} aria-hidden />}
        onClick={() => setAsks(true)}
      >
        Remove
      </Button>
      {identity.revokedAt === undefined ? (
        <Button
          variant="light"
          color="red"
          leftSection={<ShieldOff size={13} aria-hidden />}
          onClick={() => void revokeIdentity(model, identity)}
        >
          Revoke access
        </Button>
      ) : (
        <Button
          leftSection={<RotateCcw size={13} aria-hidden />}
          onClick={() => void restoreIdentity(model, identity)}
        >
          Restore access
        </Button>
      )}
    </DialogFoot>
  );
}
