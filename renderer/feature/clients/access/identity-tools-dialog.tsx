import { Button, Menu } from '@mantine/core';
import { SearchX } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import type { Effect } from '../../../../shared/model/access/access.ts';
import { reasonOf } from '../../../../shared/model/access/access-text.ts';
import type { ToolSummary } from '../../../../shared/model/tool/tool.ts';
import { clearRules, makeGrant, makeGrants } from '../../../command/access/access-actions.ts';
import { type IdentityAccess, ownGrant, serverVerdict } from '../../../lib/server/access-cell.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { matchesWords, queryWords } from '../../../lib/text/match-words.ts';
import { useModel, useServerTitle, useTitleOf } from '../../../store/model-context.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SearchField } from '../../../ui/list/search-field.tsx';
import { EffectSwitch } from '../../../ui/tool/effect-switch.tsx';
import classes from './access-dialog.module.css';
import { AccessDialog } from './access-dialog.tsx';
import { identityTitle } from './identity-labels.ts';
import { ToolRules } from './tool-rules.tsx';

/** Shows what one identity can do with the tools of one server, and why. */
export function IdentityToolsDialog({ id, serverKey }: { id: string; serverKey: string }) {
  const title = useServerTitle(serverKey);
  return (
    <AccessDialog id={id} title={({ identity }) => `What ${identityTitle(identity)} can use in ${title}`}>
      {(standing) => (
        <>
          <ServerRule standing={standing} serverKey={serverKey} />
          <Tools standing={standing} serverKey={serverKey} />
        </>
      )}
    </AccessDialog>
  );
}

interface ServerProps {
  readonly standing: IdentityAccess;
  readonly serverKey: string;
}

function ServerRule({ standing, serverKey }: ServerProps) {
  const model = useModel();
  const titleOf = useTitleOf();
  const verdict = serverVerdict(standing, serverKey, model.now());
  const own = ownGrant(standing, serverKey);
  const identityId = standing.identity.id;
  function change(effect: Effect | undefined): void {
    if (effect !== undefined) {
      void makeGrant(model, { identityId, effect, scope: { kind: 'server', serverKey } });
    } else if (own !== undefined) void clearRules(model, [own]);
  }
  return (
    <div className={`row ${classes.whole}`}>
      <div className={classes.words}>
        <p className="strong">All tools of {titleOf(serverKey)}, including new ones</p>
        <p className="soft small">{reasonOf(verdict, titleOf)}</p>
      </div>
      <EffectSwitch
        about={`all of ${titleOf(serverKey)}`}
        own={own?.effect}
        effective={verdict.effect}
        onChange={change}
      />
    </div>
  );
}

const noTools: readonly ToolSummary[] = [];

function Tools({ standing, serverKey }: ServerProps) {
  const model = useModel();
  const [query, setQuery] = useState('');
  const searched = useDeferredValue(query);
  const tools = useStore(model.mirrors.tools, (all) => all[serverKey] ?? noTools);
  const shown = useMemo(() => {
    const words = queryWords(searched);
    const text = ({ name, title = '', description = '' }: ToolSummary) => `${name} ${title} ${description}`;
    return tools.filter((tool) => matchesWords(text(tool).toLowerCase(), words));
  }, [tools, searched]);
  return (
    <>
      <div className={`row ${classes.bar}`}>
        <SearchField label="Search tools" width={220} value={query} onChange={setQuery} />
        <span className="soft small">{formatCount(shown.length, 'tool')}</span>
        {shown.length > 1 && <BulkMenu standing={standing} serverKey={serverKey} tools={shown} />}
      </div>
      {shown.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title={tools.length === 0 ? 'No tools known yet' : 'Nothing matches'}
          text={
            tools.length === 0
              ? 'Tools appear here after the first connection. The server’s rule applies to them.'
              : `No tool contains “${searched}”.`
          }
        />
      ) : (
        <ToolRules standing={standing} tools={shown} />
      )}
    </>
  );
}

/** Sets the same rule for all listed tools. */
function BulkMenu({ standing, serverKey, tools }: ServerProps & { readonly tools: readonly ToolSummary[] }) {
  const model = useModel();
  const identityId = standing.identity.id;
  const own = tools.flatMap(({ name }) => ownGrant(standing, serverKey, name) ?? []);
  const choices = bulkChoices.map(({ effect, label }) => {
    const names = tools
      .map(({ name }) => name)
      .filter((name) => !hasExactRule(standing, serverKey, name, effect));
    const grants = names.map((tool) => {
      return { identityId, effect, scope: { kind: 'tool', serverKey, tool } } as const;
    });
    return { effect, text: label(formatCount(grants.length, 'tool')), grants };
  });
  return (
    <Menu width={240}>
      <Menu.Target>
        <Button variant="default" className="end">
          Set all {tools.length}…
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map(({ effect, text, grants }) => (
          <Menu.Item
            key={effect}
            disabled={grants.length === 0}
            onClick={() => void makeGrants(model, grants, own)}
          >
            {text}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item disabled={own.length === 0} onClick={() => void clearRules(model, own)}>
          Remove {formatCount(own.length, 'tool rule')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const bulkChoices: readonly { readonly effect: Effect; readonly label: (tools: string) => string }[] = [
  { effect: 'allow', label: (tools) => `Allow ${tools}` },
  { effect: 'ask', label: (tools) => `Ask before ${tools}` },
  { effect: 'deny', label: (tools) => `Deny ${tools}` },
];

/** Returns whether the tool already has exactly this rule, without conditions. */
function hasExactRule(standing: IdentityAccess, serverKey: string, name: string, effect: Effect): boolean {
  const own = ownGrant(standing, serverKey, name);
  return own?.effect === effect && !own.needsToken && own.expiresAt === undefined;
}
