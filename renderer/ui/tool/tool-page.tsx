import { ActionIcon, Button, Skeleton, Switch, Tooltip } from '@mantine/core';
import { FlaskConical, ShieldAlert, X } from 'lucide-react';
import type { ToolDetail, ToolSummary } from '../../../shared/model/tool/tool.ts';
import { reviewTools } from '../../command/access/guard-actions.ts';
import { openTester } from '../../command/navigate.ts';
import { setToolsEnabled } from '../../command/tool/tool-actions.ts';
import { useReview, useToolDetail } from '../../store/hook/engine-hooks.ts';
import { useModel, useServerTitle, useToolSwitch } from '../../store/model-context.tsx';
import { Fact, Facts } from '../facts.tsx';
import { RawJson, SchemaView } from '../json/schema-view.tsx';
import { Notice } from '../notice.tsx';
import { ProblemCard } from '../problem-card.tsx';
import { CopyButton } from '../text/copy-button.tsx';
import { SafeMarkdown } from '../text/safe-markdown.tsx';
import { Ago } from '../text/time-text.tsx';
import { DifferenceView } from './difference-view.tsx';
import { FlagList } from './flag-list.tsx';
import classes from './tool-page.module.css';

/** Shows everything about one tool, beside a list of tools. */
export function ToolPage({ tool, onClose }: { tool: ToolSummary; onClose: () => void }) {
  const detail = useToolDetail(tool);
  return (
    <section className="pane" aria-label={`Tool ${tool.name}`}>
      <Head tool={tool} onClose={onClose} />
      <div className={`pane ${classes.body}`}>
        {tool.description !== undefined && (
          <div className={classes.description}>
            <SafeMarkdown text={tool.description} />
          </div>
        )}
        {detail.kind === 'loading' && <Skeleton height={160} radius={8} aria-label="Loading the schema" />}
        {detail.kind === 'failed' && <ProblemCard problem={detail.problem} about={tool.name} />}
        {detail.kind === 'known' && <Loaded detail={detail.value} />}
      </div>
    </section>
  );
}

function Head({ tool, onClose }: { tool: ToolSummary; onClose: () => void }) {
  const model = useModel();
  const enabled = useToolSwitch(tool);
  return (
    <header className={`row ${classes.head}`}>
      <div className="grow">
        <h2 className={`truncate ${classes.name}`} title={tool.name}>
          {tool.title ?? tool.name}
        </h2>
        <p className="truncate dim tiny">{useServerTitle(tool.serverKey)}</p>
      </div>
      <Button
        variant="default"
        leftSection={<FlaskConical size={13} aria-hidden />}
        onClick={() =>
          openTester(model, { serverKey: tool.serverKey, open: { kind: 'tool', name: tool.name } })
        }
      >
        Try it
      </Button>
      <Switch
        checked={enabled}
        aria-label={`${tool.name} is on`}
        onChange={(event) => void setToolsEnabled(model, [tool], event.currentTarget.checked)}
      />
      <Tooltip label="Close">
        <ActionIcon onClick={onClose} aria-label="Close the tool">
          <X size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </header>
  );
}

function Loaded({ detail }: { detail: ToolDetail }) {
  const { inputSchema, outputSchema, annotations } = detail.definition;
  return (
    <>
      {detail.held === true && <ReviewNotice tool={detail} />}
      <ToolTraits tool={detail} />
      <ToolFlags tool={detail} />
      <Facts>
        <NameFact label="Patchbay ID" value={detail.canonicalId} />
        <NameFact label="Name clients see" value={detail.safeName} />
        <NameFact label="Server’s name" value={detail.name} />
      </Facts>
      <SchemaView schema={inputSchema} title="Parameters" />
      {outputSchema !== undefined && <SchemaView schema={outputSchema} title="Result" />}
      {annotations !== undefined && (
        <section>
          <h3 className={classes.subtitle}>Annotations</h3>
          <RawJson value={annotations} label="Annotations as JSON" />
        </section>
      )}
    </>
  );
}

/** Shows whether a tool is hidden from clients, and its server's claims about its effects, if any. */
export function ToolTraits({ tool }: { tool: ToolSummary }) {
  if (tool.held === true) {
    return (
      <span className={classes.trait} data-unfit="true" title={reviewReason}>
        needs review
      </span>
    );
  }
  if (tool.unfit === true) {
    return (
      <span className={classes.trait} data-unfit="true" title={unfitReason}>
        corrected
      </span>
    );
  }
  if (tool.passed !== undefined) {
    return (
      <span className={classes.trait} title={passedReasons[tool.passed.kind]}>
        {tool.passed.kind}
      </span>
    );
  }
  if (tool.readOnly === true) return <span className={classes.trait}>Read-only</span>;
  if (tool.destructive !== true) return null;
  return (
    <span className={classes.trait} data-destructive="true">
      Destructive
    </span>
  );
}

const reviewReason =
  'Its definition changed in a way that raises risk. Hidden from clients until you approve it.';

const passedReasons = {
  new: 'Added recently. Nothing in its definition raises risk, so clients get it.',
  changed: 'Changed recently. Nothing in the change raises risk, so clients get it.',
} as const;

const unfitReason =
  'Its definition violates the protocol. Clients that would reject their whole list because of it get a corrected copy.';

function ReviewNotice({ tool }: { tool: ToolSummary }) {
  const model = useModel();
  return (
    <Notice
      label="Needs review"
      tone="warning"
      icon={<ShieldAlert size={16} />}
      title="Blocked until you review it"
      text={reviewReason}
      actions={<Button onClick={() => reviewTools(model, tool.serverKey)}>Review</Button>}
    />
  );
}

/** Shows the findings in its definition, and its latest change that passed without review. */
function ToolFlags({ tool }: { tool: ToolSummary }) {
  const state = useReview(tool.serverKey, tool.name);
  if (state.kind !== 'known') return null;
  const { flags, parts } = state.value;
  return (
    <>
      <FlagList flags={flags} />
      {tool.passed?.kind === 'changed' && (
        <section aria-label="Latest change">
          <h3 className={classes.subtitle}>
            Changed <Ago at={tool.passed.at} />
          </h3>
          <DifferenceView parts={parts} all={false} />
        </section>
      )}
    </>
  );
}

function NameFact({ label, value }: { label: string; value: string }) {
  return (
    <Fact label={label}>
      <span className={`row ${classes.copyable}`}>
        <code className="selectable">{value}</code>
        <CopyButton text={() => value} label={`Copy ${label.toLowerCase()}`} />
      </span>
    </Fact>
  );
}
