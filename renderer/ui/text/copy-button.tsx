import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from '../../command/app/app-actions.ts';
import { useModel } from '../../store/model-context.tsx';

type CopyButtonProps = {
  /** Describes the copied text, for the tooltip and screen readers: `Copy the problem`. */
  readonly label: string;
  /** Shows this text beside the icon. */
  readonly words?: string;
} & (
  | {
      /** Called on click, so that long texts are built only when needed. */
      readonly text: () => string;
    }
  | {
      /**
       * Lets the main process copy a text that the window does not get; resolves to true if it succeeded.
       */
      readonly onCopy: () => Promise<boolean>;
    }
);

/** Copies a text through the main process and confirms it for a moment. */
export function CopyButton(props: CopyButtonProps) {
  const { label, words } = props;
  const model = useModel();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1600);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () =>
    setCopied(await ('text' in props ? copyText(model, props.text()) : props.onCopy()));
  const icon = copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />;
  if (words !== undefined) {
    return (
      <Button variant="default" leftSection={icon} onClick={copy} aria-label={label}>
        {copied ? 'Copied' : words}
      </Button>
    );
  }
  return (
    <Tooltip label={copied ? 'Copied' : label}>
      <ActionIcon onClick={copy} aria-label={label}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
