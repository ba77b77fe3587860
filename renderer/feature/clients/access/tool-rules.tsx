import { Button } from '@mantine/core';
import type { Effect } from '../../../../shared/model/access/access.ts';
import { reasonOf } from '../../../../shared/model/access/access-text.ts';
import { riskOfTool } from '../../../../shared/model/access/risk.ts';
import type { ToolSummary } from '../../../../shared/model/tool/tool.ts';
import {
  clearRules,
  issueToolToken,
  makeGrant,
  revokeToolToken,
} from '../../../command/access/access-actions.ts';
import { type IdentityAccess, ownGrant, toolVerdict } from '../../../lib/server/access-cell.ts';
import { useModel, useTitleOf } from '../../../store/model-context.tsx';
import { VirtualList } from '../../../ui/list/virtual-list.tsx';
import { TimeLeft } from '../../../ui/text/time-text.tsx';
import { EffectSwitch } from '../../../ui/tool/effect-switch.tsx';
import { RiskMark } from '../../../ui/tool/risk-mark.tsx';
import classes from './access-dialog.module.css';

interface ToolRulesProps {
  readonly standing: IdentityAccess;
  readonly tools: readonly ToolSummary[];
}

/** Lists the tools, each with a sentence about the rule that decides. */
export function ToolRules({ standing, tools }: ToolRulesProps) {
  return (
    <VirtualList
      label="Tools"
      rows={tools}
      heightOf={() => 50}
      keyOf={({ name }) => name}
      className={`scrolls ${classes.tools}`}
    >
      {(tool, { index, line }) => (
        <li className={`row ${classes.tool}`} {...line}>
          <ToolRule standing={standing} tool={tool} index={index} />
        </li>
      )}
    </VirtualList>
  );
}

interface ToolRuleProps {
  readonly standing: IdentityAccess;
  readonly tool: ToolSummary;
  readonly index: number;
}

function ToolRule({ standing, tool, index }: ToolRuleProps) {
  const model = useModel();
  const { serverKey, name } = tool;
  const identityId = standing.identity.id;
  const verdict = toolVerdict(standing, tool, model.now());
  const own = ownGrant(standing, serverKey, name);
  function change(effect: Effect | undefined): void {
    if (effect !== undefined) {
      void makeGrant(model, { identityId, effect, scope: { kind: 'tool', serverKey, tool: name } });
    } else if (own !== undefined) void clearRules(model, [own]);
  }
  const reason = reasonOf(verdict, useTitleOf());
  return (
    <>
      <div className="grow">
        <p className={`row ${classes.toolName}`}>
          <span>{name}</span>
          {riskOfTool(name, tool) === 'high' && <RiskMark risk="high" />}
        </p>
        <p className="truncate soft tiny" title={reason}>
          {reason}
        </p>
      </div>
      <TemporaryPermission
        standing={standing}
        tool={tool}
        needed={verdict.code === 'token_needed' || verdict.code === 'asks'}
      />
      <EffectSwitch about={name} own={own?.effect} effective={verdict.effect} row={index} onChange={change} />
    </>
  );
}

/** Shows the temporary permission of a tool, or offers one where it would help. */
function TemporaryPermission({
  standing,
  tool,
  needed,
}: Omit<ToolRuleProps, 'index'> & { readonly needed: boolean }) {
  const model = useModel();
  const { serverKey, name } = tool;
  const now = model.now();
  const token = standing.tokens.find(
    (one) => one.serverKey === serverKey && one.tool === name && one.expiresAt > now,
  );
  if (token !== undefined) {
    return (
      <Button
        variant="subtle"
        aria-label={`Stop allowing ${name}`}
        onClick={() => void revokeToolToken(model, token)}
      >
        Stop allowing (<TimeLeft until={token.expiresAt} />)
      </Button>
    );
  }
  if (!needed) return null;
  return (
    <Button
      variant="subtle"
      aria-label={`Allow ${name} temporarily`}
      onClick={() =>
        void issueToolToken(model, standing.identity.id, { kind: 'tool', serverKey, tool: name })
      }
    >
      Allow temporarily
    </Button>
  );
}
