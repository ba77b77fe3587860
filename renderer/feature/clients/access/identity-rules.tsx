import { ActionIcon, Tooltip } from '@mantine/core';
import { Ban, Check, Hand, X } from 'lucide-react';
import type { Grant } from '../../../../shared/model/access/access.ts';
import { revokeGrant } from '../../../command/access/access-actions.ts';
import type { IdentityAccess } from '../../../lib/server/access-cell.ts';
import { formatUntil } from '../../../lib/text/format-time.ts';
import { useModel, useTimeText, useTitleOf } from '../../../store/model-context.tsx';
import { Section } from '../../../ui/facts.tsx';
import classes from './access-dialog.module.css';
import { AddRule } from './add-rule.tsx';
import { byBreadth, scopeTitle } from './identity-labels.ts';

/** Lists the rules of one identity, broadest first, and adds new ones. */
export function IdentityRules({ standing }: { standing: IdentityAccess }) {
  const grants = [...standing.grants].sort(byBreadth);
  return (
    <Section title="Rules">
      <p className="soft small">
        Anything that no rule allows is denied. A deny rule always wins; otherwise the most specific rule
        decides: tool, pattern, risk, server, everything.
      </p>
      <ul aria-label="Rules">
        {grants.map((grant) => (
          <Rule key={grant.id} grant={grant} />
        ))}
      </ul>
      {grants.length === 0 && <p className={`row ${classes.rule}`}>No rules, so it cannot call anything.</p>}
      <AddRule identityId={standing.identity.id} />
    </Section>
  );
}

const effects = {
  allow: { icon: Check, label: 'Allow' },
  ask: { icon: Hand, label: 'Ask' },
  deny: { icon: Ban, label: 'Deny' },
} as const;

function Rule({ grant }: { grant: Grant }) {
  const model = useModel();
  const { effect, scope, needsToken, expiresAt, grantedBy } = grant;
  const { icon: Icon, label } = effects[effect];
  const ends = useTimeText((now) =>
    expiresAt === undefined ? '' : `, expires ${formatUntil(expiresAt, now)}`,
  );
  const title = scopeTitle(scope, useTitleOf());
  return (
    <li className={`row ${classes.rule}`}>
      <span className={classes.effect} data-effect={effect}>
        <Icon size={13} aria-hidden /> {label}
      </span>
      <span className="grow breaks">
        {title}{' '}
        <span className="soft tiny">
          {needsToken === true && 'only while allowed temporarily, '}
          by {grantedBy}
          {ends}
        </span>
      </span>
      <Tooltip label="Remove rule">
        <ActionIcon
          aria-label={`Remove the rule for ${title}`}
          onClick={() => void revokeGrant(model, grant)}
        >
          <X size={14} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}
